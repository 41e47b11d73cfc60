"""Loads of a case as the gate hands them on: tables over time, point loads, cables, water, motions of supports."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, NamedTuple, Optional

import numpy as np

from nscd_engine.core.structs import Bodies

#: Bias that keeps a contact open [m/s]. Smaller: a fast body could close it. Larger: rounding of the bias shows
#: in the residual.
OUT_OF_REACH = 1e6


class History(NamedTuple):
    """A table over time, linear between its rows, constant before the first and after the last."""

    times: list  # [s] (T,)
    values: np.ndarray  # (T, ...)


def constant(value: Any) -> History:
    """A history of one row: the value at all times."""
    return History([0.0], np.asarray(value, float)[None])


def value_at(history: History, t: float) -> np.ndarray:
    """Value at time t [s]."""
    times, values = history
    k = bisect_right(times, t) - 1
    if k < 0:
        return values[0]
    if k >= len(times) - 1:
        return values[-1]
    s = (t - times[k]) / (times[k + 1] - times[k])
    return values[k] + s * (values[k + 1] - values[k])


def mean_over(history: History, t: float, duration: float) -> np.ndarray:
    """Mean from t to t + duration [s], exactly: a pulse shorter than a step keeps its impulse."""
    inside = history.times[bisect_right(history.times, t) : bisect_left(history.times, t + duration)]
    if not inside:
        return 0.5 * (value_at(history, t) + value_at(history, t + duration))
    knots = [t, *inside, t + duration]
    values = [value_at(history, knot) for knot in knots]
    pieces = zip(knots, knots[1:], values, values[1:])
    return sum(0.5 * (end - begin) * (first + last) for begin, end, first, last in pieces) / duration


class PointLoads(NamedTuple):
    """L forces, each on a point of a block."""

    block: np.ndarray  # (L,) int32
    point: np.ndarray  # [m] (L, 3)
    force: np.ndarray  # [N] (L, 3)


def wrenches(loads: PointLoads, bodies: Bodies) -> np.ndarray:
    """Point loads gathered at the centroids of the blocks [N, N m] (B, 6)."""
    total = np.zeros((len(bodies.mass), 6))
    moment = np.cross(loads.point - bodies.centroid[loads.block], loads.force)
    np.add.at(total, loads.block, np.hstack([loads.force, moment]).reshape(-1, 6))
    return total


class Cables(NamedTuple):
    """K cables."""

    body: np.ndarray  # (K, 2) int32: blocks; supports for the ground
    arm: np.ndarray  # [m] (K, 2, 3): from the centroids to the ends, at rest
    length: np.ndarray  # [m] (K,): without a force
    stiffness: np.ndarray  # [N/m] (K,): inf if it does not stretch
    prestress: np.ndarray  # [N] (K,)
    strength: np.ndarray  # [N] (K,): inf if it does not yield


class CarriedForces(NamedTuple):
    """Contact forces at the end of the stage before, C contacts."""

    body: np.ndarray  # (C, 2) int32: blocks a, b
    point: np.ndarray  # [m] (C, 3)
    force: np.ndarray  # [N] (C, 3): on b, world axes
    broken: np.ndarray  # (C,) bool: the bond is lost


class WaterProperties(NamedTuple):
    """Water of a load case."""

    level: History  # [m] height of the surface, in front if there are two levels
    flow: np.ndarray  # [m/s] (3,): velocity of the current
    density: float  # [kg/m3]
    drag: float  # [-] drag coefficient
    behind: Optional[float]  # [m] height of the surface behind the structure; None: as in front
    towards: Optional[np.ndarray]  # (3,): horizontal unit vector from the front to the back; None without `behind`


class Motion(NamedTuple):
    """Supports that share a motion, in cubic pieces between T knots (compas_nscd.loads.waveforms)."""

    block: np.ndarray  # (k,): supports
    delay: np.ndarray  # [s] (k,)
    times: np.ndarray  # [s] (T,)
    displacement: np.ndarray  # [m, rad] (T, 6): with a rotation vector about the centroid
    velocity: np.ndarray  # [m/s, rad/s] (T, 6)
    common: bool  # motion of all supports at once, the ground: displacements are relative to it


class Driving(NamedTuple):
    """What a load case prescribes over time in a motion. B blocks."""

    velocity: np.ndarray  # [m/s, rad/s] (B, 6): at the beginning
    gravity: History  # [m/s2] (T, 3)
    motions: list  # of Motion
    loads: list  # (block, arm in block axes [m] (3,), force [N] (3,), History of factors [-]) of every point load
