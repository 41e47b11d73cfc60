"""Joints of faces with very many corners: found soon, whole, and given up when the job is cancelled."""

import time

import numpy as np
import pytest

from compas_nscd.errors import CancelledError
from detection import request_of
from nscd_engine.contacts.at_rest import detect
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.gate.structure import read_model
from solids import prism

TURN = 0.003  # [rad]


def radius(angle, corners):
    """Distance [m] of the outline of a star from its centre at angles [rad]; its corners are at 1 and 0.6 m in turn."""
    step = 2.0 * np.pi / corners
    k = np.floor(angle / step)
    a, b = np.where(k % 2, 1.0, 0.6), np.where(k % 2, 0.6, 1.0)
    first, second = angle - k * step, (k + 1) * step - angle
    return a * b * np.sin(step) / (a * np.sin(first) + b * np.sin(second))


def star(corners, z, turn):
    angle = 2.0 * np.pi / corners * np.arange(corners)
    r = np.where(np.arange(corners) % 2, 1.0, 0.6)
    vertices, faces = prism(np.stack([r * np.cos(angle + turn), r * np.sin(angle + turn)], axis=1), 1.0)
    return vertices + [0.0, 0.0, z], faces


def two_stars(corners):
    return read_model(request_of([star(corners, 0.0, 0.0), star(corners, 1.0, TURN)]))


def test_the_joint_of_two_stars_with_300_corners_is_found_soon():
    """It is one polygon; its area is that of the common part. Comparing all edges with all others takes minutes."""
    detect(two_stars(6), Settings())  # kernels are loaded
    model = two_stars(300)
    began = time.process_time()
    found = detect(model, Settings())
    assert time.process_time() - began < 10.0
    angle = np.linspace(0.0, 2.0 * np.pi, 400_001)[:-1]
    common = np.minimum(radius(angle, 300), radius(np.mod(angle - TURN, 2.0 * np.pi), 300))
    assert len(found.interfaces.area) == 1
    assert found.interfaces.area[0] == pytest.approx(np.mean(common**2) * np.pi, rel=1e-4)


def test_detection_hears_a_cancel_between_its_stages():
    class Cancelled(Monitor):
        """Cancels itself at its nth report."""

        def __init__(self, at):
            super().__init__()
            self.at, self.reports = at, 0

        def report(self, phase, fraction=None):
            self.reports += 1
            self.cancelled = self.reports == self.at
            super().report(phase, fraction)

    whole = Cancelled(0)
    detect(two_stars(6), Settings(), whole)
    assert whole.reports >= 4
    for at in range(1, whole.reports + 1):
        with pytest.raises(CancelledError, match="finding contacts"):
            detect(two_stars(6), Settings(), Cancelled(at))
