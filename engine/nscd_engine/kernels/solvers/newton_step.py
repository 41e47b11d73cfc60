"""One iteration of Newton's method on the primal (METHODS M2), but for the Hessian and its factor."""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.linalg.cholesky import solve
from nscd_engine.kernels.solvers.friction_cone import OPEN
from nscd_engine.kernels.solvers.hessian import inertial_gradient, project_all, relative_velocities, subtract_impulses
from nscd_engine.kernels.solvers.line_search import exact_step
from nscd_engine.kernels.solvers.residuals import greatest_impulse, lighter


class Work(NamedTuple):
    """Memory of a solve: what the iterations read and write. C contacts in grouped order, N bodies."""

    e: np.ndarray  # [m/(N s)] (C, 2): compliance, normal and tangential
    target: np.ndarray  # [m/s] (C, 3): y = (target - u) / e
    u: np.ndarray  # [m/s] (C, 3): relative velocity J v
    du: np.ndarray  # [m/s] (C, 3): J d
    gamma: np.ndarray  # [N s] (C, 3): P(y)
    state: np.ndarray  # (C,) int8: open, stick, slide
    G: np.ndarray  # [N s/(m/s)] (C, 6): stiffness -dgamma/du
    v: np.ndarray  # [m/s, rad/s] (N, 6)
    g: np.ndarray  # [N s, N m s] (N, 6): gradient
    d: np.ndarray  # [m/s, rad/s] (N, 6): Newton direction
    factor: np.ndarray  # panels of the Hessian, then of its Cholesky factor
    arena: np.ndarray  # updates between supernodes


@njit(cache=True, nogil=True)
def evaluate(problem, pairs, work, unit):
    """u, gamma, state, G and gradient at work.v; greatest force or moment out of balance over `unit` (N,) [N s]."""
    relative_velocities(pairs, work.v, 0, pairs.slot.shape[0], work.u)
    project_all(pairs, work.e, work.target, work.u, 0, work.u.shape[0], work.gamma, work.state, work.G)
    inertial_gradient(problem, work.v, work.g)
    subtract_impulses(pairs, work.gamma, 0, pairs.slot.shape[0], work.g)
    return greatest_impulse(problem, work.g, unit)


@njit(cache=True, nogil=True, error_model="numpy")
def greatest_pull(pairs, work, unit):
    """Greatest |u_t| / e of a closed contact, with u in work.du, over the unit (N,) [N s] of the lighter of its bodies.

    In a sliding contact gamma_n is the difference of two numbers as large as that: of its last digits nothing is left.
    """
    worst = 0.0
    for k in range(pairs.slot.shape[0]):
        scale = lighter(pairs.body[k, 0], pairs.body[k, 1], unit)
        for c in range(pairs.start[k], pairs.start[k + 1]):
            if work.state[c] != OPEN:
                worst = max(worst, (abs(work.du[c, 1]) + abs(work.du[c, 2])) / (work.e[c, 1] * scale))
    return worst


@njit(cache=True, nogil=True)
def advance(problem, pairs, sym, work, unit):
    """With the factor at hand: direction, exact line search, new v and all that depends on it; as `evaluate`."""
    solve(sym, work.factor, work.g, work.d)
    slope_0 = inertial_slope = inertial_curvature = 0.0
    for i in range(work.d.shape[0]):
        for k in range(6):
            work.d[i, k] = -work.d[i, k]
            slope_0 += work.g[i, k] * work.d[i, k]
    for i in range(work.d.shape[0]):  # slope and curvature of 1/2 |v - v_free|_M^2 along d
        for k in range(3):
            momentum = problem.mass[i] * work.d[i, k]
            inertial_slope += momentum * (work.v[i, k] - problem.v_free[i, k])
            inertial_curvature += momentum * work.d[i, k]
            spin = 0.0
            for m in range(3):
                spin += problem.inertia[i, k, m] * work.d[i, 3 + m]
            inertial_slope += spin * (work.v[i, 3 + k] - problem.v_free[i, 3 + k])
            inertial_curvature += spin * work.d[i, 3 + k]
    relative_velocities(pairs, work.d, 0, pairs.slot.shape[0], work.du)
    alpha = exact_step(pairs, work.e, work.target, work.u, work.du, inertial_slope, inertial_curvature, slope_0)
    for i in range(work.d.shape[0]):
        for k in range(6):
            work.v[i, k] += alpha * work.d[i, k]
    return evaluate(problem, pairs, work, unit)
