"""Multifrontal Cholesky with dense panels (Duff & Reid 1983; Liu 1992), blocks of 6 x 6, row-major.

The panel of a supernode holds its pivot columns, n = 6 (width + height) rows of p = 6 width numbers; the matrix is
assembled straight into it. What it passes on to its parent is the update, (6 height) x (6 height), kept in an arena at
a place known beforehand. All inner loops are dot products of contiguous rows, three by three: 9 sums stay in registers.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from .inner import inner

#: Rounding may be reordered (same order every time, whatever the threads), but NaN and infinity keep their meaning.
FAST = {"reassoc", "contract", "nsz", "arcp"}
#: Columns factored at a time [-]; their triangle is inverted, so that the rest is products only.
STRIP = 24

fast = njit(
    nogil=True, error_model="numpy", fastmath=FAST, no_cpython_wrapper=True, no_cfunc_wrapper=True
)  # as `inner`


class Symbolic(NamedTuple):
    """Structure of the factor of one body graph: S supernodes, N bodies; valid while the same pairs of bodies touch."""

    order: np.ndarray  # (N,): body of every block row, in elimination order
    first: np.ndarray  # (S + 1,): first block column of every supernode
    row_start: np.ndarray  # (S + 1,): into rows, position
    rows: np.ndarray  # block rows below the pivots of every supernode
    position: np.ndarray  # of those rows in the front of the parent
    child_start: np.ndarray  # (S + 1,): into child
    child: np.ndarray  # children of every supernode, in ascending order
    panel_start: np.ndarray  # (S + 1,): into the factor [numbers]
    update_start: np.ndarray  # (S,): into the arena [numbers]
    arena: int  # size of the arena [numbers]
    schedule: np.ndarray  # (S,): supernodes by task
    task_start: np.ndarray  # (T + 1,): into schedule; the last task waits for all others, which are independent
    diagonal: np.ndarray  # (N,): where the block of every body begins in the factor
    pair: np.ndarray  # (K,): where the block of every pair of bodies begins in the factor
    stride: np.ndarray  # (K,): length of the rows of that panel
    flip: np.ndarray  # (K,) bool: the block stands transposed, because body b is eliminated before body a
    diagonal_stride: np.ndarray  # (N,)


@fast
def subtract_products(C, A, B, i_0, i_1, j_0, j_1, k_0, k_1, lower):
    """C[i, j] -= A[i, k] . B[j, k] for i_0 <= i < i_1, j_0 <= j < j_1 (all multiples of 3); of the lower half only."""
    for i in range(i_0, i_1, 3):
        a0, a1, a2 = A[i], A[i + 1], A[i + 2]
        end = min(i + 3, j_1) if lower else j_1
        for j in range(j_0, end, 3):
            b0, b1, b2 = B[j], B[j + 1], B[j + 2]
            c00 = c01 = c02 = c10 = c11 = c12 = c20 = c21 = c22 = 0.0
            for k in range(k_0, k_1):
                x, y, z = b0[k], b1[k], b2[k]
                w = a0[k]
                c00 += w * x
                c01 += w * y
                c02 += w * z
                w = a1[k]
                c10 += w * x
                c11 += w * y
                c12 += w * z
                w = a2[k]
                c20 += w * x
                c21 += w * y
                c22 += w * z
            C[i, j] -= c00
            C[i, j + 1] -= c01
            C[i, j + 2] -= c02
            C[i + 1, j] -= c10
            C[i + 1, j + 1] -= c11
            C[i + 1, j + 2] -= c12
            C[i + 2, j] -= c20
            C[i + 2, j + 1] -= c21
            C[i + 2, j + 2] -= c22


@inner
def factor_triangle(P, k, m, inverse):
    """Cholesky of P[k:k+m, k:k+m] in place; minus its inverse into `inverse`. False if it is not positive definite."""
    for i in range(m):
        for j in range(i + 1):
            total = P[k + i, k + j]
            for q in range(j):
                total -= P[k + i, k + q] * P[k + j, k + q]
            if j < i:
                P[k + i, k + j] = total * inverse[j, j]
            else:
                if not total > 0.0:
                    return False
                root = np.sqrt(total)
                P[k + i, k + i] = root
                inverse[i, i] = 1.0 / root
    for j in range(m):  # column j of the inverse, with the diagonal still positive while it is used
        for i in range(j + 1, m):
            total = 0.0
            for q in range(j, i):
                total += P[k + i, k + q] * inverse[q, j]
            inverse[i, j] = -total * inverse[i, i]
            inverse[j, i] = 0.0
    for i in range(m):
        for j in range(i + 1):
            inverse[i, j] = -inverse[i, j]
    return True


@inner
def factor_panel(P, inverse, strip):
    """Eliminate the pivots of one panel P (n, p); `inverse` (STRIP, STRIP) and `strip` (n, STRIP) are scratch."""
    n, p = P.shape
    for k in range(0, p, STRIP):
        m = min(STRIP, p - k)
        if k > 0:
            subtract_products(P, P, P, k, n, k, k + m, 0, k, False)
        if not factor_triangle(P, k, m, inverse):
            return False
        for i in range(k + m, n):
            for j in range(m):
                strip[i, j] = P[i, k + j]
                P[i, k + j] = 0.0
        multiply(P, k, strip, inverse, k + m, n, m)
    return True


@inner
def multiply(P, k, strip, inverse, i_0, i_1, m):
    """P[i, k + j] = strip[i] . L^-1[j]: rows below the triangle; `inverse` carries the minus sign of the product."""
    subtract_products(P[:, k : k + m], strip, inverse, i_0, i_1, 0, m, 0, m, False)


@inner
def add_child(s, c, sym, update, P, U):
    """Add the update of child c to the front of its parent s: panel P and update U."""
    p = P.shape[1]
    at, height = sym.row_start[c], sym.row_start[c + 1] - sym.row_start[c]
    for i in range(height):
        row = 6 * sym.position[at + i]
        for j in range(i + 1):
            column = 6 * sym.position[at + j]
            if column < p:
                for a in range(6):
                    for b in range(6):
                        P[row + a, column + b] += update[6 * i + a, 6 * j + b]
            else:
                for a in range(6):
                    for b in range(6):
                        U[row - p + a, column - p + b] += update[6 * i + a, 6 * j + b]


@njit(cache=True, nogil=True)
def factor_task(sym, factor, arena, task):
    """Factor the supernodes of a task; their children in other tasks must be done. Returns the first failure, or -1."""
    mine = sym.schedule[sym.task_start[task] : sym.task_start[task + 1]]
    tallest = 0
    for s in mine:
        tallest = max(tallest, 6 * (sym.first[s + 1] - sym.first[s] + sym.row_start[s + 1] - sym.row_start[s]))
    inverse, strip = np.zeros((STRIP, STRIP)), np.empty((tallest, STRIP))
    for s in mine:
        p, h = 6 * (sym.first[s + 1] - sym.first[s]), 6 * (sym.row_start[s + 1] - sym.row_start[s])
        P = factor[sym.panel_start[s] : sym.panel_start[s + 1]].reshape((p + h, p))
        U = arena[sym.update_start[s] : sym.update_start[s] + h * h].reshape((h, h))
        U[:] = 0.0
        for k in range(sym.child_start[s], sym.child_start[s + 1]):
            c = sym.child[k]
            g = 6 * (sym.row_start[c + 1] - sym.row_start[c])
            update = arena[sym.update_start[c] : sym.update_start[c] + g * g].reshape((g, g))
            add_child(s, c, sym, update, P, U)
        if not factor_panel(P, inverse, strip):
            return s
        subtract_products(U, P[p:], P[p:], 0, h, 0, h, 0, p, True)
    return -1


@fast
def forward(sym, factor, x):
    """Solve L y = x in place; x (6 N,) in elimination order."""
    for s in range(sym.first.shape[0] - 1):
        at, p = 6 * sym.first[s], 6 * (sym.first[s + 1] - sym.first[s])
        h = 6 * (sym.row_start[s + 1] - sym.row_start[s])
        P = factor[sym.panel_start[s] : sym.panel_start[s + 1]].reshape((p + h, p))
        y = x[at : at + p]
        for i in range(p):
            total = y[i]
            for k in range(i):
                total -= P[i, k] * y[k]
            y[i] = total / P[i, i]
        for r in range(sym.row_start[s], sym.row_start[s + 1]):
            for a in range(6):
                row = P[p + 6 * (r - sym.row_start[s]) + a]
                total = 0.0
                for k in range(p):
                    total += row[k] * y[k]
                x[6 * sym.rows[r] + a] -= total


@fast
def backward(sym, factor, x):
    """Solve L^T y = x in place."""
    for s in range(sym.first.shape[0] - 2, -1, -1):
        at, p = 6 * sym.first[s], 6 * (sym.first[s + 1] - sym.first[s])
        h = 6 * (sym.row_start[s + 1] - sym.row_start[s])
        P = factor[sym.panel_start[s] : sym.panel_start[s + 1]].reshape((p + h, p))
        y = x[at : at + p]
        for r in range(sym.row_start[s], sym.row_start[s + 1]):
            for a in range(6):
                row = P[p + 6 * (r - sym.row_start[s]) + a]
                value = x[6 * sym.rows[r] + a]
                for k in range(p):
                    y[k] -= row[k] * value
        for i in range(p - 1, -1, -1):
            y[i] /= P[i, i]
            for k in range(i):
                y[k] -= P[i, k] * y[i]


@njit(cache=True, nogil=True)
def solve(sym, factor, b, x):
    """x = A^-1 b for b, x (N, 6) in the order of the bodies."""
    n = b.shape[0]
    work = np.empty(6 * n)
    for i in range(n):
        for k in range(6):
            work[6 * i + k] = b[sym.order[i], k]
    forward(sym, factor, work)
    backward(sym, factor, work)
    for i in range(n):
        for k in range(6):
            x[sym.order[i], k] = work[6 * i + k]
