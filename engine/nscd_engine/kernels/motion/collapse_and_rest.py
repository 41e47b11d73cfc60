"""Displacements of blocks since the beginning, and since when they count as moved, displaced or down."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner


class Thresholds(NamedTuple):
    """From where a block counts as moved, displaced or down. Lengths are over the size of the block."""

    moved: float  # [-] displacement, with the rotation at half the size
    displaced: float  # [-] the same, larger
    dropped: float  # [-] loss of height
    cos_tilt: np.ndarray  # [-] (B,): cosine of the inclination against the vertical of the beginning
    down: np.ndarray  # (3,): unit vector of gravity; 0 without gravity


class Tracked(NamedTuple):
    """Displacements relative to the ground since the beginning, updated in place. B blocks."""

    moved_at: np.ndarray  # [s] (B,): first time that a block counts as moved; inf if it has not
    displaced_at: np.ndarray  # [s] (B,): time since which it counts as displaced without a break; inf if it does not
    down_at: np.ndarray  # [s] (B,): time since which it counts as down without a break; inf if it does not
    greatest: np.ndarray  # [m] (2,): of the supports, of the centroids of free blocks


@inner
def tilt_cosine(q, axis):
    """Cosine of the angle between an axis (3,) and the same axis turned by the quaternion q (4,)."""
    along = q[1] * axis[0] + q[2] * axis[1] + q[3] * axis[2]
    square = q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    return q[0] * q[0] - square + 2.0 * along * along


@inner
def place_of(bodies, b, position, orientation, ground, down):
    """Displacement of the centroid of a block relative to the ground, the same with the rotation at half the size, and
    the loss of height [m]; without gravity the displacement takes the place of the height.
    """
    square = turn = drop = 0.0
    for k in range(3):
        moved = position[b, k] - bodies.centroid[b, k] - ground[k]
        square += moved * moved
        drop += moved * down[k]
        turn += orientation[b, 1 + k] ** 2
    distance = math.sqrt(square)
    reach = distance + bodies.size[b] * math.asin(min(math.sqrt(turn), 1.0))
    weightless = down[0] == 0.0 and down[1] == 0.0 and down[2] == 0.0
    return distance, reach, distance if weightless else drop


@inner
def since(time, earlier, holds):
    """Time since which a condition holds [s]: `earlier` if it held before, inf if it does not hold now."""
    return min(earlier, time) if holds else np.inf


@njit(cache=True, nogil=True)
def track_displacements(bodies, position, orientation, ground, time, thresholds, tracked):
    """Update the times since which blocks count as moved, displaced or down, and the greatest displacements.

    Lengths are allowed in addition to twice the greatest displacement of a support relative to the ground (3,) [m].
    """
    free, size, greatest, down = bodies.free, bodies.size, tracked.greatest, thresholds.down
    for b in range(free.shape[0]):
        distance, _, _ = place_of(bodies, b, position, orientation, ground, down)
        row = 0 if free[b] < 0 else 1
        greatest[row] = max(greatest[row], distance)
    allowed = 2.0 * greatest[0]
    for b in range(free.shape[0]):
        if free[b] < 0:
            continue
        _, reach, drop = place_of(bodies, b, position, orientation, ground, down)
        if reach > thresholds.moved * size[b] + allowed and tracked.moved_at[b] == np.inf:
            tracked.moved_at[b] = time
        displaced = reach > thresholds.displaced * size[b] + allowed
        tracked.displaced_at[b] = since(time, tracked.displaced_at[b], displaced)
        overturned = tilt_cosine(orientation[b], down) < thresholds.cos_tilt[b]
        dropped = drop > thresholds.dropped * size[b] + allowed
        tracked.down_at[b] = since(time, tracked.down_at[b], dropped or overturned)
