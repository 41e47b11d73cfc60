"""A Cholesky factor packed for many solves: single precision, tiles in the order in which they are read.

For methods that correct velocities by a solve and compute the residual in double precision: rounding of the solve does
not limit their accuracy, and half the memory is read. A strip of pivot rows of R is stored as the inverse of its
triangle and the negative of the part to the right, so that a solve only adds products and needs no division. The tiles
(padded_tile.py) of a body are contiguous: first those of the triangle of its strip, then those to the right.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numba.extending import register_jitable

from nscd_engine.kernels.jit import inner, merged
from nscd_engine.kernels.linalg.padded_tile import ROWS, TILE, WIDTH, add_collected, add_spread, set_collected
from nscd_engine.kernels.linalg.tile import set_product, subtract_product

#: Bodies of a strip, whose triangle of R is inverted [-]. Larger: rounding of the inverse grows. Smaller: more strips.
BODIES = 4
#: Pivots of a strip [-].
STRIP = 6 * BODIES
#: Numbers that are read beyond the last row of the last tile [-].
SLACK = WIDTH - ROWS


class Packed(NamedTuple):
    """The factor of M + J^T R J for a `Symbolic`."""

    start: np.ndarray  # (S,): into values
    values: np.ndarray  # float32


def packed_size(sym):
    """Offset of every supernode (S,) in a packed factor, and the length of the factor."""
    size = TILE * tiles(np.diff(sym.first), np.diff(sym.row_start))
    end = np.cumsum(size)
    return end - size, (int(end[-1]) if len(end) else 0) + SLACK


@register_jitable
def tiles(width, height):
    """Number of tiles of a supernode of `width` bodies with `height` below."""
    return width * (width + 1) // 2 + width * height


@inner
def invert_block(factor, at, n, inverse, to):
    """Inverse of the upper triangle of a block of 6 x 6 at offset `at` into inverse[to:to + 36], by rows."""
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
    """Inverse of an upper triangle (m, m), m up to STRIP, at offset `at` of a panel, into scratch[:m * m].

    Solves x R = 1 for six rows at a time, block by block; known blocks are subtracted from the following ones. After
    STRIP * STRIP numbers the scratch has the inverses of the diagonal blocks, and one more block.
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
            subtract_product(scratch, i * m + right, m, scratch, x, m, 1, factor, at + k * n + right, n, 6, m - right)


@merged
def put_tile(values, at, sign, numbers, first, stride):
    """Copy `sign` times a tile from offset `first`, rows `stride` apart, to offset `at` of values.

    A row is read before it is written.
    """
    for i in range(ROWS):
        row, x = values[at + ROWS * i : at + ROWS * (i + 1)], numbers[first + stride * i : first + stride * i + ROWS]
        a, b, c, d, e, f = x[0], x[1], x[2], x[3], x[4], x[5]
        row[0], row[1], row[2], row[3], row[4], row[5] = sign * a, sign * b, sign * c, sign * d, sign * e, sign * f


@njit(cache=True, nogil=True, error_model="numpy")
def pack_factor(sym, factor, packed, low, high):
    """Fill `packed` from the panels of `factor`, of supernodes low:high."""
    scratch, values = np.empty(STRIP * STRIP + 6 * STRIP + 36, factor.dtype), packed.values
    one = np.ones(1, factor.dtype)[0]
    if high == sym.first.shape[0] - 1:
        values[-SLACK:] = 0.0
    for s in range(low, high):
        p = 6 * (sym.first[s + 1] - sym.first[s])
        n = p + 6 * (sym.row_start[s + 1] - sym.row_start[s])
        panel, at = sym.panel_start[s], packed.start[s]
        for k in range(0, p, STRIP):
            m = min(STRIP, p - k)
            corner = panel + k * (n + 1)
            invert_triangle(factor, corner, n, m, scratch)
            for j in range(0, m, 6):
                for i in range(j, m, 6):
                    put_tile(values, at, one, scratch, m * j + i, m)
                    at += TILE
            for j in range(0, m, 6):
                for i in range(m, n - k, 6):
                    put_tile(values, at, -one, factor, corner + n * j + i, n)
                    at += TILE


@merged
def forward_panel(sym, packed, s, x, y):
    """The part of supernode s in `forward`."""
    last, r_0, r_1 = sym.first[s + 1], sym.row_start[s], sym.row_start[s + 1]
    at = packed.start[s]
    for k in range(sym.first[s], last, BODIES):
        end = min(k + BODIES, last)
        for i in range(WIDTH * (end - k)):
            y[i], x[WIDTH * k + i] = x[WIDTH * k + i], 0.0
        for q in range(k, end):
            add_spread(packed.values, at, y, q - k, x, q, end, sym.rows, 0, 0)
            at += TILE * (end - q)
        for q in range(k, end):
            add_spread(packed.values, at, x, q, x, end, last, sym.rows, r_0, r_1)
            at += TILE * (last - end + r_1 - r_0)


@merged
def forward(sym, packed, x, y):
    """Solve L y = x in place; x (WIDTH N,) in elimination order; y is working memory."""
    for s in range(sym.first.shape[0] - 1):
        forward_panel(sym, packed, s, x, y)


@merged
def backward_panel(sym, packed, s, x):
    """The part of supernode s in `backward`."""
    first, last, r_0, r_1 = sym.first[s], sym.first[s + 1], sym.row_start[s], sym.row_start[s + 1]
    before = packed.start[s] + TILE * tiles(last - first, r_1 - r_0)
    for k in range(first + (last - first - 1) // BODIES * BODIES, first - 1, -BODIES):
        end = min(k + BODIES, last)
        beside = last - end + r_1 - r_0
        before -= TILE * tiles(end - k, beside)
        at = before + TILE * tiles(end - k, 0)
        for q in range(k, end):
            add_collected(packed.values, at, x, end, last, sym.rows, r_0, r_1, q)
            at += TILE * beside
        at = before
        for q in range(k, end):  # the bodies after q are not changed yet
            set_collected(packed.values, at, x, q, end, sym.rows, 0, 0, q)
            at += TILE * (end - q)


@merged
def backward(sym, packed, x):
    """Solve L^T y = x in place."""
    for s in range(sym.first.shape[0] - 2, -1, -1):
        backward_panel(sym, packed, s, x)


@merged
def solve_packed(sym, packed, x, y):
    """x = A^-1 x, single precision: WIDTH numbers of every body in elimination order, the last two 0.

    y (WIDTH * BODIES,) is working memory.
    """
    forward(sym, packed, x, y)
    backward(sym, packed, x)
