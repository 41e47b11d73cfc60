"""The global stiffness matrix K = G k G^T, assembled for the block Cholesky factor or applied to a vector."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.linalg.cholesky import pair_of
from nscd_engine.kernels.quasistatic.balance import add_motion, add_wrench


@inner
def without_coupling(D, E):
    """E (6, 6) = the symmetric part of a tangent D: without the change of friction with the normal force."""
    for i in range(6):
        for j in range(6):
            pressing = (i == 0 or i > 3) != (j == 0 or j > 3)
            E[i, j] = 0.0 if pressing else D[i, j]


@inner
def carried(contacts, c, side, H):
    """H (6, 6): motion of the contact in its frame, for unit displacements of the element on one side."""
    unit, column = np.zeros(6), np.empty(6)
    for k in range(6):
        unit[k] = 1.0
        column[:] = 0.0
        add_motion(contacts, c, side, unit, 1.0, column)
        for i in range(6):
            H[i, k] = column[i]
        unit[k] = 0.0


@inner
def product(H, E, J, block, work):
    """block (6, 6) = H^T E J; work (6, 6)."""
    for i in range(6):
        for j in range(6):
            total = 0.0
            for k in range(6):
                total += E[i, k] * J[k, j]
            work[i, j] = total
    for i in range(6):
        for j in range(6):
            total = 0.0
            for k in range(6):
                total += H[k, i] * work[k, j]
            block[i, j] = total


@inner
def add_upper(factor, at, stride, block):
    """Upper half of a block added to the diagonal block that begins at `at`."""
    for i in range(6):
        for k in range(i, 6):
            factor[at + i * stride + k] += block[i, k]


@njit(cache=True, nogil=True, error_model="numpy")
def assemble(contacts, free, tangent, ground, sym, factor):
    """K without friction's coupling, plus `ground` (N, 6, 6), in the panels of its factor; free (B,): -1 if held."""
    factor[:] = 0.0
    for i in range(ground.shape[0]):
        add_upper(factor, sym.diagonal[i], sym.diagonal_stride[i], ground[i])
    E, H, J = np.empty((6, 6)), np.empty((6, 6)), np.empty((6, 6))
    block, work = np.empty((6, 6)), np.empty((6, 6))
    for c in range(contacts.body.shape[0]):
        a, b = free[contacts.body[c, 0]], free[contacts.body[c, 1]]
        without_coupling(tangent[c], E)
        carried(contacts, c, 0, H)
        carried(contacts, c, 1, J)
        if a >= 0:
            product(H, E, H, block, work)
            add_upper(factor, sym.diagonal[a], sym.diagonal_stride[a], block)
        if b >= 0:
            product(J, E, J, block, work)
            add_upper(factor, sym.diagonal[b], sym.diagonal_stride[b], block)
        if a >= 0 and b >= 0:
            product(H, E, J, block, work)
            slot = pair_of(sym.pair_start, sym.other, a, b)
            at, stride = sym.pair[slot], sym.stride[slot]
            turned = sym.flip[slot] != (a > b)
            for i in range(6):
                for k in range(6):
                    factor[at + i * stride + k] -= block[k, i] if turned else block[i, k]


@njit(cache=True, nogil=True, error_model="numpy")
def apply(contacts, free, tangent, ground, x, y):
    """y = K x with friction's coupling, plus `ground` (N, 6, 6); x, y (N, 6)."""
    for i in range(x.shape[0]):
        for k in range(6):
            total = 0.0
            for j in range(6):
                total += ground[i, k, j] * x[i, j]
            y[i, k] = total
    d, S = np.empty(6), np.empty(6)
    for c in range(contacts.body.shape[0]):
        a, b = free[contacts.body[c, 0]], free[contacts.body[c, 1]]
        d[:] = 0.0
        if a >= 0:
            add_motion(contacts, c, 0, x[a], -1.0, d)
        if b >= 0:
            add_motion(contacts, c, 1, x[b], 1.0, d)
        for i in range(6):
            S[i] = 0.0
            for j in range(6):
                S[i] += tangent[c, i, j] * d[j]
        if a >= 0:
            add_wrench(contacts, c, 0, S, -1.0, y[a])
        if b >= 0:
            add_wrench(contacts, c, 1, S, 1.0, y[b])
