"""A Cholesky factor packed for many solves: single precision, tiles in the order in which they are read.

For methods that correct velocities by a solve and compute the residual in double precision: rounding of the solve does
not limit their accuracy, and half the memory is read. A strip of pivot rows of R is stored as the inverse of its
triangle and the negative of the part to the right, so that a solve only adds products and needs no division. The tiles
(padded_tile.py) of a strip are contiguous: first those of its triangle, then those to the right.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner, merged
from nscd_engine.kernels.linalg.padded_tile import (
    BODIES,
    ROWS,
    TILE,
    WIDTH,
    backward_strip,
    forward_strip,
    put_tile,
)
from nscd_engine.kernels.linalg.tile import set_product, subtract_product

#: Pivots of a strip [-].
STRIP = 6 * BODIES
#: Numbers that are read beyond the last row of the last tile [-].
SLACK = WIDTH - ROWS


class Packed(NamedTuple):
    """The factor of M + J^T R J for a `Symbolic`: T strips of S supernodes."""

    strips: np.ndarray  # (S + 1,): into strip
    strip: np.ndarray  # (T + 1, 4): into values; its first body in a vector; number of its bodies; into beside
    beside: np.ndarray  # bodies to the right of every strip, where they are in a vector
    values: np.ndarray  # float32


def new_packed(sym):
    """Packed factor for a `Symbolic`, to be filled."""
    strips, strip, beside, at = [0], [], [np.empty(0, np.int64)], 0
    count = 0  # of the bodies beside
    for s in range(len(sym.first) - 1):
        last, rows = sym.first[s + 1], sym.rows[sym.row_start[s] : sym.row_start[s + 1]]
        for k in range(sym.first[s], last, BODIES):
            width = min(BODIES, last - k)
            right = np.concatenate((np.arange(k + width, last), rows))
            strip.append((at, WIDTH * k, width, count))
            beside.append(WIDTH * right)
            at += TILE * (width * (width + 1) // 2 + width * len(right))
            count += len(right)
        strips.append(len(strip))
    strip.append((at, 0, 0, count))
    values = np.empty(at + SLACK, np.float32)
    return Packed(np.array(strips), np.array(strip), np.concatenate(beside).astype(np.int64), values)


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
        panel, at = sym.panel_start[s], packed.strip[packed.strips[s], 0]
        for k in range(0, p, STRIP):
            m = min(STRIP, p - k)
            corner = panel + k * (n + 1)
            invert_triangle(factor, corner, n, m, scratch)
            for j in range(0, m, 6):
                for i in range(j, m, 6):
                    put_tile(values, at, one, scratch, m * j + i, m)
                    at += TILE
            for i in range(m, n - k, 6):
                for j in range(0, m, 6):
                    put_tile(values, at, -one, factor, corner + n * j + i, n)
                    at += TILE


@merged
def forward_panel(packed, s, x):
    """The part of supernode s in a forward substitution."""
    for k in range(packed.strips[s], packed.strips[s + 1]):
        at, body, width, begin = packed.strip[k, 0], packed.strip[k, 1], packed.strip[k, 2], packed.strip[k, 3]
        forward_strip(packed.values, at, x, body, width, packed.beside, begin, packed.strip[k + 1, 3])


@merged
def backward_panel(packed, s, x):
    """The part of supernode s in a backward substitution."""
    for k in range(packed.strips[s + 1] - 1, packed.strips[s] - 1, -1):
        at, body, width, begin = packed.strip[k, 0], packed.strip[k, 1], packed.strip[k, 2], packed.strip[k, 3]
        backward_strip(packed.values, at, x, body, width, packed.beside, begin, packed.strip[k + 1, 3])


@merged
def solve_packed(packed, x):
    """x = A^-1 x, single precision: WIDTH numbers of every body in elimination order, the last two 0."""
    supernodes = packed.strips.shape[0] - 1
    for s in range(supernodes):
        forward_panel(packed, s, x)
    for s in range(supernodes - 1, -1, -1):
        backward_panel(packed, s, x)
