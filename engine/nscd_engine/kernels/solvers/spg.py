"""P-SPG-FB: spectral projected gradient, diagonal preconditioning, fall-back (docs/methods.md, section 4.3).

    min over the cones of  f(g) = 1/2 g.Ng + r.g,   N = J M^-1 J^T + E,   gradient  y = N g + r = u + bias + E g

The preconditioner is one number per contact, so that the projection on the cone is the Euclidean one.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.solvers.friction_cone import project
from nscd_engine.kernels.solvers.operators import generalised_impulse, relative_velocity

#: Past values of f whose greatest bounds the next (non-monotone line search of Grippo, Lampariello and Lucidi) [-].
#: Smaller: spectral steps are cut short. Larger: f may rise for longer.
MEMORY = 10
#: Share of the decrease predicted by the slope that a step must reach [-]. Larger: steps are cut short.
ARMIJO = 1e-4
#: Least Barzilai-Borwein step over the preconditioner [-]: below it the curvature is rounding.
STEP_MIN = 1e-8
#: Greatest Barzilai-Borwein step over the preconditioner [-]: above it the curvature is rounding.
STEP_MAX = 1e8
#: Entry of `Descent.state`: length of the next step over the preconditioner [-].
STEP = 0
#: Entry of `Descent.state`: number of steps [-].
COUNT = 1
#: Entry of `Descent.state`: value of f less that at the start of `descend` [J].
LAST = 2


class Descent(NamedTuple):
    """State of the descent, written in place. C contacts."""

    g: np.ndarray  # [N s] (C, 3): impulses
    y: np.ndarray  # [m/s] (C, 3): gradient N g + r
    values: np.ndarray  # [J] (MEMORY,): past values of f
    state: np.ndarray  # (3,): STEP, COUNT, LAST


@njit(cache=True, nogil=True)
def product(problem, inverse_inertia, g):
    """N g = J M^-1 J^T g + E g, (C, 3)."""
    wrench = generalised_impulse(problem, g)
    v = np.empty_like(wrench)
    for i in range(len(v)):
        for k in range(3):
            v[i, k] = wrench[i, k] / problem.mass[i]
            v[i, 3 + k] = (
                inverse_inertia[i, k, 0] * wrench[i, 3]
                + inverse_inertia[i, k, 1] * wrench[i, 4]
                + inverse_inertia[i, k, 2] * wrench[i, 5]
            )
    u = relative_velocity(problem, v)
    for c in range(len(u)):
        u[c, 0] += problem.compliance[c, 0] * g[c, 0]
        u[c, 1] += problem.compliance[c, 1] * g[c, 1]
        u[c, 2] += problem.compliance[c, 1] * g[c, 2]
    return u


@njit(cache=True, nogil=True)
def direction(friction, scale, step, g, y, d):
    """d = P_K(g - step y / scale) - g into d (C, 3); y.d and the squared length of d in the norm of the scale (C,)."""
    slope = length = 0.0
    for c in range(len(d)):
        a = step / scale[c]
        z0, z1, z2 = g[c, 0] - a * y[c, 0], g[c, 1] - a * y[c, 1], g[c, 2] - a * y[c, 2]
        p0, p1, p2, _ = project(z0, z1, z2, friction[c], 1.0, 1.0)
        d[c, 0], d[c, 1], d[c, 2] = p0 - g[c, 0], p1 - g[c, 1], p2 - g[c, 2]
        slope += y[c, 0] * d[c, 0] + y[c, 1] * d[c, 1] + y[c, 2] * d[c, 2]
        length += scale[c] * (d[c, 0] ** 2 + d[c, 1] ** 2 + d[c, 2] ** 2)
    return slope, length


@njit(cache=True, nogil=True)
def line_search(slope, curvature, values, last):
    """Greatest of 1, 1/2, 1/4, ... with f below the greatest of `values` (Armijo); f is quadratic along the line."""
    t = 1.0
    ceiling = values.max()
    for _ in range(30):
        if last + t * slope + 0.5 * t * t * curvature <= ceiling + ARMIJO * t * slope:
            break
        t *= 0.5
    return t


@njit(cache=True, nogil=True)
def descend(problem, inverse_inertia, scale, steps, floor, descent):
    """At most `steps` steps of a Descent, in place; the number of steps done.

    It stops when the projected step of length 1 is shorter than `floor`, in the norm of the preconditioner `scale`
    (C,).
    """
    g, y, values, state = descent
    d = np.empty_like(g)
    for done in range(steps):
        slope, length = direction(problem.friction, scale, 1.0, g, y, d)
        if length <= floor * floor:
            return done
        slope, length = direction(problem.friction, scale, state[STEP], g, y, d)
        if length == 0.0:
            return done
        # y.d <= -|d|^2 / step holds for any projection; near the end rounding of y.d hides it
        slope = min(slope, -length / state[STEP])
        nd = product(problem, inverse_inertia, d)
        curvature = across = 0.0
        for c in range(len(d)):
            for k in range(3):
                curvature += d[c, k] * nd[c, k]
                across += nd[c, k] * nd[c, k] / scale[c]
        t = line_search(slope, curvature, values, state[LAST])
        for c in range(len(d)):
            for k in range(3):
                g[c, k] += t * d[c, k]
                y[c, k] += t * nd[c, k]
        state[LAST] += t * slope + 0.5 * t * t * curvature
        state[COUNT] += 1.0
        values[int(state[COUNT]) % MEMORY] = state[LAST]
        # The two Barzilai-Borwein lengths alternate.
        even = int(state[COUNT]) % 2 == 0
        ratio = length / max(curvature, 1e-300) if even else curvature / max(across, 1e-300)
        state[STEP] = min(max(ratio, STEP_MIN), STEP_MAX)
    return steps
