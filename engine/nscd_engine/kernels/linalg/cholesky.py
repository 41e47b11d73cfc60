"""Multifrontal Cholesky with dense panels (Duff & Reid 1983; Liu 1992), blocks of 6 x 6: A = R^T R.

The panel of a supernode holds its pivot rows of R, p = 6 width rows of n = 6 (width + height) numbers; the matrix is
assembled directly into it. Its update matrix, (6 height) x (6 height), is added to the front of the parent; it is
stored in an arena at an offset known in advance. Only the upper triangles of both are used. Pivots are eliminated six
at a time. Functions on parts of the factor take (array, offset, stride): see tile.py.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.core.monitor import LOOKS, STOP
from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.linalg.blas import subtract_gram
from nscd_engine.kernels.linalg.tile import add_rows, lanes, set_product, subtract_product

#: The compiler may reorder sums (the same order in every run and for any number of threads), but NaN and infinity
#: propagate.
FAST = {"reassoc", "contract", "nsz", "arcp"}
#: Columns of a block of the factorisation [-], a multiple of 6 and 8. Larger: a block does not fit in the first cache.
#: Smaller: it is loaded more often.
BLOCK = 48
#: Products of so many terms [-] and columns [-] or more are left to BLAS. Larger: large fronts take longer. Smaller:
#: the calls take longer than they save.
THICK, WIDE = 48, 96
#: Rows of one such product [-]. Larger: more numbers below the diagonal, which are not used. Smaller: more calls.
STRIP = 96


class Symbolic(NamedTuple):
    """Structure of the factor of a body graph: S supernodes, N bodies. Valid while the same pairs of bodies touch."""

    order: np.ndarray  # (N,): body of every block row, in elimination order
    first: np.ndarray  # (S + 1,): first block column of every supernode
    row_start: np.ndarray  # (S + 1,): into rows, position
    rows: np.ndarray  # block rows below the pivots of every supernode
    position: np.ndarray  # of those rows in the front of the parent
    child_start: np.ndarray  # (S + 1,): into child
    child: np.ndarray  # children of every supernode, in ascending order
    panel_start: np.ndarray  # (S + 1,): into the factor [numbers]
    update_start: np.ndarray  # (S,): into the arena [numbers]
    arena: int  # size of the arena [numbers], which has room for 6 of every entry of `rows` too
    schedule: np.ndarray  # (S,): supernodes by task
    task_start: np.ndarray  # (T + 1,): into schedule; the last task waits for all others, which are independent
    diagonal: np.ndarray  # (N,): offset of the block of every body in the factor
    diagonal_stride: np.ndarray  # (N,)
    pair_start: np.ndarray  # (N + 1,): into other, pair, stride, flip: pairs of every body with bodies of larger number
    other: np.ndarray  # (K,): those bodies, in ascending order
    pair: np.ndarray  # (K,): offset of the block of every pair of bodies in the factor
    stride: np.ndarray  # (K,): length of the rows of that panel
    flip: np.ndarray  # (K,) bool: the block is transposed, because the body of larger number is eliminated first


@inner
def pair_of(pair_start, other, a, b):
    """Row of the pair of bodies a, b in the structure, -1 if it is not there."""
    low, high = min(a, b), max(a, b)
    first, end = pair_start[low], pair_start[low + 1]
    last = end
    while first < last:
        middle = (first + last) // 2
        if other[middle] < high:
            first = middle + 1
        else:
            last = middle
    return first if first < end and other[first] == high else -1


@inner
def factor_pivots(P, k, inverse):
    """R of the block P[k:k+6, k:k+6] in place, R^-T (lower) into `inverse` (36,); False if it is indefinite."""
    for i in range(6):
        for j in range(i + 1):
            total = P[k + j, k + i]
            for q in range(j):
                total -= P[k + q, k + i] * P[k + q, k + j]
            if j < i:
                P[k + j, k + i] = total * inverse[7 * j]
            else:
                if not total > 0.0:
                    return False
                root = np.sqrt(total)
                P[k + i, k + i] = root
                inverse[7 * i] = 1.0 / root
    for j in range(6):
        for i in range(j + 1, 6):
            total = 0.0
            for q in range(j, i):
                total += P[k + q, k + i] * inverse[6 * q + j]
            inverse[6 * i + j] = -total * inverse[7 * i]
    return True


@inner
def subtract_rows(C, c, row, low, factor, at, n, q_0, q_1, i_0, i_1):
    """C[i, j] -= sum of R[q, i] R[q, j] over q_0 <= q < q_1, for i_0 <= i < i_1, i <= j < n; R is at offset `at`.

    The first column of C is `low`. Columns before the diagonal are not used: a row may begin among them to have a whole
    number of vectors.
    """
    start = at + q_0 * n
    if q_1 - q_0 >= THICK and n - i_0 >= WIDE:
        for i in range(i_0, i_1, STRIP):
            rows, corner = min(STRIP, i_1 - i), start + i
            subtract_gram(C, c + i * row + i, row, factor, corner, corner, n, q_1 - q_0, rows, n - i)
        return
    for j_1 in range(n, i_0, -BLOCK):
        j_0 = max(j_1 - BLOCK, i_0)
        for i in range(i_0, min(i_1, j_1), 6):
            j = max(i, j_0)
            if j == i:
                before = -(j_1 - j) % lanes(C)
                if j - before >= low:
                    j -= before
            subtract_product(C, c + i * row + j, row, factor, start + i, 1, n, factor, start + j, n, q_1 - q_0, j_1 - j)


@inner
def must_stop(signal):
    """Look at the signal (2,) of a monitor. Two threads may count a look as one: the number is only shown."""
    signal[LOOKS] += 1
    return signal[STOP] != 0


@inner
def factor_panel(P, factor, at, inverse, signal):
    """Eliminate the pivots of a panel P (p, n) at offset `at` in the factor; `inverse` (36,) is working memory."""
    p, n = P.shape
    for first in range(0, p, BLOCK):
        if must_stop(signal):
            return False
        last = min(first + BLOCK, p)
        if first > 0:
            subtract_rows(factor, at, n, 0, factor, at, n, 0, first, first, last)
        for k in range(first, last, 6):
            if k > first:
                subtract_rows(factor, at, n, 0, factor, at, n, first, k, k, k + 6)
            if not factor_pivots(P, k, inverse):
                return False
            right = at + k * n + k + 6
            set_product(factor, right, n, inverse, 0, 6, 1, factor, right, n, 6, n - k - 6)
    return True


@inner
def add_child(position, first, last, factor, at, p, n, arena, below, update):
    """Add the update of a child, at offset `update` in the arena, to the front of its parent.

    The front is the panel of p rows of n at offset `at` in the factor, and the update at offset `below` in the arena.
    The rows of the child are rows position[first:last] of the front.
    """
    h, g = n - p, 6 * (last - first)
    for i in range(first, last):
        row, j = 6 * position[i], i
        while j < last:
            end = j + 1  # columns that are adjacent in the parent too
            while end < last and position[end] == position[end - 1] + 1:
                end += 1
            column, count, source = 6 * position[j], 6 * (end - j), update + 6 * (i - first) * g + 6 * (j - first)
            if row < p:
                add_rows(factor, at + row * n + column, n, arena, source, g, count)
            else:
                add_rows(arena, below + (row - p) * h + column - p, h, arena, source, g, count)
            j = end


@inner
def subtract_update(arena, below, factor, at, p, n, signal):
    """Subtract the products of a panel from its update; False if it had to stop. Thick ones take long: by strips."""
    h = n - p
    rows = STRIP if p >= THICK else max(h, 1)
    for i in range(p, n, rows):
        if must_stop(signal):
            return False
        subtract_rows(arena, below - p * h - p, h, p, factor, at, n, 0, p, i, min(i + rows, n))
    return True


@njit(cache=True, nogil=True)
def factor_tasks(sym, factor, arena, first, last, signal):
    """Factor the supernodes of tasks first:last, after their children in other tasks.

    Returns -1, or the supernode that failed or was at work when the signal (2,) of a monitor told to stop.
    """
    inverse = np.zeros(36, factor.dtype)
    start, row_start, position, child = sym.first, sym.row_start, sym.position, sym.child
    for s in sym.schedule[sym.task_start[first] : sym.task_start[last]]:
        p, h = 6 * (start[s + 1] - start[s]), 6 * (row_start[s + 1] - row_start[s])
        at, below, n = sym.panel_start[s], sym.update_start[s], p + h
        arena[below : below + h * h] = 0.0
        for k in range(sym.child_start[s], sym.child_start[s + 1]):
            c = child[k]
            add_child(position, row_start[c], row_start[c + 1], factor, at, p, n, arena, below, sym.update_start[c])
        if not factor_panel(factor[at : at + p * n].reshape((p, n)), factor, at, inverse, signal):
            return s
        if not subtract_update(arena, below, factor, at, p, n, signal):
            return s
    return -1
