"""Alternating direction method of multipliers for the step problem, with Coulomb's law updated on the way.

    y = J v + b + s n shall be admissible, s = mu |y_t| (De Saxce's opening, METHODS M3; 0 if friction is associated)
    v      minimises 1/2 |v - v_free|_M^2 - gamma . J v + 1/2 |J v + b + s n - y|_R^2: one solve with M + J^T R J
    gamma <- P(gamma - R y'),  y' the relaxed mean of J v + b + s n and the y before;  y is what P adds to that, over R

R = 1 / (c w) is the same in every direction, so that the matrix does not depend on which contacts slide or are open.
What acts on the blocks is gamma + R (y - J v - b - s n): in balance with v always, in the cones when done.
"""

import numpy as np
from numba import njit

from .assembly import inertial_gradient
from .cholesky import solve
from .cone import project
from .inner import inner

#: Over-relaxation [-], between 1 and 2.
RELAXATION = 1.6


@inner
def point_velocity(pairs, q, c, v):
    """Velocity of body b of pair q against a at contact c, world axes."""
    a, b = pairs.body[q, 0], pairs.body[q, 1]
    x = y = z = 0.0
    if b >= 0:
        n, s = v[b], pairs.arm[c, 1]
        x += n[0] + n[4] * s[2] - n[5] * s[1]
        y += n[1] + n[5] * s[0] - n[3] * s[2]
        z += n[2] + n[3] * s[1] - n[4] * s[0]
    if a >= 0:
        p, r = v[a], pairs.arm[c, 0]
        x -= p[0] + p[4] * r[2] - p[5] * r[1]
        y -= p[1] + p[5] * r[0] - p[3] * r[2]
        z -= p[2] + p[3] * r[1] - p[4] * r[0]
    return x, y, z


@inner
def push(out, sign, arm, x, y, z):
    """Add an impulse at the end of an arm to the wrench of a body."""
    out[0] += sign * x
    out[1] += sign * y
    out[2] += sign * z
    out[3] += sign * (arm[1] * z - arm[2] * y)
    out[4] += sign * (arm[2] * x - arm[0] * z)
    out[5] += sign * (arm[0] * y - arm[1] * x)


@inner
def renew_pair(pairs, q, compliance, bias, hardness, coulomb, first, v, opening, gamma, y, acting, g):
    """New gamma, y and opening of the contacts of pair q for velocities v, and what acted; pushes the bodies in -g.

    Returns the sum over the contacts of how far what acted was from gamma [N s].
    """
    a, b, missed = pairs.body[q, 0], pairs.body[q, 1], 0.0
    for c in range(pairs.start[q], pairs.start[q + 1]):
        x_0, x_1, x_2 = point_velocity(pairs, q, c, v)
        f, mu, R = pairs.frame[c], pairs.friction[c], hardness[c]
        u_n = f[0, 0] * x_0 + f[0, 1] * x_1 + f[0, 2] * x_2 + bias[c, 0]
        u_1 = f[1, 0] * x_0 + f[1, 1] * x_1 + f[1, 2] * x_2 + bias[c, 1]
        u_2 = f[2, 0] * x_0 + f[2, 1] * x_1 + f[2, 2] * x_2 + bias[c, 2]
        if first:  # there is no y yet
            opening[c] = mu * np.sqrt(u_1 * u_1 + u_2 * u_2) if coulomb else 0.0
            y[c, 0], y[c, 1], y[c, 2] = u_n + opening[c], u_1, u_2
        u_n += opening[c]
        d_n, d_1, d_2 = R * (y[c, 0] - u_n), R * (y[c, 1] - u_1), R * (y[c, 2] - u_2)
        acting[c, 0], acting[c, 1], acting[c, 2] = gamma[c, 0] + d_n, gamma[c, 1] + d_1, gamma[c, 2] + d_2
        missed += np.sqrt(d_n * d_n + d_1 * d_1 + d_2 * d_2)
        z_n = acting[c, 0] - R * y[c, 0] + (RELAXATION - 1.0) * d_n
        z_1 = acting[c, 1] - R * y[c, 1] + (RELAXATION - 1.0) * d_1
        z_2 = acting[c, 2] - R * y[c, 2] + (RELAXATION - 1.0) * d_2
        e_n, e_t = 1.0 + R * compliance[c, 0], 1.0 + R * compliance[c, 1]
        g_n, g_1, g_2, _ = project(z_n / e_n, z_1 / e_t, z_2 / e_t, mu, e_n, e_t)
        gamma[c, 0], gamma[c, 1], gamma[c, 2] = g_n, g_1, g_2
        y_n, y_1, y_2 = (g_n - z_n) / R, (g_1 - z_1) / R, (g_2 - z_2) / R
        q_n, q_1, q_2 = g_n + R * (y_n - u_n), g_1 + R * (y_1 - u_1), g_2 + R * (y_2 - u_2)
        if coulomb:
            wider = mu * np.sqrt(y_1 * y_1 + y_2 * y_2)
            y_n += wider - opening[c]
            opening[c] = wider
        y[c, 0], y[c, 1], y[c, 2] = y_n, y_1, y_2
        x_0 = f[0, 0] * q_n + f[1, 0] * q_1 + f[2, 0] * q_2
        x_1 = f[0, 1] * q_n + f[1, 1] * q_1 + f[2, 1] * q_2
        x_2 = f[0, 2] * q_n + f[1, 2] * q_1 + f[2, 2] * q_2
        if b >= 0:
            push(g[b], -1.0, pairs.arm[c, 1], x_0, x_1, x_2)
        if a >= 0:
            push(g[a], 1.0, pairs.arm[c, 0], x_0, x_1, x_2)
    return missed


@njit(cache=True, nogil=True, error_model="numpy")
def alternate(problem, pairs, sym, factor, compliance, bias, hardness, coulomb, most, tolerance, v, gamma, acting):
    """Iterate from velocities v (N, 6) and impulses gamma (C, 3), both in place; the iterations done.

    `hardness` (C,) is R, `factor` that of M + J^T R J. `acting` (C, 3) becomes what acts; it is done when that is
    closer than `tolerance` [N s] to gamma in the mean.
    """
    count = gamma.shape[0]
    g, d = np.empty_like(v), np.empty_like(v)
    y, opening = np.empty((count, 3)), np.empty(count)
    for k in range(most + 1):
        inertial_gradient(problem, v, g)
        missed = 0.0
        for q in range(pairs.slot.shape[0]):
            missed += renew_pair(
                pairs, q, compliance, bias, hardness, coulomb, k == 0, v, opening, gamma, y, acting, g
            )
        if k > 0 and (missed <= tolerance * count or k == most):
            return k
        solve(sym, factor, g, d)
        for i in range(v.shape[0]):
            for m in range(6):
                v[i, m] -= d[i, m]
    return most
