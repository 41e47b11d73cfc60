"""The Delassus operator W = J M^-1 J^T, contact by contact. Only its 3 x 3 diagonal blocks are formed."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def levers(problem):
    """Angular part of J, (C, 2, 3, 3): rows arm x n, arm x t1, arm x t2 for bodies a (with its minus sign) and b."""
    rows = np.empty((len(problem.friction), 2, 3, 3))
    for c in range(len(rows)):
        for side in range(2):
            sign = 2.0 * side - 1.0
            x, y, z = problem.arm[c, side, 0], problem.arm[c, side, 1], problem.arm[c, side, 2]
            for k in range(3):
                e = problem.frame[c, k]
                rows[c, side, k, 0] = sign * (y * e[2] - z * e[1])
                rows[c, side, k, 1] = sign * (z * e[0] - x * e[2])
                rows[c, side, k, 2] = sign * (x * e[1] - y * e[0])
    return rows


@njit(cache=True, nogil=True)
def local_blocks(problem, lever, inverse_inertia):
    """Diagonal blocks of W [1/kg], (C, 3, 3), without the compliance."""
    blocks = np.zeros((len(problem.friction), 3, 3))
    for c in range(len(blocks)):
        for side in range(2):
            body = problem.body[c, side]
            if body < 0:
                continue
            for i in range(3):
                blocks[c, i, i] += 1.0 / problem.mass[body]
                for j in range(3):
                    s = 0.0
                    for k in range(3):
                        for m in range(3):
                            s += lever[c, side, i, k] * inverse_inertia[body, k, m] * lever[c, side, j, m]
                    blocks[c, i, j] += s
    return blocks


@njit(cache=True, nogil=True)
def relative_velocity(problem, lever, v, c):
    """u_c = J_c v [m/s], three numbers in the frame of contact c.

    `operators.relative_velocity` computes the same for all contacts without levers, with another rounding; the order
    of the sums here decides the last bits of the Gauss-Seidel sweeps. A test compares the two.
    """
    frame = problem.frame[c]
    u0 = u1 = u2 = 0.0
    for side in range(2):
        body = problem.body[c, side]
        if body < 0:
            continue
        sign = 2.0 * side - 1.0
        for k in range(3):
            x, w = sign * v[body, k], v[body, 3 + k]
            u0 += frame[0, k] * x + lever[c, side, 0, k] * w
            u1 += frame[1, k] * x + lever[c, side, 1, k] * w
            u2 += frame[2, k] * x + lever[c, side, 2, k] * w
    return u0, u1, u2


@njit(cache=True, nogil=True)
def apply_impulse(problem, lever, inverse_inertia, v, c, g0, g1, g2):
    """v += M^-1 J_c^T (g0, g1, g2), the impulse [N s] in the frame of contact c."""
    frame = problem.frame[c]
    for side in range(2):
        body = problem.body[c, side]
        if body < 0:
            continue
        a = (2.0 * side - 1.0) / problem.mass[body]
        arm = lever[c, side]
        m0 = arm[0, 0] * g0 + arm[1, 0] * g1 + arm[2, 0] * g2
        m1 = arm[0, 1] * g0 + arm[1, 1] * g1 + arm[2, 1] * g2
        m2 = arm[0, 2] * g0 + arm[1, 2] * g1 + arm[2, 2] * g2
        for k in range(3):
            v[body, k] += a * (frame[0, k] * g0 + frame[1, k] * g1 + frame[2, k] * g2)
            turn = inverse_inertia[body, k]
            v[body, 3 + k] += turn[0] * m0 + turn[1] * m1 + turn[2] * m2
