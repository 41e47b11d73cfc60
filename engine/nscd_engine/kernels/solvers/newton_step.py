"""One iteration of Newton's method on the primal problem (docs/methods.md, section 2), at once or in parts.

A part of pairs writes its own contacts, a part of bodies its own bodies, always in the order in which one thread would:
numbers have the same bits however many threads share the parts, which depend on the structure alone.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.solvers.friction_cone import OPEN
from nscd_engine.kernels.solvers.hessian import (
    add_masses,
    add_pairs,
    inertia_of_bodies,
    inertial_gradient,
    project_all,
    project_some,
    relative_velocities,
    subtract_impulses,
    subtract_pairs,
    velocities_of_pairs,
)
from nscd_engine.kernels.solvers.line_search import contact_slope, exact_step
from nscd_engine.kernels.solvers.residuals import greatest_impulse, greatest_of_bodies, smaller_unit


@njit(cache=True, nogil=True)
def evaluate(problem, grouped, work, unit):
    """u, gamma, state, G and gradient at work.v; greatest imbalance of a body over its `unit` (N,) [N s]."""
    relative_velocities(grouped, work.v, work.u)
    project_all(grouped.friction, work)
    inertial_gradient(problem, work.v, work.g)
    subtract_impulses(grouped, work.gamma, work.g)
    return greatest_impulse(problem, work.g, unit)


@njit(cache=True, nogil=True, error_model="numpy")
def greatest_pull(grouped, work, unit):
    """Greatest |u_t| / e of a closed contact, with u in work.du, over the smaller unit (N,) [N s] of its bodies.

    In a sliding contact gamma_n is the difference of two numbers of this size: their rounding bounds its accuracy.
    """
    worst = 0.0
    for k in range(grouped.slot.shape[0]):
        scale = smaller_unit(grouped.body[k, 0], grouped.body[k, 1], unit)
        for c in range(grouped.start[k], grouped.start[k + 1]):
            if work.state[c] != OPEN:
                worst = max(worst, (abs(work.du[c, 1]) + abs(work.du[c, 2])) / (work.e[c, 1] * scale))
    return worst


@njit(cache=True, nogil=True, error_model="numpy")
def greatest_terms(grouped, work, unit):
    """Size of the numbers whose differences are the gradient, over the smaller unit (N,) [N s] of the bodies [-].

    Times the rounding of a number it bounds what rounding leaves of the gradient: (change, sums). `change` is the
    greatest speed at a closed contact, of work.v, over its compliance: u = J v is a difference of such speeds, and
    u / e an impulse. `sums` is the greatest sum of the impulses between two bodies.
    """
    change, sums = 0.0, 0.0
    for q in range(grouped.slot.shape[0]):
        a, b = grouped.body[q, 0], grouped.body[q, 1]
        scale, total = smaller_unit(a, b, unit), 0.0
        for c in range(grouped.start[q], grouped.start[q + 1]):
            if work.state[c] != OPEN:
                speed = speed_bound(work.v, a, grouped.arm[c, 0]) + speed_bound(work.v, b, grouped.arm[c, 1])
                change = max(change, speed / (min(work.e[c, 0], work.e[c, 1]) * scale))
                total += abs(work.gamma[c, 0]) + abs(work.gamma[c, 1]) + abs(work.gamma[c, 2])
        sums = max(sums, total / scale)
    return change, sums


@inner
def speed_bound(v, body, arm):
    """Size of the terms of the velocity of a point of a body [m/s]: its greatest component of either kind."""
    if body < 0:
        return 0.0
    moved = max(abs(v[body, 0]), abs(v[body, 1]), abs(v[body, 2]))
    spin = max(abs(v[body, 3]), abs(v[body, 4]), abs(v[body, 5]))
    return moved + spin * max(abs(arm[0]), abs(arm[1]), abs(arm[2]))


@njit(cache=True, nogil=True)
def advance(problem, grouped, work, unit):
    """Exact line search along the direction in work.d, new velocity; what `evaluate` returns there."""
    slope_0, inertial_slope, inertial_curvature = inertial_terms(problem, work)
    relative_velocities(grouped, work.d, work.du)
    alpha = exact_step(grouped.friction, work, inertial_slope, inertial_curvature, slope_0)
    for i in range(work.d.shape[0]):
        for k in range(6):
            work.v[i, k] += alpha * work.d[i, k]
    return evaluate(problem, grouped, work, unit)


@njit(cache=True, nogil=True)
def inertial_terms(problem, work):
    """Slope along work.d at the start, and slope and curvature of 1/2 |v - v_free|_M^2 there."""
    slope_0 = inertial_slope = inertial_curvature = 0.0
    for i in range(work.d.shape[0]):
        for k in range(6):
            slope_0 += work.g[i, k] * work.d[i, k]
        for k in range(3):
            momentum = problem.mass[i] * work.d[i, k]
            inertial_slope += momentum * (work.v[i, k] - problem.v_free[i, k])
            inertial_curvature += momentum * work.d[i, k]
            spin = 0.0
            for m in range(3):
                spin += problem.inertia[i, k, m] * work.d[i, 3 + m]
            inertial_slope += spin * (work.v[i, 3 + k] - problem.v_free[i, 3 + k])
            inertial_curvature += spin * work.d[i, 3 + k]
    return slope_0, inertial_slope, inertial_curvature


@njit(cache=True, nogil=True)
def pairs_of_bodies(body, low, high):
    """Rows of the pairs (Q, 2) that have a body in low:high, ascending."""
    rows = np.empty(body.shape[0], np.int64)
    count = 0
    for q in range(body.shape[0]):
        if low <= body[q, 0] < high or low <= body[q, 1] < high:
            rows[count] = q
            count += 1
    return rows[:count].copy()


@njit(cache=True, nogil=True)
def project_part(grouped, work, first, last):
    """u, gamma, state and G of the contacts of pairs first:last at work.v."""
    velocities_of_pairs(grouped, work.v, work.u, first, last)
    project_some(grouped.friction, work, grouped.start[first], grouped.start[last])


@njit(cache=True, nogil=True)
def gradient_part(problem, grouped, work, unit, low, high, rows):
    """Gradient of bodies low:high, whose pairs are `rows`; the greatest imbalance of one of them over its unit [-]."""
    inertia_of_bodies(problem, work.v, work.g, low, high)
    subtract_pairs(grouped, work.gamma, work.g, low, high, rows)
    return greatest_of_bodies(problem, work.g, unit, low, high)


@njit(cache=True, nogil=True)
def direction_part(grouped, work, first, last):
    """du = J d of the contacts of pairs first:last."""
    velocities_of_pairs(grouped, work.d, work.du, first, last)


@njit(cache=True, nogil=True)
def slope_part(grouped, work, alpha, first, last):
    """First and second derivative of the sum of l_c over the contacts of pairs first:last, at u + alpha du."""
    return contact_slope(grouped.friction, work, alpha, grouped.start[first], grouped.start[last])


@njit(cache=True, nogil=True)
def assemble_part(problem, grouped, G, sym, factor, low, high, rows):
    """Blocks of the Hessian of bodies low:high, whose pairs are `rows`, added to the panels, which are 0 before."""
    add_masses(problem, sym, factor, low, high)
    add_pairs(grouped, G, sym, factor, low, high, rows)
