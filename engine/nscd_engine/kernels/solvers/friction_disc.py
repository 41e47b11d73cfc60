"""Projection on the set of Tresca's law, whose friction is bounded by a number, with its derivative.

    T = {g : g_n >= 0, |g_t| <= b},   P(y) = argmin_{g in T} (g - y)^T E (g - y),   E = diag(e_n, e_t, e_t)

Normal and tangential parts are independent: a half-line and a disc. So sliding does not dilate, and friction creates no
normal impulse.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.solvers.friction_cone import OPEN, SLIDE, STICK, part_closed


@inner
def project_on_disc(y_n, y_1, y_2, bound):
    """P(y) [N s] and the state: (g_n, g_1, g_2, state). The state tells of friction, where there is any."""
    g_n = max(y_n, 0.0)
    r = np.sqrt(y_1 * y_1 + y_2 * y_2)
    if r <= bound:
        return g_n, y_1, y_2, STICK
    if bound == 0.0:  # without friction the direction of sliding does not count
        return g_n, 0.0, 0.0, SLIDE if g_n > 0.0 else OPEN
    return g_n, bound * y_1 / r, bound * y_2 / r, SLIDE


@inner
def disc_stiffness(y_n, y_1, y_2, bound, e_n, e_t):
    """G = dP/dy E^-1 as (nn, n1, n2, 11, 12, 22): symmetric, positive semidefinite [N s / (m/s)]."""
    nn = 1.0 / e_n if y_n > 0.0 else 0.0
    r = np.sqrt(y_1 * y_1 + y_2 * y_2)
    if r <= bound:
        return nn, 0.0, 0.0, 1.0 / e_t, 0.0, 1.0 / e_t
    if bound == 0.0:
        return nn, 0.0, 0.0, 0.0, 0.0, 0.0
    t_1, t_2 = y_1 / r, y_2 / r
    turn = bound / (r * e_t)  # the force turns with the direction of sliding
    return nn, 0.0, 0.0, turn * t_2 * t_2, -turn * t_1 * t_2, turn * t_1 * t_1


@njit(cache=True, nogil=True, error_model="numpy")
def softened_disc_stiffness(y_n, y_1, y_2, bound, e_n, e_t, width):
    """As `disc_stiffness`, and nowhere less, with its jumps spread over `width` [N s]."""
    nn = part_closed(y_n, width) / e_n
    r = np.sqrt(y_1 * y_1 + y_2 * y_2)
    if r <= bound:
        return nn, 0.0, 0.0, 1.0 / e_t, 0.0, 1.0 / e_t
    if bound == 0.0:
        return nn, 0.0, 0.0, 0.0, 0.0, 0.0
    t_1, t_2 = y_1 / r, y_2 / r
    along = part_closed(bound - r, width) / e_t
    turn = max(bound / (r * e_t), along)
    return (
        nn,
        0.0,
        0.0,
        along * t_1 * t_1 + turn * t_2 * t_2,
        (along - turn) * t_1 * t_2,
        along * t_2 * t_2 + turn * t_1 * t_1,
    )
