"""Symbolic structure of a block Cholesky factor: elimination tree, column structures, supernodes (Liu 1990).

All counts are in blocks of 6 x 6, one block row per free body, in elimination order. A supernode is a run of columns
with the same rows below; its front has the `width` pivots and the `height` rows below them.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner


@njit(cache=True, nogil=True)
def graph(pairs, place):
    """Neighbours of every body, (start, neighbour), from pairs (K, 2); `place` (N,) is the elimination order."""
    start = np.zeros(place.shape[0] + 1, np.int64)
    for k in range(pairs.shape[0]):
        start[place[pairs[k, 0]] + 1] += 1
        start[place[pairs[k, 1]] + 1] += 1
    start = np.cumsum(start)
    to, neighbour = start[:-1].copy(), np.empty(2 * pairs.shape[0], np.int64)
    for k in range(pairs.shape[0]):
        i, j = place[pairs[k, 0]], place[pairs[k, 1]]
        neighbour[to[i]], neighbour[to[j]] = j, i
        to[i] += 1
        to[j] += 1
    return start, neighbour


@njit(cache=True, nogil=True)
def elimination_tree(start, neighbour):
    """Parent of every column, -1 for a root; the graph is in elimination order and has both directions."""
    n = start.shape[0] - 1
    parent = np.full(n, -1, np.int64)
    ancestor = np.full(n, -1, np.int64)
    for j in range(n):
        for k in range(start[j], start[j + 1]):
            i = neighbour[k]
            while i != -1 and i < j:
                up = ancestor[i]
                ancestor[i] = j  # path compression
                if up == -1:
                    parent[i] = j
                i = up
    return parent


@njit(cache=True, nogil=True)
def postorder(parent):
    """Order with children before parents; the child with the largest subtree comes last, next to its parent."""
    n = parent.shape[0]
    size = np.ones(n, np.int64)
    heavy = np.full(n + 1, -1, np.int64)
    first, following = np.full(n + 1, -1, np.int64), np.full(n, -1, np.int64)
    for j in range(n):  # parents have larger numbers than children, so size[j] is complete here
        up = parent[j] if parent[j] >= 0 else n
        if up < n:
            size[up] += size[j]
        if heavy[up] == -1 or size[j] > size[heavy[up]]:
            heavy[up] = j
        following[j] = first[up]
        first[up] = j
    order, stack = np.empty(n, np.int64), np.empty(n + 1, np.int64)
    top, k = 0, n
    stack[0] = n
    while top >= 0:  # parent first, then its heavy child; the order is filled from the end
        j = stack[top]
        top -= 1
        if j < n:
            k -= 1
            order[k] = j
        child = first[j]
        while child != -1:
            if child != heavy[j]:
                top += 1
                stack[top] = child
            child = following[child]
        if heavy[j] != -1:
            top += 1
            stack[top] = heavy[j]
    return order


@inner
def sort_rows(rows, begin, end):
    """Insertion sort in place: the lists are short and nearly sorted."""
    for k in range(begin + 1, end):
        row, m = rows[k], k
        while m > begin and rows[m - 1] > row:
            rows[m] = rows[m - 1]
            m -= 1
        rows[m] = row


@njit(cache=True, nogil=True)
def column_structures(start, neighbour, parent):
    """Rows below the diagonal of every column of the factor: (start, rows), sorted."""
    n = parent.shape[0]
    row_start = np.zeros(n + 1, np.int64)
    rows = np.empty(max(4 * neighbour.shape[0], 16), np.int64)
    first, following = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    mark = np.full(n, -1, np.int64)
    for j in range(n):
        end = row_start[j]
        if end + n > rows.shape[0]:
            grown = np.empty(2 * rows.shape[0] + n, np.int64)
            for k in range(end):  # a copy of a slice would compile numba's text of a shape that does not fit
                grown[k] = rows[k]
            rows = grown
        mark[j] = j
        for k in range(start[j], start[j + 1]):
            i = neighbour[k]
            if i > j and mark[i] != j:
                mark[i] = j
                rows[end] = i
                end += 1
        child = first[j]
        while child != -1:
            for k in range(row_start[child], row_start[child + 1]):
                i = rows[k]
                if mark[i] != j:
                    mark[i] = j
                    rows[end] = i
                    end += 1
            child = following[child]
        sort_rows(rows, row_start[j], end)
        row_start[j + 1] = end
        if parent[j] >= 0:
            following[j] = first[parent[j]]
            first[parent[j]] = j
    return row_start, rows[: row_start[n]].copy()


#: Bodies of a front up to which supernodes are merged regardless of zeros [-]: such a front costs as much as the
#: overhead of one. Larger: more zeros are stored. Smaller: more fronts.
SMALL = 5


@njit(cache=True, nogil=True)
def supernodes(parent, row_start, slack):
    """First column of every supernode (S + 1,): fundamental supernodes, merged with their last child where it pays.

    Merging a child into its parent stores explicit zeros. It is done while their share of the merged panel is at most
    `slack`, since wide panels are several times faster than narrow ones, and while the front is SMALL.
    """
    n = parent.shape[0]
    first = np.empty(n + 1, np.int64)
    zeros = np.zeros(n + 1)  # blocks of explicit zeros in each supernode
    count = 0
    for j in range(n):
        first[count] = j
        zeros[count] = 0.0
        count += 1
        while count > 1:  # merge the supernode before this one into it?
            a, b = first[count - 2], first[count - 1]
            if parent[b - 1] < b or parent[b - 1] > j:
                break
            height = row_start[j + 1] - row_start[j]
            below = row_start[b] - row_start[b - 1]
            width = j + 1 - a
            extra = (b - a) * (j + 1 - b + height - below)
            total = zeros[count - 2] + zeros[count - 1] + extra
            if total > slack * width * (0.5 * width + height) and width + height > SMALL:
                break
            zeros[count - 2] = total
            count -= 1
    first[count] = n
    return first[: count + 1].copy()


@njit(cache=True, nogil=True)
def front_positions(wanted, front, first, row_start, rows):
    """Position of block row wanted[k] in the front of supernode front[k]: pivots come first, then the rows below."""
    place = np.empty(wanted.shape[0], np.int64)
    for k in range(wanted.shape[0]):
        s = front[k]
        if wanted[k] < first[s + 1]:
            place[k] = wanted[k] - first[s]
            continue
        low, high = row_start[s], row_start[s + 1]
        while low < high:
            middle = (low + high) // 2
            if rows[middle] < wanted[k]:
                low = middle + 1
            else:
                high = middle
        place[k] = first[s + 1] - first[s] + low - row_start[s]
    return place
