"""The packed factor of M + J^T R J, the matrix of ADMM, R of a contact being the same in every direction.

J_c^T R J_c then does not depend on the frame of the contact. Three moments of R, sum R, sum R r, sum R r r^T, give the
block of a pair of bodies, and the moments about the other centroid follow from them. Sums are in double precision,
whatever the precision of the panels. Scaled by M the matrix has eigenvalues from 1 to 1 + 6 n / c, if R = 1 / (c w) and
n contacts touch a body: single precision suffices for any number of blocks and any mass ratio.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.linalg.cholesky import factor_tasks, pair_of
from nscd_engine.kernels.linalg.packed_factor import Packed, pack_factor
from nscd_engine.kernels.solvers.hessian import subtract_block

#: Number of moments of R: sum R, sum R r (x, y, z), sum R r r^T (xx, xy, xz, yy, yz, zz).
MOMENTS = 10


class AdmmFactor(NamedTuple):
    """Arrays of a factor of M + J^T R J."""

    sym: Any  # Symbolic: structure of the factor
    panels: np.ndarray  # panels of the matrix, then of its Cholesky factor; float32, or float64 if that is not enough
    arena: np.ndarray  # updates between supernodes, of the type of the panels
    packed: Packed  # the factor as the iterations read it


@inner
def add_moments(own, i, g, p, P):
    """Add sum R, sum R r and sum R r r^T to the moments of body i in `own` (N, MOMENTS)."""
    own[i, 0] += g
    for k in range(3):
        own[i, 1 + k] += p[k]
    for k in range(6):
        own[i, 4 + k] += P[k]


@inner
def moments(penalty, arm, side, first, last):
    """Moments of R of contacts first to last - 1 about the centroid of the body on that side; `penalty` (C,) is R."""
    g = x = y = z = xx = xy = xz = yy = yz = zz = 0.0
    for c in range(first, last):
        R, r_x, r_y, r_z = penalty[c], arm[c, side, 0], arm[c, side, 1], arm[c, side, 2]
        R_x, R_y, R_z = R * r_x, R * r_y, R * r_z
        g += R
        x += R_x
        y += R_y
        z += R_z
        xx += R_x * r_x
        xy += R_x * r_y
        xz += R_x * r_z
        yy += R_y * r_y
        yz += R_y * r_z
        zz += R_z * r_z
    return g, (x, y, z), (xx, xy, xz, yy, yz, zz)


@inner
def couple(factor, at, stride, turned, g, q, Q, d):
    """Subtract the block of a pair from its moments g, q, Q about b; its moments about a, with arms r = s + d."""
    (x, y, z), (xx, xy, xz, yy, yz, zz), (d_x, d_y, d_z) = q, Q, d
    p_x, p_y, p_z = x + g * d_x, y + g * d_y, z + g * d_z
    X_xx, X_xy, X_xz = xx + d_x * x, xy + d_x * y, xz + d_x * z  # sum R r s^T = sum R s s^T + d q^T
    X_yx, X_yy, X_yz = xy + d_y * x, yy + d_y * y, yz + d_y * z
    X_zx, X_zy, X_zz = xz + d_z * x, yz + d_z * y, zz + d_z * z
    p = p_x, p_y, p_z
    if turned:
        X = (X_xx, X_yx, X_zx), (X_xy, X_yy, X_zy), (X_xz, X_yz, X_zz)
        subtract_block(factor, at, stride, g, q, p, X)
    else:
        X = (X_xx, X_xy, X_xz), (X_yx, X_yy, X_yz), (X_zx, X_zy, X_zz)
        subtract_block(factor, at, stride, g, p, q, X)
    # sum R r r^T = sum R r s^T + p d^T
    P = X_xx + p_x * d_x, X_xy + p_x * d_y, X_xz + p_x * d_z, X_yy + p_y * d_y, X_yz + p_y * d_z, X_zz + p_z * d_z
    return p, P


@inner
def add_own(problem, sym, own, factor):
    """Add the diagonal blocks: inertia, and the moments `own` (N, MOMENTS) of the contacts of every body."""
    for i in range(problem.mass.shape[0]):
        at, stride = sym.diagonal[i], sym.diagonal_stride[i]
        p = -own[i, 1], -own[i, 2], -own[i, 3]
        xx, xy, xz, yy, yz, zz = -own[i, 4], -own[i, 5], -own[i, 6], -own[i, 7], -own[i, 8], -own[i, 9]
        subtract_block(factor, at, stride, -own[i, 0], p, p, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        for k in range(3):
            factor[at + k * (stride + 1)] += problem.mass[i]
            for m in range(k, 3):
                factor[at + (3 + k) * stride + 3 + m] += problem.inertia[i, k, m]


@njit(cache=True, nogil=True, error_model="numpy")
def assemble_stiffness(problem, penalty, sym, factor):
    """M + J^T R J, `penalty` (C,) [kg] being R, written into the panels of its factor, upper half.

    Every pair of bodies that touch must be in the structure. The contacts of a pair need not be consecutive.
    """
    factor[:] = 0.0
    own = np.zeros((problem.mass.shape[0], MOMENTS))
    # Fields are looked up here: in functions called for every pair, references to them would be counted.
    body, arm, pair_start, other = problem.body, problem.arm, sym.pair_start, sym.other
    block, stride, flip = sym.pair, sym.stride, sym.flip
    start, count = 0, penalty.shape[0]
    for c in range(1, count + 1):
        a, b = body[start, 0], body[start, 1]
        if c < count and body[c, 0] == a and body[c, 1] == b:
            continue
        g, q, Q = moments(penalty, arm, 1 if b >= 0 else 0, start, c)
        add_moments(own, b if b >= 0 else a, g, q, Q)
        if a >= 0 and b >= 0:
            pair = pair_of(pair_start, other, a, b)
            r_x, r_y, r_z = arm[start, 0, 0], arm[start, 0, 1], arm[start, 0, 2]
            d = r_x - arm[start, 1, 0], r_y - arm[start, 1, 1], r_z - arm[start, 1, 2]
            p, P = couple(factor, block[pair], stride[pair], flip[pair] != (a > b), g, q, Q, d)
            add_moments(own, a, g, p, P)
        start = c
    add_own(problem, sym, own, factor)


@njit(cache=True, nogil=True, error_model="numpy")
def factorise(problem, penalty, factor):
    """Fill an AdmmFactor, on one thread; False if rounding has made the matrix indefinite.

    `penalty` (C,) [kg] is R. All pairs of free bodies that touch must be in the structure (`pair_grouping.same_pairs`).
    """
    sym = factor.sym
    assemble_stiffness(problem, penalty, sym, factor.panels)
    signal = np.zeros(2, np.int64)  # nobody tells it to stop: a motion is asked between its steps
    first = np.int64(0)  # a plain 0 is a type of its own, and `factor_tasks` compiled twice
    if factor_tasks(sym, factor.panels, factor.arena, first, sym.task_start.shape[0] - 1, signal) >= 0:
        return False
    pack_factor(sym, factor.panels, factor.packed, first, np.int64(sym.first.shape[0] - 1))
    return True
