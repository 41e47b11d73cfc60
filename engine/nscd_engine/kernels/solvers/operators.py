"""Operators of the contact problem: J v, J^T gamma, mobility.

All take a `core.structs.Problem` with N free bodies and C contacts.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner


@njit(cache=True, nogil=True)
def inverse_inertia(problem):
    """Inverse of the inertia of every free body [1/(kg m2)] (N, 3, 3)."""
    inverse = np.empty_like(problem.inertia)
    for i in range(problem.mass.shape[0]):
        a = problem.inertia[i]
        c00 = a[1, 1] * a[2, 2] - a[1, 2] * a[1, 2]
        c01 = a[0, 2] * a[1, 2] - a[0, 1] * a[2, 2]
        c02 = a[0, 1] * a[1, 2] - a[0, 2] * a[1, 1]
        det = a[0, 0] * c00 + a[0, 1] * c01 + a[0, 2] * c02
        inverse[i, 0, 0] = c00 / det
        inverse[i, 1, 1] = (a[0, 0] * a[2, 2] - a[0, 2] * a[0, 2]) / det
        inverse[i, 2, 2] = (a[0, 0] * a[1, 1] - a[0, 1] * a[0, 1]) / det
        inverse[i, 0, 1] = inverse[i, 1, 0] = c01 / det
        inverse[i, 0, 2] = inverse[i, 2, 0] = c02 / det
        inverse[i, 1, 2] = inverse[i, 2, 1] = (a[0, 1] * a[0, 2] - a[0, 0] * a[1, 2]) / det
    return inverse


@njit(cache=True, nogil=True)
def mobility(problem, inverse):
    """w_c = trace(W_cc) / 3 [m/s / (N s)] (C,): mean velocity at a contact per unit impulse."""
    w, lightness = np.zeros(problem.body.shape[0]), 1.0 / problem.mass
    for c in range(w.shape[0]):
        for side in range(2):
            i = problem.body[c, side]
            if i < 0:
                continue
            x, y, z = problem.arm[c, side, 0], problem.arm[c, side, 1], problem.arm[c, side, 2]
            k = inverse[i]  # trace([r]^T K [r]) = (y^2 + z^2) K_xx + ... - 2 (x y K_xy + ...)
            spin = (y * y + z * z) * k[0, 0] + (x * x + z * z) * k[1, 1] + (x * x + y * y) * k[2, 2]
            spin -= 2.0 * (x * y * k[0, 1] + x * z * k[0, 2] + y * z * k[1, 2])
            w[c] += lightness[i] + spin / 3.0
    return w


@inner
def point_velocity(v, arm):
    """v + w x arm [m/s] of a body with velocity v (6,), as three numbers."""
    return (
        v[0] + v[4] * arm[2] - v[5] * arm[1],
        v[1] + v[5] * arm[0] - v[3] * arm[2],
        v[2] + v[3] * arm[1] - v[4] * arm[0],
    )


@inner
def contact_velocity(problem, velocity, c):
    """J_c v [m/s] of contact c: velocity of b relative to a at the contact point, three numbers in world axes."""
    x = y = z = 0.0
    for side in range(2):
        i = problem.body[c, side]
        if i < 0:
            continue
        sign = 2.0 * side - 1.0
        p, q, s = point_velocity(velocity[i], problem.arm[c, side])
        x += sign * p
        y += sign * q
        z += sign * s
    return x, y, z


@njit(cache=True, nogil=True)
def relative_velocity(problem, velocity):
    """u = J v [m/s] (C, 3): velocity of b relative to a at the contact points, in the contact frames.

    Two kernels compute the same with another rounding, on which their results depend to the last bit:
    `hessian.relative_velocities` for grouped contacts, `delassus.relative_velocity` for one contact with known levers.
    A test compares the three.
    """
    u = np.empty((problem.body.shape[0], 3))
    for c in range(u.shape[0]):
        x, y, z = contact_velocity(problem, velocity, c)
        for k in range(3):
            u[c, k] = problem.frame[c, k, 0] * x + problem.frame[c, k, 1] * y + problem.frame[c, k, 2] * z
    return u


@inner
def generalised_impulse(problem, impulses):
    """J^T gamma [N s, N m s] (N, 6): resultant of the contact impulses (C, 3) on every free body, at its centroid."""
    wrench = np.zeros((problem.mass.shape[0], 6))
    for c in range(impulses.shape[0]):
        f, g = problem.frame[c], impulses[c]
        x = f[0, 0] * g[0] + f[1, 0] * g[1] + f[2, 0] * g[2]
        y = f[0, 1] * g[0] + f[1, 1] * g[1] + f[2, 1] * g[2]
        z = f[0, 2] * g[0] + f[1, 2] * g[1] + f[2, 2] * g[2]
        for side in range(2):
            i = problem.body[c, side]
            if i < 0:
                continue
            sign = 2.0 * side - 1.0
            r = problem.arm[c, side]
            wrench[i, 0] += sign * x
            wrench[i, 1] += sign * y
            wrench[i, 2] += sign * z
            wrench[i, 3] += sign * (r[1] * z - r[2] * y)
            wrench[i, 4] += sign * (r[2] * x - r[0] * z)
            wrench[i, 5] += sign * (r[0] * y - r[1] * x)
    return wrench


@njit(cache=True, nogil=True)
def velocity_after(problem, impulses, inverse):
    """v = v_free + M^-1 J^T gamma [m/s, rad/s] (N, 6); `inverse` (N, 3, 3) as of `inverse_inertia`."""
    wrench = generalised_impulse(problem, impulses)
    velocity = problem.v_free.copy()
    for i in range(velocity.shape[0]):
        for k in range(3):
            velocity[i, k] += wrench[i, k] / problem.mass[i]
            for m in range(3):
                velocity[i, 3 + k] += inverse[i, k, m] * wrench[i, 3 + m]
    return velocity
