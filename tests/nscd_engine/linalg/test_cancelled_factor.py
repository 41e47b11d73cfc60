"""A factorisation that takes long looks whether it has to stop, and tells how far it is."""

import threading
import time

import numpy as np
import pytest

from body_graphs import grid
from compas_nscd import LoadCase
from compas_nscd.client.requests import scene
from compas_nscd.errors import CancelledError
from compas_nscd.model.settings import Settings
from compas_nscd.templates import wall
from nscd_engine.core.monitor import LOOKS, Monitor
from nscd_engine.core.threads import Threads
from nscd_engine.linalg.factor import factorised, looks
from nscd_engine.linalg.symbolic import analyse
from nscd_engine.statics import run as statics

#: Longest processor time from a cancel to the end of the work [s].
HEARD_S = 1.0


def unit_matrix(sym):
    """Panels and arena of the identity."""
    panels = np.zeros(sym.panel_start[-1])
    for r in range(6):
        panels[sym.diagonal + r * (sym.diagonal_stride + 1)] = 1.0
    return panels, np.empty(sym.arena)


def everybody(count):
    """Pairs of bodies that all touch: one front."""
    return np.argwhere(np.triu(np.ones((count, count)), 1))


class Impatient(Monitor):
    """Is cancelled by its own clock: at the nth look of the factorisation."""

    def __init__(self, at):
        super().__init__()
        threading.Thread(target=self._wait, args=(at,), daemon=True).start()

    def _wait(self, at):
        while self.signal[LOOKS] < at:
            time.sleep(0)
        self.cancel()


@pytest.mark.parametrize("count, pairs", [(3000, grid(60, 50)), (150, everybody(150)), (1, np.zeros((0, 2), int))])
def test_it_looks_as_often_as_it_says(count, pairs):
    sym, monitor = analyse(count, pairs), Monitor()
    assert factorised(sym, *unit_matrix(sym), Threads(1), monitor)
    assert monitor.signal[LOOKS] == looks(sym)


def test_the_work_between_two_looks_is_bounded():
    """A front of n columns is looked into every 48 of them: a front of a massive pier alone takes seconds."""
    one_front, two = analyse(150, everybody(150)), analyse(300, np.vstack([everybody(200), everybody(200) + 100]))
    assert looks(one_front) == -(-900 // 48)
    assert looks(two) >= -(-1800 // 48) + 600 // 96  # columns, and rows of the update of the first front


def test_a_cancel_in_the_middle_ends_it():
    sym = analyse(300, everybody(300))
    monitor = Impatient(at=2)
    with pytest.raises(CancelledError):
        while True:  # a factorisation may be over before the other thread has its turn
            factorised(sym, *unit_matrix(sym), Threads(1), monitor)
    assert monitor.signal[LOOKS] < looks(sym)


def test_ordering_hears_a_cancel():
    monitor = Monitor()
    monitor.cancel()
    with pytest.raises(CancelledError, match="ordering"):
        analyse(6, grid(3, 2), monitor)


def test_progress_tells_the_share_of_the_factor():
    monitor = Monitor()
    monitor.report("solving")
    assert monitor.told() == "solving"
    with monitor.watching(8) as signal:
        signal[LOOKS] = 2
        assert monitor.told() == "solving, factor 25 %"
    assert monitor.told() == "solving"


@pytest.mark.slow
def test_a_static_analysis_of_40000_blocks_ends_within_a_second_of_work():
    """Cancelled in the middle of a factorisation."""
    monitor, ended = Monitor(), []

    def work():
        with pytest.raises(CancelledError, match="solving"):
            statics.run(scene(wall(200, 200), LoadCase(), Settings()), monitor)
        ended.append(time.process_time())

    thread = threading.Thread(target=work)
    thread.start()
    while "factor" not in monitor.told():
        assert thread.is_alive()
        time.sleep(0.02)
    monitor.cancel()
    cancelled = time.process_time()
    thread.join()
    assert ended[0] - cancelled < HEARD_S
