"""Gradient and Hessian of the primal problem (docs/methods.md, section 2), one touching pair of bodies at a time.

    minimise 1/2 |v - v_free|_M^2 + sum_c l_c,   y = (target - J v) / e,   gamma = P(y)
    gradient  g = M (v - v_free) - J^T gamma,    Hessian  H = M + J^T G J

e = C + eps w is the compliance of a contact, target = eps w gamma_k - bias. With gamma_k = 0 this is the regularised
problem; with gamma_k the impulses of the round before it is a step of the method of multipliers (proximal point).
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner, merged
from nscd_engine.kernels.solvers.friction_cone import project, softened_stiffness, stiffness
from nscd_engine.kernels.solvers.friction_disc import disc_stiffness, project_on_disc, softened_disc_stiffness


class GroupedContacts(NamedTuple):
    """Contacts of a problem, grouped by the pair of bodies they join: Q pairs, C contacts in grouped order."""

    body: np.ndarray  # (Q, 2): free bodies a, b; -1 for supports
    start: np.ndarray  # (Q + 1,): contacts of pair q are start[q]:start[q + 1]
    slot: np.ndarray  # (Q,): row among the pairs of two free bodies, -1 if one is a support
    contact: np.ndarray  # (C,): row of every grouped contact in the problem
    arm: np.ndarray  # [m] (C, 2, 3)
    frame: np.ndarray  # (C, 3, 3)
    friction: np.ndarray  # [-] (C,)
    w: np.ndarray  # [m/s / (N s)] (C,): mobility, trace(W_cc) / 3


class Work(NamedTuple):
    """Arrays that Newton iterations read and write. C contacts in grouped order, N bodies."""

    e: np.ndarray  # [m/(N s)] (C, 2): compliance, normal and tangential
    target: np.ndarray  # [m/s] (C, 3): y = (target - u) / e
    u: np.ndarray  # [m/s] (C, 3): relative velocity J v
    du: np.ndarray  # [m/s] (C, 3): J d
    gamma: np.ndarray  # [N s] (C, 3): impulse P(y)
    state: np.ndarray  # (C,) int8: OPEN, STICK or SLIDE
    bound: np.ndarray  # [N s] (C,): greatest friction where Tresca's law holds; negative: the friction cone
    G: np.ndarray  # [N s/(m/s)] (C, 6): stiffness -dgamma/du as (nn, n1, n2, 11, 12, 22)
    v: np.ndarray  # [m/s, rad/s] (N, 6): velocity, counted from a base
    g: np.ndarray  # [N s, N m s] (N, 6): gradient
    d: np.ndarray  # [m/s, rad/s] (N, 6): Newton direction
    factor: np.ndarray  # panels of the Hessian, then of its Cholesky factor
    arena: np.ndarray  # updates between supernodes


@njit(cache=True, nogil=True)
def relative_velocities(grouped, v, u):
    """u = J v [m/s] (C, 3) of grouped contacts, in their frames.

    `operators.relative_velocity` computes the same in the order of the problem, with another rounding; the order of the
    sums here decides the last bits of Newton's method. A test compares the two.
    """
    velocities_of_pairs(grouped, v, u, 0, grouped.slot.shape[0])


@inner
def velocities_of_pairs(grouped, v, u, first, last):
    """u = J v of the contacts of pairs first:last."""
    zero = np.zeros(6)
    for q in range(first, last):
        a, b = grouped.body[q, 0], grouped.body[q, 1]
        p = v[a] if a >= 0 else zero
        n = v[b] if b >= 0 else zero
        for c in range(grouped.start[q], grouped.start[q + 1]):
            r, s, f = grouped.arm[c, 0], grouped.arm[c, 1], grouped.frame[c]
            x = n[0] - p[0] + n[4] * s[2] - n[5] * s[1] - p[4] * r[2] + p[5] * r[1]
            y = n[1] - p[1] + n[5] * s[0] - n[3] * s[2] - p[5] * r[0] + p[3] * r[2]
            z = n[2] - p[2] + n[3] * s[1] - n[4] * s[0] - p[3] * r[1] + p[4] * r[0]
            for k in range(3):
                u[c, k] = f[k, 0] * x + f[k, 1] * y + f[k, 2] * z


@njit(cache=True, nogil=True, error_model="numpy")
def project_all(friction, work):
    """gamma = P((target - u) / e) of all contacts, their state, and G = -dgamma/du, into `work`; `friction` (C,)."""
    project_some(friction, work, 0, work.u.shape[0])


@inner
def project_some(friction, work, first, last):
    """`project_all` for contacts first:last."""
    e, target, u, gamma, state, G = work.e, work.target, work.u, work.gamma, work.state, work.G
    bound = work.bound
    for c in range(first, last):
        e_n, e_t = e[c, 0], e[c, 1]
        y_n, y_1, y_2 = (target[c, 0] - u[c, 0]) / e_n, (target[c, 1] - u[c, 1]) / e_t, (target[c, 2] - u[c, 2]) / e_t
        if bound[c] < 0.0:
            gamma[c, 0], gamma[c, 1], gamma[c, 2], state[c] = project(y_n, y_1, y_2, friction[c], e_n, e_t)
            nn, n1, n2, a11, a12, a22 = stiffness(y_n, y_1, y_2, gamma[c, 0], state[c], friction[c], e_n, e_t)
        else:
            gamma[c, 0], gamma[c, 1], gamma[c, 2], state[c] = project_on_disc(y_n, y_1, y_2, bound[c])
            nn, n1, n2, a11, a12, a22 = disc_stiffness(y_n, y_1, y_2, bound[c], e_n, e_t)
        G[c, 0], G[c, 1], G[c, 2], G[c, 3], G[c, 4], G[c, 5] = nn, n1, n2, a11, a12, a22


@njit(cache=True, nogil=True, error_model="numpy")
def soften(friction, work, width):
    """G of all contacts with its jumps spread over `width` [N s], into `work`; `friction` (C,)."""
    e, target, u, gamma, bound, G = work.e, work.target, work.u, work.gamma, work.bound, work.G
    for c in range(u.shape[0]):
        e_n, e_t = e[c, 0], e[c, 1]
        y_n, y_1, y_2 = (target[c, 0] - u[c, 0]) / e_n, (target[c, 1] - u[c, 1]) / e_t, (target[c, 2] - u[c, 2]) / e_t
        if bound[c] < 0.0:
            stiff = softened_stiffness(y_n, y_1, y_2, gamma[c, 0], friction[c], e_n, e_t, width)
        else:
            stiff = softened_disc_stiffness(y_n, y_1, y_2, bound[c], e_n, e_t, width)
        G[c, 0], G[c, 1], G[c, 2], G[c, 3], G[c, 4], G[c, 5] = stiff


@njit(cache=True, nogil=True)
def subtract_impulses(grouped, gamma, g):
    """g -= J^T gamma: g (N, 6) [N s, N m s], gamma (C, 3) [N s] in grouped order."""
    subtract_pairs(grouped, gamma, g, 0, g.shape[0], np.arange(grouped.slot.shape[0]))


@inner
def subtract_pairs(grouped, gamma, g, low, high, rows):
    """The impulses of the pairs `rows` subtracted from g, for those of their bodies that are in low:high.

    The loop is in here: handing the arrays to a function of one pair takes longer than the sums of the pair.
    """
    arm, frame = grouped.arm, grouped.frame
    for q in rows:
        a, b = grouped.body[q, 0], grouped.body[q, 1]
        x = y = z = l_x = l_y = l_z = 0.0  # force and moment about the centroid of b (of a, if b is a support)
        side = 1 if b >= 0 else 0
        for c in range(grouped.start[q], grouped.start[q + 1]):
            f, m, r = frame[c], gamma[c], arm[c, side]
            f_x = f[0, 0] * m[0] + f[1, 0] * m[1] + f[2, 0] * m[2]
            f_y = f[0, 1] * m[0] + f[1, 1] * m[1] + f[2, 1] * m[2]
            f_z = f[0, 2] * m[0] + f[1, 2] * m[1] + f[2, 2] * m[2]
            x += f_x
            y += f_y
            z += f_z
            l_x += r[1] * f_z - r[2] * f_y
            l_y += r[2] * f_x - r[0] * f_z
            l_z += r[0] * f_y - r[1] * f_x
        if low <= b < high:
            add_wrench(g[b], -x, -y, -z, -l_x, -l_y, -l_z)
        if low <= a < high:
            if b >= 0:  # moment about the centroid of a: the force acts d = c_b - c_a away
                r, s = arm[grouped.start[q], 0], arm[grouped.start[q], 1]
                d_x, d_y, d_z = r[0] - s[0], r[1] - s[1], r[2] - s[2]
                l_x += d_y * z - d_z * y
                l_y += d_z * x - d_x * z
                l_z += d_x * y - d_y * x
            add_wrench(g[a], x, y, z, l_x, l_y, l_z)


@merged
def add_wrench(g, x, y, z, l_x, l_y, l_z):
    """A force and a moment added to g (6,)."""
    g[0] += x
    g[1] += y
    g[2] += z
    g[3] += l_x
    g[4] += l_y
    g[5] += l_z


@njit(cache=True, nogil=True)
def inertial_gradient(problem, v, g):
    """g = M (v - v_free)."""
    inertia_of_bodies(problem, v, g, 0, v.shape[0])


@inner
def inertia_of_bodies(problem, v, g, low, high):
    """g = M (v - v_free) of bodies low:high."""
    for i in range(low, high):
        for k in range(3):
            g[i, k] = problem.mass[i] * (v[i, k] - problem.v_free[i, k])
        for k in range(3):
            total = 0.0
            for m in range(3):
                total += problem.inertia[i, k, m] * (v[i, 3 + m] - problem.v_free[i, 3 + m])
            g[i, 3 + k] = total


@inner
def subtract_block(factor, at, stride, g, p, q, X):
    """factor -= sum R [1 -[r]]^T [1 -[s]], for the 6 x 6 block that begins at `at`, rows `stride` apart.

    Moments of R: g = sum R, p = sum R r, q = sum R s, X = sum R r s^T.
    """
    (p_x, p_y, p_z), (q_x, q_y, q_z) = p, q
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = X
    i = at
    factor[i] -= g
    factor[i + 4] -= q_z  # - [s]
    factor[i + 5] += q_y
    i += stride
    factor[i + 1] -= g
    factor[i + 3] += q_z
    factor[i + 5] -= q_x
    i += stride
    factor[i + 2] -= g
    factor[i + 3] -= q_y
    factor[i + 4] += q_x
    i += stride
    factor[i + 1] += p_z  # [r], and [r] [s]^T = r . s - s r^T
    factor[i + 2] -= p_y
    factor[i + 3] -= yy + zz
    factor[i + 4] += yx
    factor[i + 5] += zx
    i += stride
    factor[i] -= p_z
    factor[i + 2] += p_x
    factor[i + 3] += xy
    factor[i + 4] -= xx + zz
    factor[i + 5] += zy
    i += stride
    factor[i] += p_y
    factor[i + 1] -= p_x
    factor[i + 3] += xz
    factor[i + 4] += yz
    factor[i + 5] -= xx + yy


@merged
def add_stiffness(G, f, r, K):
    """K += J_c^T G_c J_c of one contact: rows 0 to 2 of columns 0 to 2, rows 3 to 5 of the lower triangle.

    G (6,) as in `Work`, f (3, 3) the frame of the contact, r (3,) its arm.
    """
    nn, n1, n2, a11, a12, a22 = G[0], G[1], G[2], G[3], G[4], G[5]
    for k in range(3):  # column k of G in world axes: W = F^T G F, and its moment [r] W
        n, s, t = f[0, k], f[1, k], f[2, k]
        g_n, g_s, g_t = nn * n + n1 * s + n2 * t, n1 * n + a11 * s + a12 * t, n2 * n + a12 * s + a22 * t
        x = f[0, 0] * g_n + f[1, 0] * g_s + f[2, 0] * g_t
        y = f[0, 1] * g_n + f[1, 1] * g_s + f[2, 1] * g_t
        z = f[0, 2] * g_n + f[1, 2] * g_s + f[2, 2] * g_t
        K[0, k] += x
        K[1, k] += y
        K[2, k] += z
        m_x, m_y, m_z = r[1] * z - r[2] * y, r[2] * x - r[0] * z, r[0] * y - r[1] * x
        K[3, k] += m_x
        K[4, k] += m_y
        K[5, k] += m_z
        # [r] W [r]^T = sum_k (column k of [r] W) (column k of [r])^T
        if k == 0:
            r_0, r_1, r_2 = 0.0, r[2], -r[1]
        elif k == 1:
            r_0, r_1, r_2 = -r[2], 0.0, r[0]
        else:
            r_0, r_1, r_2 = r[1], -r[0], 0.0
        K[3, 3] += m_x * r_0
        K[4, 3] += m_y * r_0
        K[5, 3] += m_z * r_0
        K[4, 4] += m_y * r_1
        K[5, 4] += m_z * r_1
        K[5, 5] += m_z * r_2


@merged
def pair_stiffness(grouped, G, q, side, K):
    """K (6, 6) = sum of J_c^T G_c J_c over the contacts of pair q, for a motion of the body on `side`."""
    K[:] = 0.0
    # Contacts that stick have the same stiffness in every direction: W = g 1 in any frame, and the moments of g
    # suffice.
    g = g_x = g_y = g_z = g_xx = g_xy = g_xz = g_yy = g_yz = g_zz = 0.0
    for c in range(grouped.start[q], grouped.start[q + 1]):
        nn = G[c, 0]
        if nn == 0.0 and G[c, 3] == 0.0 and G[c, 5] == 0.0:  # open
            continue
        r = grouped.arm[c, side]
        if not (nn == G[c, 3] and nn == G[c, 5] and G[c, 1] == 0.0 and G[c, 2] == 0.0 and G[c, 4] == 0.0):
            add_stiffness(G[c], grouped.frame[c], r, K)
            continue
        x, y, z = nn * r[0], nn * r[1], nn * r[2]
        g += nn
        g_x += x
        g_y += y
        g_z += z
        g_xx += x * r[0]
        g_xy += x * r[1]
        g_xz += x * r[2]
        g_yy += y * r[1]
        g_yz += y * r[2]
        g_zz += z * r[2]
    p = -g_x, -g_y, -g_z
    Q = (-g_xx, -g_xy, -g_xz), (-g_xy, -g_yy, -g_yz), (-g_xz, -g_yz, -g_zz)
    subtract_block(K.reshape(36), 0, 6, -g, p, p, Q)
    for i in range(3):
        for k in range(3):
            K[k, 3 + i] = K[3 + i, k]
    K[3, 4], K[3, 5], K[4, 5] = K[4, 3], K[5, 3], K[5, 4]


@merged
def shift_rows(K, x, y, z, S):
    """S = T K: rows of K about another centroid, d = (x, y, z) from that to this one; T = [[1, 0], [[d], 1]]."""
    for k in range(6):
        S[0, k], S[1, k], S[2, k] = K[0, k], K[1, k], K[2, k]
        S[3, k] = K[3, k] + y * K[2, k] - z * K[1, k]
        S[4, k] = K[4, k] + z * K[0, k] - x * K[2, k]
        S[5, k] = K[5, k] + x * K[1, k] - y * K[0, k]


@merged
def shift_columns(S, x, y, z, R):
    """R = S T^T, T as in `shift_rows`."""
    for i in range(6):
        R[i, 0], R[i, 1], R[i, 2] = S[i, 0], S[i, 1], S[i, 2]
        R[i, 3] = S[i, 3] + y * S[i, 2] - z * S[i, 1]
        R[i, 4] = S[i, 4] + z * S[i, 0] - x * S[i, 2]
        R[i, 5] = S[i, 5] + x * S[i, 1] - y * S[i, 0]


@njit(cache=True, nogil=True)
def assemble(problem, grouped, G, sym, factor):
    """Hessian M + J^T G J, written into the panels of its factor; upper half in elimination order."""
    factor[:] = 0.0
    count = problem.mass.shape[0]
    add_masses(problem, sym, factor, 0, count)
    add_pairs(grouped, G, sym, factor, 0, count, np.arange(grouped.slot.shape[0]))


@inner
def add_masses(problem, sym, factor, low, high):
    """Masses and inertias of bodies low:high added to their diagonal blocks."""
    for i in range(low, high):
        at, stride = sym.diagonal[i], sym.diagonal_stride[i]
        for k in range(3):
            factor[at + k * stride + k] += problem.mass[i]
            for m in range(k, 3):
                factor[at + (3 + k) * stride + 3 + m] += problem.inertia[i, k, m]


@inner
def add_pairs(grouped, G, sym, factor, low, high, rows):
    """The stiffness of the pairs `rows` added to the diagonal blocks of their bodies in low:high, and to the block that
    couples two bodies if the first of them is there. The loop is in here for the reason of `subtract_pairs`, and what
    it calls is inlined in any case: left to the compiler, it takes up to three times as long.
    """
    K, S, R = np.empty((6, 6)), np.empty((6, 6)), np.empty((6, 6))
    for q in rows:
        a, b = grouped.body[q, 0], grouped.body[q, 1]
        pair_stiffness(grouped, G, q, 1 if b >= 0 else 0, K)
        if low <= b < high:
            add_diagonal(factor, sym.diagonal[b], sym.diagonal_stride[b], K)
        if not low <= a < high:
            continue
        if b < 0:
            add_diagonal(factor, sym.diagonal[a], sym.diagonal_stride[a], K)
            continue
        r, s = grouped.arm[grouped.start[q], 0], grouped.arm[grouped.start[q], 1]
        x, y, z = r[0] - s[0], r[1] - s[1], r[2] - s[2]
        shift_rows(K, x, y, z, S)  # couples a (rows) with b (columns)
        slot = grouped.slot[q]
        subtract_coupling(factor, sym.pair[slot], sym.stride[slot], sym.flip[slot] != (a > b), S)
        shift_columns(S, x, y, z, R)  # T K T^T acts on a
        add_diagonal(factor, sym.diagonal[a], sym.diagonal_stride[a], R)


@merged
def subtract_coupling(factor, at, stride, turned, S):
    """S (6, 6) subtracted from the block that begins at `at`, rows `stride` apart; S^T if `turned`."""
    if turned:
        for i in range(6):
            for k in range(6):
                factor[at + i * stride + k] -= S[k, i]
    else:
        for i in range(6):
            for k in range(6):
                factor[at + i * stride + k] -= S[i, k]


@merged
def add_diagonal(factor, at, stride, K):
    """Upper half of K (6, 6) added to the diagonal block that begins at `at`."""
    for i in range(6):
        for k in range(i, 6):
            factor[at + i * stride + k] += K[i, k]
