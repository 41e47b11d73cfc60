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
#: Share of the change of the opening that is taken over in an iteration [-]: all of it goes round in circles.
OPENING_SHARE = 0.4


@inner
def renew_contact(R, mu, e_n, e_t, u_n, u_1, u_2, g_n, g_1, g_2, y_n, y_1, y_2):
    """New gamma and y of a contact that moves by u."""
    z_n = g_n - R * (RELAXATION * u_n + (1.0 - RELAXATION) * y_n)
    z_1 = g_1 - R * (RELAXATION * u_1 + (1.0 - RELAXATION) * y_1)
    z_2 = g_2 - R * (RELAXATION * u_2 + (1.0 - RELAXATION) * y_2)
    g_n, g_1, g_2, _ = project(z_n / e_n, z_1 / e_t, z_2 / e_t, mu, e_n, e_t)
    return g_n, g_1, g_2, (g_n - z_n) / R, (g_1 - z_1) / R, (g_2 - z_2) / R


@inner
def renew_all(pairs, compliance, bias, hardness, coulomb, first, v, opening, gamma, y, acting, g):
    """New gamma, y and opening of all contacts for velocities v, and what acted; pushes the bodies in -g.

    At a point s from the centroid of b, body b moves against a with V + W x s; d is from the centroid of a to that of
    b. Returns the sum of how far what acted was from gamma [N s].
    """
    missed = 0.0
    for q in range(pairs.slot.shape[0]):
        a, b, c = pairs.body[q, 0], pairs.body[q, 1], pairs.start[q]
        d_0 = pairs.arm[c, 0, 0] - pairs.arm[c, 1, 0]
        d_1 = pairs.arm[c, 0, 1] - pairs.arm[c, 1, 1]
        d_2 = pairs.arm[c, 0, 2] - pairs.arm[c, 1, 2]
        V_0 = V_1 = V_2 = W_0 = W_1 = W_2 = 0.0
        if b >= 0:
            V_0, V_1, V_2, W_0, W_1, W_2 = v[b, 0], v[b, 1], v[b, 2], v[b, 3], v[b, 4], v[b, 5]
        if a >= 0:
            p, r, s = v[a, 3], v[a, 4], v[a, 5]
            V_0 -= v[a, 0] + r * d_2 - s * d_1
            V_1 -= v[a, 1] + s * d_0 - p * d_2
            V_2 -= v[a, 2] + p * d_1 - r * d_0
            W_0, W_1, W_2 = W_0 - p, W_1 - r, W_2 - s
        f_0 = f_1 = f_2 = m_0 = m_1 = m_2 = 0.0  # force, and moment about the centroid of b
        for c in range(pairs.start[q], pairs.start[q + 1]):
            s_0, s_1, s_2 = pairs.arm[c, 1, 0], pairs.arm[c, 1, 1], pairs.arm[c, 1, 2]
            x_0, x_1, x_2 = V_0 + W_1 * s_2 - W_2 * s_1, V_1 + W_2 * s_0 - W_0 * s_2, V_2 + W_0 * s_1 - W_1 * s_0
            f, mu, R = pairs.frame[c], pairs.friction[c], hardness[c]
            u_n = f[0, 0] * x_0 + f[0, 1] * x_1 + f[0, 2] * x_2 + bias[c, 0]
            u_1 = f[1, 0] * x_0 + f[1, 1] * x_1 + f[1, 2] * x_2 + bias[c, 1]
            u_2 = f[2, 0] * x_0 + f[2, 1] * x_1 + f[2, 2] * x_2 + bias[c, 2]
            if first:  # there is no y yet
                slip_1, slip_2 = u_1 + compliance[c, 1] * gamma[c, 1], u_2 + compliance[c, 1] * gamma[c, 2]
                opening[c] = mu * np.sqrt(slip_1 * slip_1 + slip_2 * slip_2) if coulomb else 0.0
                y[c, 0], y[c, 1], y[c, 2] = u_n + opening[c], u_1, u_2
            u_n += opening[c]
            acting[c, 0] = gamma[c, 0] + R * (y[c, 0] - u_n)
            acting[c, 1] = gamma[c, 1] + R * (y[c, 1] - u_1)
            acting[c, 2] = gamma[c, 2] + R * (y[c, 2] - u_2)
            missed += abs(acting[c, 0] - gamma[c, 0])
            missed += abs(acting[c, 1] - gamma[c, 1]) + abs(acting[c, 2] - gamma[c, 2])
            g_n, g_1, g_2, y_n, y_1, y_2 = renew_contact(
                R, mu, 1.0 + R * compliance[c, 0], 1.0 + R * compliance[c, 1], u_n, u_1, u_2,
                gamma[c, 0], gamma[c, 1], gamma[c, 2], y[c, 0], y[c, 1], y[c, 2],
            )  # fmt: skip
            q_n, q_1, q_2 = g_n + R * (y_n - u_n), g_1 + R * (y_1 - u_1), g_2 + R * (y_2 - u_2)
            wider = opening[c]
            if coulomb:
                slip_1, slip_2 = y_1 + compliance[c, 1] * g_1, y_2 + compliance[c, 1] * g_2
                wider += OPENING_SHARE * (mu * np.sqrt(slip_1 * slip_1 + slip_2 * slip_2) - opening[c])
            gamma[c, 0], gamma[c, 1], gamma[c, 2] = g_n, g_1, g_2
            y[c, 0], y[c, 1], y[c, 2] = y_n + wider - opening[c], y_1, y_2
            opening[c] = wider
            x_0 = f[0, 0] * q_n + f[1, 0] * q_1 + f[2, 0] * q_2
            x_1 = f[0, 1] * q_n + f[1, 1] * q_1 + f[2, 1] * q_2
            x_2 = f[0, 2] * q_n + f[1, 2] * q_1 + f[2, 2] * q_2
            f_0, f_1, f_2 = f_0 + x_0, f_1 + x_1, f_2 + x_2
            m_0, m_1, m_2 = m_0 + s_1 * x_2 - s_2 * x_1, m_1 + s_2 * x_0 - s_0 * x_2, m_2 + s_0 * x_1 - s_1 * x_0
        if b >= 0:
            add(g, b, -1.0, f_0, f_1, f_2, m_0, m_1, m_2)
        if a >= 0:
            m_0, m_1, m_2 = m_0 + d_1 * f_2 - d_2 * f_1, m_1 + d_2 * f_0 - d_0 * f_2, m_2 + d_0 * f_1 - d_1 * f_0
            add(g, a, 1.0, f_0, f_1, f_2, m_0, m_1, m_2)
    return missed


@inner
def add(g, i, sign, f_0, f_1, f_2, m_0, m_1, m_2):
    g[i, 0] += sign * f_0
    g[i, 1] += sign * f_1
    g[i, 2] += sign * f_2
    g[i, 3] += sign * m_0
    g[i, 4] += sign * m_1
    g[i, 5] += sign * m_2


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
        missed = renew_all(pairs, compliance, bias, hardness, coulomb, k == 0, v, opening, gamma, y, acting, g)
        if k > 0 and (missed <= tolerance * count or k == most):
            return k
        solve(sym, factor, g, d)
        for i in range(v.shape[0]):
            for m in range(6):
                v[i, m] -= d[i, m]
    return most
