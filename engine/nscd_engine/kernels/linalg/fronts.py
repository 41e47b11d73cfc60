"""The tree of fronts of a factor: work of subtrees, and offsets of the updates in the arena."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def children(up):
    """Children (start, child) of every front, in ascending order; up (S,) is the parent, -1 for a root."""
    supers = up.shape[0]
    start = np.zeros(supers + 1, np.int64)
    for s in range(supers):
        if up[s] >= 0:
            start[up[s] + 1] += 1
    start = np.cumsum(start)
    child, to = np.empty(start[supers], np.int64), start[:-1].copy()
    for s in range(supers):
        if up[s] >= 0:
            child[to[up[s]]] = s
            to[up[s]] += 1
    return start, child


@njit(cache=True, nogil=True)
def subtrees(up, work):
    """Work (S,) and number of fronts (S,) of the subtree of every front, itself included."""
    total, size = work.copy(), np.ones(up.shape[0], np.int64)
    for s in range(up.shape[0]):  # children come before parents
        if up[s] >= 0:
            total[up[s]] += total[s]
            size[up[s]] += size[s]
    return total, size


@njit(cache=True, nogil=True)
def update_places(up, size, schedule, task_start):
    """Offsets (S,) of the updates in the arena, and the size of the arena; `size` (S,) are those of the updates.

    Every task has two stacks, for even and odd depths: a front is never on the stack of its children. Children of the
    same task are removed from their stack when their parent is done.
    """
    supers, tasks = up.shape[0], task_start.shape[0] - 1
    depth, task = np.zeros(supers, np.int64), np.empty(supers, np.int64)
    for s in range(supers - 1, -1, -1):
        depth[s] = depth[up[s]] + 1 if up[s] >= 0 else 0
    for k in range(tasks):
        task[schedule[task_start[k] : task_start[k + 1]]] = k
    start, used, end = np.zeros(supers, np.int64), np.zeros(supers, np.int64), 0
    for k in range(tasks):
        top, most = np.zeros(2, np.int64), np.zeros(2, np.int64)
        for s in schedule[task_start[k] : task_start[k + 1]]:
            side = depth[s] % 2
            start[s] = top[side]
            top[side] += size[s]
            most[side] = max(most[side], top[side])
            top[1 - side] -= used[s]
            if up[s] >= 0 and task[up[s]] == k:
                used[up[s]] += size[s]
        for s in schedule[task_start[k] : task_start[k + 1]]:
            start[s] += end + (most[0] if depth[s] % 2 == 1 else 0)
        end += most[0] + most[1]
    return start, end
