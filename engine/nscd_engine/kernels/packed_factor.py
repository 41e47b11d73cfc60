"""A Cholesky factor packed for many solves: single precision, long rows, triangles inverted.

For methods that correct their velocities by a solve and measure what is left in double precision: rounding of the
solve then costs nothing, and half the memory is read. A strip of pivot rows of R is kept as the inverse of its triangle
and what stands beside it, so that all loops run along rows of contiguous numbers, six at a time, and no pivot waits for
a division.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from .cholesky import fast
from .inner import inner
from .tile import set_product, subtract_product

#: Pivots of which the triangle is inverted, a multiple of 6 [-].
STRIP = 24


class Packed(NamedTuple):
    """The factor of M + J^T R J for a `Symbolic`."""

    start: np.ndarray  # (S,): into values
    values: np.ndarray  # float32


def packed_size(sym):
    """Start of every supernode (S,) in a packed factor, and its length."""
    width, height = 6 * np.diff(sym.first), 6 * np.diff(sym.row_start)
    size = width * (width + height)  # no less than what the strips take
    end = np.cumsum(size)
    return end - size, int(end[-1]) if len(end) else 0


@inner
def invert_block(factor, at, n, inverse, to):
    """Inverse of the upper triangle of a block of 6 x 6, which begins at `at`, into inverse[to:to + 36] by rows."""
    for j in range(6):  # row j of the inverse: x R = e_j
        for i in range(j):
            inverse[to + 6 * j + i] = 0.0
        inverse[to + 7 * j] = 1.0 / factor[at + j * (n + 1)]
    for i in range(1, 6):
        for j in range(i):
            total = inverse[to + 7 * j] * factor[at + j * n + i]
            for q in range(j + 1, i):
                total += inverse[to + 6 * j + q] * factor[at + q * n + i]
            inverse[to + 6 * j + i] = -total * inverse[to + 7 * i]


@inner
def invert_triangle(factor, at, n, m, scratch):
    """Inverse of an upper triangle (m, m), m up to STRIP, whose rows of a panel begin at `at`; into scratch[:m * m].

    Six rows x at a time, block by block: x R = 1. What is known is taken off all that follow. After STRIP * STRIP
    numbers scratch has the inverses of the blocks on the diagonal, and one block.
    """
    blocks, product = STRIP * STRIP, STRIP * STRIP + 6 * STRIP
    for k in range(0, m, 6):
        invert_block(factor, at + k * (n + 1), n, scratch, blocks + 6 * k)
    for i in range(0, m, 6):
        for j in range(i * m, (i + 6) * m):
            scratch[j] = 0.0
        for k in range(i, m, 6):
            x = i * m + k
            if k == i:
                source = blocks + 6 * k
            else:
                set_product(scratch, product, 6, scratch, x, m, 1, scratch, blocks + 6 * k, 6, 6, 6)
                source = product
            for row in range(6):
                for column in range(6):
                    scratch[x + row * m + column] = scratch[source + 6 * row + column]
            right = k + 6
            subtract_product(
                scratch, i * m + right, m, scratch, x, m, 1, factor, at + k * n + right, n, 6, m - right
            )


@njit(cache=True, nogil=True, error_model="numpy")
def pack_factor(sym, factor, packed):
    """Fill `packed` from the panels of `factor`."""
    scratch, values = np.empty(STRIP * STRIP + 6 * STRIP + 36, factor.dtype), packed.values
    for s in range(sym.first.shape[0] - 1):
        p = 6 * (sym.first[s + 1] - sym.first[s])
        n = p + 6 * (sym.row_start[s + 1] - sym.row_start[s])
        panel, at = sym.panel_start[s], packed.start[s]
        for k in range(0, p, STRIP):
            m = min(STRIP, p - k)
            beside = n - k - m
            corner = panel + k * (n + 1)
            invert_triangle(factor, corner, n, m, scratch)
            row = values[at : at + m * m]
            for i in range(m * m):
                row[i] = scratch[i]
            at += m * m
            for j in range(m):
                row, full = values[at : at + beside], factor[corner + j * n + m : corner + j * n + m + beside]
                for i in range(beside):
                    row[i] = full[i]
                at += beside


@fast
def combine(rows, n, m, y, total):
    """total[i] = sum_j rows[j n + i] y[j] for i < n, j < m (a multiple of 6)."""
    for i in range(n):
        total[i] = 0.0
    for j in range(0, m, 6):
        a, b, c = rows[j * n : (j + 1) * n], rows[(j + 1) * n : (j + 2) * n], rows[(j + 2) * n : (j + 3) * n]
        d, e, f = rows[(j + 3) * n : (j + 4) * n], rows[(j + 4) * n : (j + 5) * n], rows[(j + 5) * n : (j + 6) * n]
        y_0, y_1, y_2, y_3, y_4, y_5 = y[j], y[j + 1], y[j + 2], y[j + 3], y[j + 4], y[j + 5]
        for i in range(n):
            total[i] += (a[i] * y_0 + b[i] * y_1 + c[i] * y_2) + (d[i] * y_3 + e[i] * y_4 + f[i] * y_5)


@fast
def dots(rows, n, m, x, total):
    """total[j] = sum_i rows[j n + i] x[i] for i < n, j < m (a multiple of 3)."""
    for j in range(0, m, 3):
        a, b, c = rows[j * n : (j + 1) * n], rows[(j + 1) * n : (j + 2) * n], rows[(j + 2) * n : (j + 3) * n]
        t_0 = t_1 = t_2 = np.float32(0.0)
        for i in range(n):
            t_0 += a[i] * x[i]
            t_1 += b[i] * x[i]
            t_2 += c[i] * x[i]
        total[j], total[j + 1], total[j + 2] = t_0, t_1, t_2


@inner
def forward(sym, packed, x, y, below):
    """Solve L y = x in place; x (6 N,) in elimination order; y, below are scratch."""
    for s in range(sym.first.shape[0] - 1):
        first, last = 6 * sym.first[s], 6 * sym.first[s + 1]
        r_0, r_1 = sym.row_start[s], sym.row_start[s + 1]
        at = packed.start[s]
        for k in range(first, last, STRIP):
            m = min(STRIP, last - k)
            own = last - k - m  # pivots of this supernode that follow
            n = own + 6 * (r_1 - r_0)
            combine(packed.values[at : at + m * m], m, m, x[k : k + m], y)
            at += m * m
            for i in range(m):
                x[k + i] = y[i]
            combine(packed.values[at : at + m * n], n, m, y, below)
            at += m * n
            for i in range(own):
                x[k + m + i] -= below[i]
            for r in range(r_0, r_1):
                to, i = 6 * sym.rows[r], own + 6 * (r - r_0)
                for a in range(6):
                    x[to + a] -= below[i + a]


@inner
def backward(sym, packed, x, y, below):
    """Solve L^T y = x in place."""
    for s in range(sym.first.shape[0] - 2, -1, -1):
        first, last = 6 * sym.first[s], 6 * sym.first[s + 1]
        r_0, r_1 = sym.row_start[s], sym.row_start[s + 1]
        height = 6 * (r_1 - r_0)
        strips = (last - first + STRIP - 1) // STRIP
        at = packed.start[s] + packed_strips(last - first, height)
        for strip in range(strips - 1, -1, -1):
            k = first + strip * STRIP
            m = min(STRIP, last - k)
            own = last - k - m
            n = own + height
            for i in range(own):
                below[i] = x[k + m + i]
            for r in range(r_0, r_1):
                to, i = 6 * sym.rows[r], own + 6 * (r - r_0)
                for a in range(6):
                    below[i + a] = x[to + a]
            at -= m * n
            dots(packed.values[at : at + m * n], n, m, below, y)
            for i in range(m):
                x[k + i] -= y[i]
            at -= m * m
            dots(packed.values[at : at + m * m], m, m, x[k : k + m], y)
            for i in range(m):
                x[k + i] = y[i]


@inner
def packed_strips(p, height):
    """Length of what the strips of a supernode take: p pivots, `height` rows below."""
    total = 0
    for k in range(0, p, STRIP):
        m = min(STRIP, p - k)
        total += m * (p - k + height)
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def solve_packed(sym, packed, b, work, x):
    """x = A^-1 b, single precision, for b, x (N, 6) in the order of the bodies; `work` (12 N + STRIP,) is scratch."""
    n = b.shape[0]
    z, below, y = work[: 6 * n], work[6 * n : 12 * n], work[12 * n : 12 * n + STRIP]
    for i in range(n):
        for k in range(6):
            z[6 * i + k] = b[sym.order[i], k]
    forward(sym, packed, z, y, below)
    backward(sym, packed, z, y, below)
    for i in range(n):
        for k in range(6):
            x[sym.order[i], k] = z[6 * i + k]
