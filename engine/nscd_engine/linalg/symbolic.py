"""Body graph -> structure of its Cholesky factor: order, supernodes, places in memory. Done once per body graph."""

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import spilu

from nscd_engine.kernels.linalg.cholesky import Symbolic
from nscd_engine.kernels.linalg.elimination_tree import (
    column_structures,
    elimination_tree,
    front_positions,
    graph,
    postorder,
    supernodes,
)
from nscd_engine.kernels.linalg.fronts import children, subtrees, update_places

SYMMETRIC = {"SymmetricMode": True}
#: Share of explicit zeros a merged panel may hold [-]. More: fewer, wider panels; less: fewer operations.
SLACK = 0.1
#: Multiplications of a factorisation from which threads pay [-]: about a millisecond of work.
WORTH_THREADS = 2e7
#: Largest share of the work that one subtree may have before it is divided, and the least that is a task by itself [-].
LARGEST_TASK, LEAST_TASK = 0.2, 0.08


def analyse(count, pairs):
    """Structure of the factor for `count` bodies and touching `pairs` (K, 2) of different bodies, the smaller first,
    sorted, each once.
    """
    order = fill_reducing_order(count, pairs)
    start, neighbour = graph(pairs, _places(order))
    order = order[postorder(elimination_tree(start, neighbour))]
    start, neighbour = graph(pairs, _places(order))
    parent = elimination_tree(start, neighbour)
    column_start, column_rows = column_structures(start, neighbour, parent)
    first = supernodes(parent, column_start, SLACK)
    return _layout(order, pairs, parent, column_start, column_rows, first)


def fill_reducing_order(count, pairs):
    """Minimum degree order of the bodies, as SuperLU finds it; the values only have to make the factor exist."""
    if count == 0:
        return np.zeros(0, np.int64)
    start, neighbour = graph(pairs, np.arange(count))
    start, body = start + np.arange(count + 1), np.arange(count)
    column, value = np.empty(start[-1], np.int32), np.ones(start[-1])
    column[start[:-1]], value[start[:-1]] = body, count + 1.0
    beside = np.ones(start[-1], bool)
    beside[start[:-1]] = False
    column[beside] = neighbour
    matrix = csc_matrix((value, column, start.astype(np.int32)), shape=(count, count))
    # An incomplete factor without fill, since only the order is of use: perm_c[body] is the place of the body.
    return np.argsort(spilu(matrix, drop_tol=1e30, fill_factor=1, permc_spec="MMD_AT_PLUS_A", options=SYMMETRIC).perm_c)


def _places(order):
    """Where every body stands in an order."""
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return place


def _layout(order, pairs, parent, column_start, column_rows, first):
    count, supers = len(order), len(first) - 1
    place = _places(order)
    last, width = first[1:] - 1, np.diff(first)
    height = column_start[last + 1] - column_start[last]
    row_start = np.concatenate([[0], np.cumsum(height)])
    within = np.arange(row_start[-1]) - np.repeat(row_start[:-1], height)
    rows = column_rows[np.repeat(column_start[last], height) + within]
    super_of = np.repeat(np.arange(supers), width)
    up = np.where(parent[last] >= 0, super_of[np.maximum(parent[last], 0)], -1)
    position = front_positions(rows, np.repeat(up, height), first, row_start, rows)
    panel_start = np.concatenate([[0], np.cumsum(36 * (width + height) * width)])
    child_start, child = children(up)
    schedule, task_start = _tasks(up, width, height)
    update_start, arena = update_places(up, 36 * height * height, schedule, task_start)
    a, b = place[pairs[:, 0]], place[pairs[:, 1]]
    column, row = np.minimum(a, b), np.maximum(a, b)
    stride, home = 6 * (width + height), super_of[column]
    local = front_positions(row, home, first, row_start, rows)
    own = super_of[place]
    inside = place - first[own]
    return Symbolic(
        order=order,
        first=first,
        row_start=row_start,
        rows=rows,
        position=position,
        child_start=child_start,
        child=child,
        panel_start=panel_start,
        update_start=update_start,
        arena=arena,
        schedule=schedule,
        task_start=task_start,
        diagonal=panel_start[own] + 6 * inside * stride[own] + 6 * inside,
        diagonal_stride=stride[own],
        pair_start=np.searchsorted(pairs[:, 0], np.arange(count + 1)),
        other=pairs[:, 1].astype(np.int64),
        pair=panel_start[home] + 6 * (column - first[home]) * stride[home] + 6 * local,
        stride=stride[home],
        flip=b < a,
    )


def _tasks(up, width, height):
    """Disjoint subtrees that threads may factor side by side, the largest first, and what remains above them, last.

    The division depends on the structure alone, never on the number of threads. A subtree is a run of supernodes.
    """
    supers = len(up)
    work = 216.0 * (width**3 / 3.0 + width**2 * height + width * height.astype(float) ** 2)
    if work.sum() < WORTH_THREADS:
        return np.arange(supers), np.array([0, supers], np.int64)
    total, size = subtrees(up, work)
    roots = np.flatnonzero(up < 0).tolist()
    while True:  # divide the largest subtree
        largest = max(roots, key=lambda s: total[s])
        if total[largest] < LARGEST_TASK * work.sum():
            break
        roots.remove(largest)
        roots += np.flatnonzero(up == largest).tolist()
        if not roots:
            break
    roots.sort(key=lambda s: -total[s])
    runs = [np.arange(s + 1 - size[s], s + 1) for s in roots]
    small = int(np.count_nonzero(total[roots] >= LEAST_TASK * work.sum()))
    if len(runs) > small:
        runs[small:] = [np.concatenate(runs[small:])]
    covered = np.zeros(supers, bool)
    for run in runs:
        covered[run] = True
    runs.append(np.flatnonzero(~covered))
    return np.concatenate(runs), np.concatenate([[0], np.cumsum([len(run) for run in runs])])
