"""Symmetric matrices of 6 x 6 blocks by rows: products, the inverses of their diagonal blocks, conjugate gradients.

Of a diagonal block only the upper half is stored; a block beside the diagonal is stored once, for both of its rows.
A function works on rows low:high, for one thread.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.linalg.cholesky import FAST


class BlockRows(NamedTuple):
    """Where the blocks of every row are. N rows, K blocks above the diagonal."""

    start: np.ndarray  # (N + 1,) int64: into column, block and turned
    column: np.ndarray  # (2 K,) int64
    block: np.ndarray  # (2 K,) int64: its number; blocks of the diagonal come first
    turned: np.ndarray  # (2 K,) bool: the block is stored for the other row


class Iterate(NamedTuple):
    """State of conjugate gradients, all (N, 6)."""

    x: np.ndarray  # solution so far
    r: np.ndarray  # b - A x
    z: np.ndarray  # preconditioned r
    p: np.ndarray  # direction
    q: np.ndarray  # A p


@njit(cache=True, nogil=True)
def block_rows(pair_start, other):
    """Fields of BlockRows for a matrix whose diagonal blocks come first, then those of sorted pairs a < b."""
    count = pair_start.shape[0] - 1
    start = np.zeros(count + 1, np.int64)
    for a in range(count):
        for k in range(pair_start[a], pair_start[a + 1]):
            start[a + 1] += 1
            start[other[k] + 1] += 1
    for a in range(count):
        start[a + 1] += start[a]
    place, size = start[:-1].copy(), 2 * other.shape[0]
    column, block, turned = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.bool_)
    for a in range(count):
        for k in range(pair_start[a], pair_start[a + 1]):
            b = other[k]
            for i, j in ((a, b), (b, a)):
                at = place[i]
                column[at], block[at], turned[at] = j, count + k, i > j
                place[i] += 1
    return start, column, block, turned


@njit(cache=True, nogil=True, error_model="numpy")
def invert_diagonal(blocks, inverse, low, high):
    """Inverses (N, 6, 6) of the diagonal blocks; False if one is not definite."""
    block = np.empty((6, 6))
    for i in range(low, high):
        for m in range(6):
            for k in range(m, 6):
                block[m, k] = block[k, m] = blocks[i, m, k]
        if not invert(block, inverse[i]):
            return False
    return True


@inner
def invert(a, inverse):
    """Inverse of a definite matrix (6, 6), which is replaced by its Cholesky factor; False if it is not definite."""
    for k in range(6):
        for i in range(k, 6):
            total = a[i, k]
            for m in range(k):
                total -= a[i, m] * a[k, m]
            if i > k:
                a[i, k] = total / a[k, k]
            elif total > 0.0:
                a[k, k] = np.sqrt(total)
            else:
                return False
    for column in range(6):
        for i in range(6):
            total = 1.0 if i == column else 0.0
            for m in range(i):
                total -= a[i, m] * inverse[m, column]
            inverse[i, column] = total / a[i, i]
        for i in range(5, -1, -1):
            total = inverse[i, column]
            for m in range(i + 1, 6):
                total -= a[m, i] * inverse[m, column]
            inverse[i, column] = total / a[i, i]
    return True


@njit(cache=True, nogil=True, fastmath=FAST)
def multiply(rows, blocks, p, q, low, high):
    """q = A p, the blocks being (N + K, 6, 6); the sum of p q over these rows."""
    total = 0.0
    for i in range(low, high):
        x, y = p[i], q[i]
        y[:] = 0.0
        for m in range(6):
            y[m] += blocks[i, m, m] * x[m]
            for k in range(m + 1, 6):
                y[m] += blocks[i, m, k] * x[k]
                y[k] += blocks[i, m, k] * x[m]
        for n in range(rows.start[i], rows.start[i + 1]):
            add_product(blocks[rows.block[n]], rows.turned[n], p[rows.column[n]], y)
        for m in range(6):
            total += x[m] * y[m]
    return total


@inner
def add_product(block, turned, x, y):
    """y += B x, B (6, 6), or its transpose."""
    if turned:
        for m in range(6):
            for k in range(6):
                y[k] += block[m, k] * x[m]
    else:
        for m in range(6):
            a, b = block[m, 0] * x[0] + block[m, 1] * x[1], block[m, 2] * x[2] + block[m, 3] * x[3]
            y[m] += a + b + (block[m, 4] * x[4] + block[m, 5] * x[5])


@njit(cache=True, nogil=True)
def step_along(state, alpha, low, high):
    """x += alpha p, r -= alpha q."""
    for i in range(low, high):
        for m in range(6):
            state.x[i, m] += alpha * state.p[i, m]
            state.r[i, m] -= alpha * state.q[i, m]


@njit(cache=True, nogil=True)
def by_diagonal(inverse, state, low, high):
    """z = D^-1 r, D the diagonal blocks."""
    for i in range(low, high):
        r, z = state.r[i], state.z[i]
        for m in range(6):
            total = 0.0
            for k in range(6):
                total += inverse[i, m, k] * r[k]
            z[m] = total


@njit(cache=True, nogil=True)
def dot(a, b, low, high):
    """Sum of a b over these rows."""
    total = 0.0
    for i in range(low, high):
        for m in range(6):
            total += a[i, m] * b[i, m]
    return total


@njit(cache=True, nogil=True)
def turn_direction(state, beta, low, high):
    """p = z + beta p."""
    for i in range(low, high):
        for m in range(6):
            state.p[i, m] = state.z[i, m] + beta * state.p[i, m]
