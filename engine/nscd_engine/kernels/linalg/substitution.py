"""Solutions by a multifrontal Cholesky factor A = R^T R: forward and back substitution, front by front.

The tree of fronts is walked as for the factor: what a front subtracts from the right sides of its ancestors is handed
to its parent, which adds that of all its children in their order. Independent subtrees can so be solved on several
threads, with the same bits for any number of them.

Rows of a panel are read in whole vectors: a row may begin among the columns before the diagonal, which hold finite
numbers that do not count.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.linalg.cholesky import FAST

#: Numbers in a vector of which rows are read in multiples [-]: two AVX registers. Larger: more columns before the
#: diagonal are read. Smaller: the end of a row is read number by number.
VECTOR = 8

#: As `jit.inner`; the compiler may reorder sums.
fast = njit(nogil=True, error_model="numpy", fastmath=FAST, no_cpython_wrapper=True, no_cfunc_wrapper=True)


@fast
def eliminate(factor, at, n, p, w):
    """Solve for p pivots of the panel of rows of n at offset `at`; w (n,) becomes the pivots and what is left."""
    for k in range(0, p, 6):
        row = at + k * n
        for i in range(6):
            w[k + i] /= factor[row + i * n + k + i]
            for j in range(i + 1, 6):
                w[k + j] -= factor[row + i * n + k + j] * w[k + i]
        a, b, c, d, e, f = w[k], w[k + 1], w[k + 2], w[k + 3], w[k + 4], w[k + 5]
        width = -(-(n - k - 6) // VECTOR) * VECTOR
        first, left = row + n - width, w[n - width : n]
        p_0, p_1, p_2 = factor[first:], factor[first + n :], factor[first + 2 * n :]
        p_3, p_4, p_5 = factor[first + 3 * n :], factor[first + 4 * n :], factor[first + 5 * n :]
        for i in range(width):
            left[i] -= a * p_0[i] + b * p_1[i] + c * p_2[i] + d * p_3[i] + e * p_4[i] + f * p_5[i]
        w[k], w[k + 1], w[k + 2], w[k + 3], w[k + 4], w[k + 5] = a, b, c, d, e, f


@fast
def substitute_back(factor, at, n, p, w):
    """Solve for p pivots of the panel of rows of n at offset `at`; w (n,) begins with their right sides."""
    for k in range(p - 6, -1, -6):
        row = at + k * n
        right = w[k], w[k + 1], w[k + 2], w[k + 3], w[k + 4], w[k + 5]
        w[k] = w[k + 1] = w[k + 2] = w[k + 3] = w[k + 4] = w[k + 5] = 0.0  # columns before the diagonal do not count
        width = -(-(n - k - 6) // VECTOR) * VECTOR
        first, known = row + n - width, w[n - width : n]
        p_0, p_1, p_2 = factor[first:], factor[first + n :], factor[first + 2 * n :]
        p_3, p_4, p_5 = factor[first + 3 * n :], factor[first + 4 * n :], factor[first + 5 * n :]
        a = b = c = d = e = f = 0.0
        for i in range(width):
            value = known[i]
            a += p_0[i] * value
            b += p_1[i] * value
            c += p_2[i] * value
            d += p_3[i] * value
            e += p_4[i] * value
            f += p_5[i] * value
        w[k], w[k + 1], w[k + 2] = right[0] - a, right[1] - b, right[2] - c
        w[k + 3], w[k + 4], w[k + 5] = right[3] - d, right[4] - e, right[5] - f
        for i in range(5, -1, -1):
            for j in range(i + 1, 6):
                w[k + i] -= factor[row + i * n + k + j] * w[k + j]
            w[k + i] /= factor[row + i * n + k + i]


@njit(cache=True, nogil=True, error_model="numpy")
def substitute(sym, factor, handed, x, first, last, back):
    """One of the two substitutions for the supernodes of tasks first:last.

    Parameters
    ----------
    sym : Symbolic
    factor : array
        Panels of R.
    handed : array (6 R,)
        Of R rows of the structure: what supernodes hand to their parents, forward.
    x : array (6 N,)
        In elimination order: right sides, then solutions.
    first, last : int
        Forward, tasks with children of these are done before; back, those with their ancestors.
    back : bool
        Which of the two.
    """
    schedule = sym.schedule[sym.task_start[first] : sym.task_start[last]]
    most = 0
    for s in schedule:
        most = max(most, sym.first[s + 1] - sym.first[s] + sym.row_start[s + 1] - sym.row_start[s])
    w = np.empty(6 * most)
    for place in range(schedule.shape[0]):
        s = schedule[schedule.shape[0] - 1 - place] if back else schedule[place]
        own, p = 6 * sym.first[s], 6 * (sym.first[s + 1] - sym.first[s])
        r_0, r_1 = sym.row_start[s], sym.row_start[s + 1]
        n = p + 6 * (r_1 - r_0)
        w[:p] = x[own : own + p]
        if back:
            for r in range(r_0, r_1):
                for i in range(6):
                    w[p + 6 * (r - r_0) + i] = x[6 * sym.rows[r] + i]
            substitute_back(factor, sym.panel_start[s], n, p, w)
        else:
            w[p:n] = 0.0
            for k in range(sym.child_start[s], sym.child_start[s + 1]):
                for r in range(sym.row_start[sym.child[k]], sym.row_start[sym.child[k] + 1]):
                    for i in range(6):
                        w[6 * sym.position[r] + i] += handed[6 * r + i]
            eliminate(factor, sym.panel_start[s], n, p, w)
            handed[6 * r_0 : 6 * r_1] = w[p:n]
        x[own : own + p] = w[:p]
