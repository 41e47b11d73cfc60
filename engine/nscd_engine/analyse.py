"""Body graph -> structure of its Cholesky factor: order, supernodes, places in memory. Done once per body graph."""

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from .kernels.cholesky import Symbolic
from .kernels.elimination import column_structures, elimination_tree, postorder, supernodes

#: Share of explicit zeros a merged panel may hold [-]. More: fewer, wider panels; less: fewer operations.
SLACK = 0.25


def analyse(count, pairs):
    """Structure of the factor for `count` bodies and touching `pairs` (K, 2) of different bodies."""
    order = fill_reducing_order(count, pairs)
    start, neighbour = _graph(count, pairs, order)
    order = order[postorder(elimination_tree(start, neighbour))]
    start, neighbour = _graph(count, pairs, order)
    parent = elimination_tree(start, neighbour)
    column_start, column_rows = column_structures(start, neighbour, parent)
    first = supernodes(parent, column_start, SLACK)
    return _layout(order, pairs, parent, column_start, column_rows, first)


def fill_reducing_order(count, pairs):
    """Minimum degree order of the bodies, as SuperLU finds it; the values only have to make the factor exist."""
    if count == 0:
        return np.zeros(0, np.int64)
    i = np.concatenate([pairs[:, 0], pairs[:, 1], np.arange(count)])
    j = np.concatenate([pairs[:, 1], pairs[:, 0], np.arange(count)])
    value = np.where(i == j, float(count + 1), 1.0)
    matrix = csc_matrix((value, (i, j)), shape=(count, count))
    # perm_c[body] is the place of the body
    return np.argsort(splu(matrix, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).perm_c)


def _graph(count, pairs, order):
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    i = place[np.concatenate([pairs[:, 0], pairs[:, 1]])]
    j = place[np.concatenate([pairs[:, 1], pairs[:, 0]])]
    by_row = np.lexsort((j, i))
    start = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=count))])
    return start.astype(np.int64), j[by_row]


def _layout(order, pairs, parent, column_start, column_rows, first):
    count, supers = len(order), len(first) - 1
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    last = first[1:] - 1
    width = np.diff(first)
    height = column_start[last + 1] - column_start[last]
    row_start = np.concatenate([[0], np.cumsum(height)])
    rows = np.concatenate([column_rows[column_start[j] : column_start[j + 1]] for j in last] + [np.zeros(0, np.int64)])
    super_of = np.repeat(np.arange(supers), width)
    up = np.where(parent[last] >= 0, super_of[np.maximum(parent[last], 0)], -1)
    position = np.empty(len(rows), np.int64)
    for s in range(supers):
        if up[s] >= 0:
            mine = slice(row_start[s], row_start[s + 1])
            position[mine] = _front_position(rows[mine], up[s], first, row_start, rows)
    panel = 36 * (width + height) * width
    panel_start = np.concatenate([[0], np.cumsum(panel)])
    child_start, child = _children(up, supers)
    update_start, arena, task_start = _arena(up, 36 * height * height)
    a, b = place[pairs[:, 0]], place[pairs[:, 1]]
    column, row = np.minimum(a, b), np.maximum(a, b)
    s = super_of[column]
    local = np.array([_front_position(row[k : k + 1], s[k], first, row_start, rows)[0] for k in range(len(pairs))], int)
    stride = 6 * width
    pair = panel_start[s] + 6 * local * stride[s] + 6 * (column - first[s]) if len(pairs) else np.zeros(0, np.int64)
    s = super_of[place]
    inside = place - first[s]
    return Symbolic(
        order=order,
        place=place,
        first=first,
        row_start=row_start,
        rows=rows,
        position=position,
        child_start=child_start,
        child=child,
        panel_start=panel_start,
        update_start=update_start,
        arena=arena,
        task_start=task_start,
        diagonal=panel_start[s] + 6 * inside * stride[s] + 6 * inside,
        diagonal_stride=stride[s],
        pair=pair,
        stride=stride[super_of[column]],
        flip=b < a,
    )


def _front_position(wanted, s, first, row_start, rows):
    """Place of sorted block rows in the front of supernode s: its pivots come first, then its rows."""
    below = first[s + 1] - first[s] + np.searchsorted(rows[row_start[s] : row_start[s + 1]], wanted)
    return np.where(wanted < first[s + 1], wanted - first[s], below)


def _children(up, supers):
    by_parent = np.argsort(up, kind="stable")
    child = by_parent[np.count_nonzero(up < 0) :]
    count = np.bincount(up[up >= 0], minlength=supers)
    return np.concatenate([[0], np.cumsum(count)]), child


def _arena(up, size):
    """Places of the updates: two stacks, for even and odd depths, so that a front never lies on its children."""
    supers = len(up)
    depth = np.zeros(supers, np.int64)
    for s in range(supers - 1, -1, -1):
        depth[s] = depth[up[s]] + 1 if up[s] >= 0 else 0
    start = np.zeros(supers, np.int64)
    top, most = [0, 0], [0, 0]
    pending = [[] for _ in range(supers)]
    for s in range(supers):
        side = depth[s] % 2
        start[s] = top[side]
        top[side] += size[s]
        most[side] = max(most[side], top[side])
        top[1 - side] -= sum(size[c] for c in pending[s])
        if up[s] >= 0:
            pending[up[s]].append(s)
    start[depth % 2 == 1] += most[0]
    return start, most[0] + most[1], np.array([0, supers], np.int64)
