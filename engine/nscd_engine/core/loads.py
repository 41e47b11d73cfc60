"""Tables over time, linear between their rows."""

from bisect import bisect_right
from typing import NamedTuple

import numpy as np


class History(NamedTuple):
    """A table, constant before and after."""

    times: list  # [s] (T,)
    values: np.ndarray  # (T, ...)


def constant(value):
    """A history that does not vary."""
    return History([0.0], np.asarray(value, float)[None])


def value_at(history, t):
    """Value at time t [s]."""
    times, values = history
    k = bisect_right(times, t) - 1
    if k < 0:
        return values[0]
    if k >= len(times) - 1:
        return values[-1]
    s = (t - times[k]) / (times[k + 1] - times[k])
    return values[k] + s * (values[k + 1] - values[k])


class Cables(NamedTuple):
    """K cables."""

    body: np.ndarray  # (K, 2) int32: blocks; supports for the ground
    arm: np.ndarray  # [m] (K, 2, 3): from the centroids to the ends, at rest
    length: np.ndarray  # [m] (K,): without a force
    stiffness: np.ndarray  # [N/m] (K,): inf if it does not stretch
    prestress: np.ndarray  # [N] (K,)
    strength: np.ndarray  # [N] (K,): inf if it does not yield


class Motion(NamedTuple):
    """Supports that share a motion, in cubic pieces between T knots (compas_nscd.waveforms)."""

    block: np.ndarray  # (k,): supports
    delay: np.ndarray  # [s] (k,)
    times: np.ndarray  # [s] (T,)
    displacement: np.ndarray  # [m, rad] (T, 6): with a rotation vector about the centroid
    velocity: np.ndarray  # [m/s, rad/s] (T, 6)
    common: bool  # all supports move so, at once: the ground, to which displacements are relative


class Driving(NamedTuple):
    """What a load case prescribes over time in a motion. B blocks."""

    velocity: np.ndarray  # [m/s, rad/s] (B, 6): at the beginning
    gravity: History  # [m/s2] (T, 3)
    motions: list  # of Motion
    loads: list  # (block, arm in block axes [m] (3,), force [N] (3,), History of factors [-]) of every point load
