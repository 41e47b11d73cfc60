"""The Cholesky factor of the graph of bodies."""

import numpy as np

from nscd_engine.kernels.linalg.cholesky import factor_tasks
from nscd_engine.kernels.solvers.pair_grouping import same_pairs
from nscd_engine.linalg.symbolic import analyse


def factorised(sym, factor, arena, threads):
    """Turn the panels of a matrix into those of its factor; False if rounding has made it indefinite."""

    def tasks(first, last):
        return factor_tasks(sym, factor, arena, first, last) < 0

    last = len(sym.task_start) - 2
    if last == 0 or threads.count == 1:
        return tasks(0, last + 1)
    return threads.run(lambda task: tasks(task, task + 1), range(last)) and tasks(last, last + 1)


def symbolic(body, count, earlier=None):
    """The structure of the factor for contacts between bodies (C, 2) of `count`: `earlier`, if the same bodies touch.

    It does not depend on earlier ones.
    """
    if earlier is not None and len(earlier.order) == count and same_pairs(body, earlier.pair_start, earlier.other):
        return earlier
    return analyse(count, _touching(body, count))


def _touching(body, count):
    """Pairs (K, 2) of different free bodies that touch, the smaller first, sorted, each once."""
    body = body[(body >= 0).all(axis=1)].astype(np.int64)
    key = np.unique(body.min(axis=1, initial=count) * count + body.max(axis=1, initial=0))
    return np.column_stack(np.divmod(key, max(count, 1)))
