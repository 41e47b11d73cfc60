"""P-SPG-FB: spectral projected gradient, diagonal preconditioning, fall-back (Heyn, Anitescu, Tasora, Negrut 2013).

    min over the cones of  f(g) = 1/2 g.Ng + r.g,   N = J M^-1 J^T + E,   gradient  y = N g + r = u + bias + E g

The preconditioner is one number per contact, so that the projection on the cone stays the one in the plain norm.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.solvers.friction_cone import project
from nscd_engine.kernels.solvers.operators import generalised_impulse, relative_velocity

#: Past values of f that a step may not all exceed (non-monotone line search of Grippo, Lampariello and Lucidi).
MEMORY = 10
#: Share of the decrease predicted by the slope that a step must reach.
ARMIJO = 1e-4
#: Bounds of the Barzilai-Borwein step, relative to the preconditioner: outside them the curvature is rounding.
STEP_MIN, STEP_MAX = 1e-8, 1e8
#: Entries of the `state` of a descent: length of the next step, count of steps, value of f over that at the start.
STEP, COUNT, LAST = 0, 1, 2


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
    """d = P_K(g - step y / scale) - g into d (C, 3); return y.d and the squared length of d in the scale."""
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
    """Longest of 1, 1/2, 1/4, ... that lowers f under the greatest of `values`; f is quadratic along the line."""
    t = 1.0
    ceiling = values.max()
    for _ in range(30):
        if last + t * slope + 0.5 * t * t * curvature <= ceiling + ARMIJO * t * slope:
            break
        t *= 0.5
    return t


@njit(cache=True, nogil=True)
def descend(problem, inverse_inertia, scale, steps, floor, g, y, values, state):
    """At most `steps` steps from g (C, 3) with gradient y (C, 3), both in place.

    Stops when the projected step with the plain preconditioner is shorter than `floor` (in the norm of the scale).
    Returns the number of steps done.
    """
    d = np.empty_like(g)
    for done in range(steps):
        slope, length = direction(problem.friction, scale, 1.0, g, y, d)
        if length <= floor * floor:
            return done
        slope, length = direction(problem.friction, scale, state[STEP], g, y, d)
        if length == 0.0:
            return done
        # y.d <= -|d|^2 / step of any projection: near the end rounding of the larger y.d hides it
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
        # the two Barzilai-Borwein lengths in turn
        even = int(state[COUNT]) % 2 == 0
        ratio = length / max(curvature, 1e-300) if even else curvature / max(across, 1e-300)
        state[STEP] = min(max(ratio, STEP_MIN), STEP_MAX)
    return steps
