"""Prescribed motions of supports, in cubic pieces between knots."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner


@inner
def cubic(times, x, v, t, k):
    """Component k of a motion at time t: x (T, 6) and v (T, 6) are its values and velocities at the knots (T,).

    It is constant before the first knot, and has a constant velocity after the last.
    """
    last = times.shape[0] - 1
    if t < times[0]:
        return x[0, k]
    if t >= times[last]:
        return x[last, k] + (t - times[last]) * v[last, k]
    i = np.searchsorted(times, t, side="right") - 1
    width = times[i + 1] - times[i]
    s = (t - times[i]) / width
    r = 1.0 - s
    moved = s * s * (3.0 - 2.0 * s) * (x[i + 1, k] - x[i, k])
    return x[i, k] + moved + width * s * r * (r * v[i, k] - s * v[i + 1, k])


@njit(cache=True, nogil=True, error_model="numpy")
def add_motion(times, x, v, block, delay, at, total):
    """Add the displacements of supports `block` (k,), each with its delay [s] (k,), at times `at` (n,) [s].

    `total` (n, B, columns) [m, rad].
    """
    for j in range(at.shape[0]):
        for b in range(block.shape[0]):
            for k in range(total.shape[2]):
                total[j, block[b], k] += cubic(times, x, v, at[j] - delay[b], k)
