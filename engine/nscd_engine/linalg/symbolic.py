"""Symbolic analysis: fill-reducing order, supernodes and memory layout of the Cholesky factor of a body graph.

It is done once per body graph.
"""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from nscd_engine.core.monitor import Monitor
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
from nscd_engine.linalg.ordering import dissected, minimum_degree, places

#: Multiplications of a product of two blocks of 6 x 6 [-].
BLOCK_PRODUCT = 216.0
#: Multiplications of a factorisation from which nested dissection is tried [-]: a twentieth of a second of work, as
#: long as dissection takes. Larger: its savings are missed. Smaller: the search takes longer than it saves.
WORTH_DISSECTING = 1e9
#: Greatest share of explicit zeros in a merged panel [-]. Larger: fewer, wider panels. Smaller: fewer operations.
SLACK = 0.1
#: Multiplications of a factorisation from which threads are used [-]: about a millisecond of work. Larger: threads are
#: idle. Smaller: starting them takes longer than the work.
WORTH_THREADS = 2e7
#: Greatest share of the work in one subtree; a larger one is divided [-]. Larger: threads wait for one task. Smaller:
#: more work remains above the subtrees, for one thread.
LARGEST_TASK = 0.3
#: Least share of the work of a task of its own [-]; smaller subtrees are one task together. Larger: less parallel.
#: Smaller: more overhead.
LEAST_TASK = 0.08


class Elimination(NamedTuple):
    """Structure of the factor of a body graph, column by column. N bodies."""

    order: np.ndarray  # (N,): bodies in elimination order, children before parents
    parent: np.ndarray  # (N,): in the elimination tree, -1 for a root
    column_start: np.ndarray  # (N + 1,): into column_rows
    column_rows: np.ndarray  # block rows below the diagonal of every column, sorted
    work: float  # multiplications of a factorisation [-]


def analyse(count: int, pairs: np.ndarray, monitor: Optional[Monitor] = None) -> Symbolic:
    """Structure of the factor of a body graph; parameters as of `eliminate`."""
    return lay_out(eliminate(count, pairs, monitor), pairs)


def eliminate(count: int, pairs: np.ndarray, monitor: Optional[Monitor] = None) -> Elimination:
    """Columns of the factor of a body graph, in the best order that was found.

    Parameters
    ----------
    count : int
        Number of free bodies.
    pairs : array (K, 2) int64
        Different free bodies that touch: the smaller number first, sorted, each pair once.
    monitor : Monitor, optional
        For progress and cancellation.
    """
    report = (lambda: None) if monitor is None else (lambda: monitor.report("ordering the blocks"))
    report()
    structure = _eliminated(pairs, minimum_degree(count, pairs))
    report()
    if structure.work > WORTH_DISSECTING:
        structure = min(structure, _eliminated(pairs, dissected(pairs, structure.order)), key=lambda found: found.work)
    report()
    return structure


def _eliminated(pairs: np.ndarray, order: np.ndarray) -> Elimination:
    """Structure of the factor of a body graph for an order, which is changed to one that is as good: a postorder."""
    start, neighbour = graph(pairs, places(order))
    order = order[postorder(elimination_tree(start, neighbour))]
    start, neighbour = graph(pairs, places(order))
    parent = elimination_tree(start, neighbour)
    column_start, column_rows = column_structures(start, neighbour, parent)
    work = BLOCK_PRODUCT * float((0.5 * np.diff(column_start).astype(float) ** 2).sum())
    return Elimination(order, parent, column_start, column_rows, work)


def lay_out(structure: Elimination, pairs: np.ndarray) -> Symbolic:
    """Supernodes, their rows and their tree, and offsets of panels, updates and blocks in memory."""
    first = supernodes(structure.parent, structure.column_start, SLACK)
    order, parent, column_start, column_rows, _ = structure
    count, supers = len(order), len(first) - 1
    place = places(order)
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
        arena=max(int(arena), 6 * len(rows)),
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
    """Disjoint subtrees that threads may factor in parallel, the largest first, and last the supernodes above them.

    The division depends on the structure alone, not on the number of threads. A subtree is a run of supernodes.
    """
    supers = len(up)
    work = BLOCK_PRODUCT * (width**3 / 3.0 + width**2 * height + width * height.astype(float) ** 2)
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
