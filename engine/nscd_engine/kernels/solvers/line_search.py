"""Exact line search (docs/methods.md, section 2.2).

The slope of a convex function along a line is monotone: its root is bracketed and found by a safeguarded Newton
iteration.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.solvers.friction_cone import OPEN, project, stiffness
from nscd_engine.kernels.solvers.friction_disc import disc_stiffness, project_on_disc

#: Slope at which the search ends, over its value at the start [-]. Smaller: more passes over the contacts for hardly
#: fewer factorisations. Larger: more factorisations.
SLOPE_LEFT = 0.05
#: Most passes over the contacts [-]; then the lower end of the bracket is taken. Smaller: short steps at kinks. Larger:
#: only rounding is resolved.
MOST_PASSES = 40


@inner
def contact_slope(friction, work, alpha, first, last):
    """First and second derivative of the sum of l_c over contacts first:last, at u + alpha du along du."""
    e, target, u, du, bound = work.e, work.target, work.u, work.du, work.bound
    slope = curvature = 0.0
    for c in range(first, last):
        e_n, e_t, mu = e[c, 0], e[c, 1], friction[c]
        d_n, d_1, d_2 = du[c, 0], du[c, 1], du[c, 2]
        y_n = (target[c, 0] - u[c, 0] - alpha * d_n) / e_n
        y_1 = (target[c, 1] - u[c, 1] - alpha * d_1) / e_t
        y_2 = (target[c, 2] - u[c, 2] - alpha * d_2) / e_t
        if bound[c] < 0.0:
            g_n, g_1, g_2, state = project(y_n, y_1, y_2, mu, e_n, e_t)
            if state == OPEN:
                continue
            nn, n1, n2, a11, a12, a22 = stiffness(y_n, y_1, y_2, g_n, state, mu, e_n, e_t)
        else:
            g_n, g_1, g_2, state = project_on_disc(y_n, y_1, y_2, bound[c])
            nn, n1, n2, a11, a12, a22 = disc_stiffness(y_n, y_1, y_2, bound[c], e_n, e_t)
        slope -= g_n * d_n + g_1 * d_1 + g_2 * d_2
        curvature += nn * d_n * d_n + a11 * d_1 * d_1 + a22 * d_2 * d_2
        curvature += 2.0 * (n1 * d_n * d_1 + n2 * d_n * d_2 + a12 * d_1 * d_2)
    return slope, curvature


@inner
def exact_step(friction, work, inertial_slope, inertial_curvature, slope_0):
    """Step alpha with |slope(alpha)| <= SLOPE_LEFT |slope_0|; the slope is the sum of inertia and contacts."""
    low, high = 0.0, np.inf
    alpha = 1.0
    for _ in range(MOST_PASSES):
        slope, curvature = contact_slope(friction, work, alpha, 0, work.u.shape[0])
        slope += inertial_slope + alpha * inertial_curvature
        curvature += inertial_curvature
        if abs(slope) <= SLOPE_LEFT * abs(slope_0):
            return alpha
        low, high, alpha = next_step(low, high, alpha, slope, curvature)
    return low if low > 0.0 else alpha


@njit(cache=True, nogil=True, error_model="numpy")
def next_step(low, high, alpha, slope, curvature):
    """Bracket of the root and next step, after the slope and the curvature at alpha are known."""
    if slope < 0.0:
        low = alpha
    else:
        high = alpha
    following = alpha - slope / curvature
    if high == np.inf:
        alpha = min(max(following, 1.5 * alpha), 10.0 * alpha)
    elif low < following < high:
        alpha = following
    else:
        alpha = 0.5 * (low + high)
    return low, high, alpha
