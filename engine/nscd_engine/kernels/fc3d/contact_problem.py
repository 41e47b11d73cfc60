"""Frictional contact with a given Delassus matrix W:  u = W r + q,  r in K  perp  u + mu |u_t| n in K^*."""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.solvers.friction_cone import project


class ContactProblem(NamedTuple):
    """W as rows of 3 x 3 blocks; C contacts, components (n, t1, t2)."""

    row_start: np.ndarray  # (C + 1,) int32: blocks of row c are row_start[c]:row_start[c + 1]
    column: np.ndarray  # (blocks,) int32: sorted within a row; the pattern is symmetric
    block: np.ndarray  # [1/kg] (blocks, 3, 3)
    diagonal: np.ndarray  # [1/kg] (C, 3, 3): copy of the blocks W_cc
    q: np.ndarray  # [m/s] (C, 3): velocity without impulses
    friction: np.ndarray  # [-] (C,)


@inner
def velocity(problem, r, c):
    """Three numbers u_c = (W r + q)_c."""
    u0, u1, u2 = problem.q[c, 0], problem.q[c, 1], problem.q[c, 2]
    for k in range(problem.row_start[c], problem.row_start[c + 1]):
        w = problem.block[k]
        j = problem.column[k]
        r0, r1, r2 = r[j, 0], r[j, 1], r[j, 2]
        u0 += w[0, 0] * r0 + w[0, 1] * r1 + w[0, 2] * r2
        u1 += w[1, 0] * r0 + w[1, 1] * r1 + w[1, 2] * r2
        u2 += w[2, 0] * r0 + w[2, 1] * r1 + w[2, 2] * r2
    return u0, u1, u2


@njit(cache=True, nogil=True)
def residual(problem, r):
    """|r - P_K(r - (u + mu |u_t| n))| / |q|, Euclidean norms over all contacts, as in published results.

    The step of the natural map is 1 in the units of the problem. The residual is comparable with published values, but
    not with the residual of a structure.
    """
    square = scale = 0.0
    for c in range(len(r)):
        u0, u1, u2 = velocity(problem, r, c)
        mu = problem.friction[c]
        u0 += mu * np.sqrt(u1 * u1 + u2 * u2)
        p0, p1, p2, _ = project(r[c, 0] - u0, r[c, 1] - u1, r[c, 2] - u2, mu, 1.0, 1.0)
        square += (r[c, 0] - p0) ** 2 + (r[c, 1] - p1) ** 2 + (r[c, 2] - p2) ** 2
        scale += problem.q[c, 0] ** 2 + problem.q[c, 1] ** 2 + problem.q[c, 2] ** 2
    return np.sqrt(square / scale) if scale > 0.0 else np.sqrt(square)
