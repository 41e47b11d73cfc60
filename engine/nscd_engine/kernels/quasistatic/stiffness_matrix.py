"""The global stiffness matrix K = G k G^T: for its block Cholesky factor, as blocks of contacts, or times a vector."""

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
    """H (6, 6): motion of the contact in its frame, for unit displacements of the element on one side: T^T B^T."""
    r, f = contacts.arm[c, side], contacts.frame[c]
    for k in range(3):
        x, y, z = f[k, 0], f[k, 1], f[k, 2]
        H[k, 0], H[k, 1], H[k, 2] = x, y, z
        H[k, 3], H[k, 4], H[k, 5] = r[1] * z - r[2] * y, r[2] * x - r[0] * z, r[0] * y - r[1] * x
        H[3 + k, 0] = H[3 + k, 1] = H[3 + k, 2] = 0.0
        H[3 + k, 3], H[3 + k, 4], H[3 + k, 5] = x, y, z


@inner
def product(H, E, J, sign, block):
    """block (m, m) = sign H^T E J for H, J (6, m); most of E is zero."""
    block[:] = 0.0
    m = block.shape[0]
    for i in range(6):
        for j in range(6):
            e = sign * E[i, j]
            if e != 0.0:
                for a in range(m):
                    h = e * H[i, a]
                    for b in range(m):
                        block[a, b] += h * J[j, b]


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
    block = np.empty((6, 6))
    for c in range(contacts.body.shape[0]):
        a, b = free[contacts.body[c, 0]], free[contacts.body[c, 1]]
        without_coupling(tangent[c], E)
        carried(contacts, c, 0, H)
        carried(contacts, c, 1, J)
        if a >= 0:
            product(H, E, H, 1.0, block)
            add_upper(factor, sym.diagonal[a], sym.diagonal_stride[a], block)
        if b >= 0:
            product(J, E, J, 1.0, block)
            add_upper(factor, sym.diagonal[b], sym.diagonal_stride[b], block)
        if a >= 0 and b >= 0:
            product(H, E, J, 1.0, block)
            slot = pair_of(sym.pair_start, sym.other, a, b)
            at, stride = sym.pair[slot], sym.stride[slot]
            turned = sym.flip[slot] != (a > b)
            for i in range(6):
                for k in range(6):
                    factor[at + i * stride + k] -= block[k, i] if turned else block[i, k]


@njit(cache=True, nogil=True, error_model="numpy")
def contact_blocks(contacts, tangent, axes, blocks):
    """Parts pp, pq, qp, qq of K of every contact, `blocks` (C, 4, m, m), in the directions `axes` (6, m)."""
    H, m = np.empty((6, 6)), axes.shape[1]
    p, q = np.empty((6, m)), np.empty((6, m))
    for c in range(contacts.body.shape[0]):
        for side, part in ((0, p), (1, q)):
            carried(contacts, c, side, H)
            for i in range(6):
                for a in range(m):
                    part[i, a] = 0.0
                    for k in range(6):
                        part[i, a] += H[i, k] * axes[k, a]
        product(p, tangent[c], p, 1.0, blocks[c, 0])
        product(p, tangent[c], q, -1.0, blocks[c, 1])
        product(q, tangent[c], p, -1.0, blocks[c, 2])
        product(q, tangent[c], q, 1.0, blocks[c, 3])


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
