"""The Cholesky factor of the graph of bodies."""

import contextlib
import weakref
from collections import deque
from typing import Any, Callable, Deque, Tuple

import numpy as np

from nscd_engine.core.monitor import new_signal
from nscd_engine.kernels.linalg.cholesky import BLOCK, STRIP, THICK, factor_tasks
from nscd_engine.kernels.linalg.substitution import substitute
from nscd_engine.kernels.solvers.pair_grouping import same_pairs
from nscd_engine.linalg.choice import fits, is_iterated, iterating_pays
from nscd_engine.linalg.conjugate_gradients import block_structure
from nscd_engine.linalg.symbolic import eliminate, lay_out

#: Structures of factors kept for the next analysis of the same graph, as while a slider moves [-]. More: memory.
RECENT = 4
#: Most bodies of a structure that is kept [-]. More: memory, while their order takes little of the time of a solve.
LARGEST = 5000
#: Numbers of a factor from which several threads solve with it [-]: about two milliseconds of work. Larger: threads are
#: idle. Smaller: starting them takes longer than the work.
WORTH_SHARING = 3e6
_recent: Deque[Any] = deque(maxlen=RECENT)
_counted: Tuple[Callable[[], Any], int] = (lambda: None, 0)  # first columns of a structure, and how often it looks


def factorised(sym, factor, arena, threads, monitor=None):
    """Turn the panels of a matrix into those of its factor; False if rounding has made it indefinite.

    CancelledError if the monitor is cancelled meanwhile.
    """
    watching = contextlib.nullcontext(new_signal()) if monitor is None else monitor.watching(_known_looks(sym))
    last = len(sym.task_start) - 2
    with watching as signal:

        def tasks(first, last):
            return factor_tasks(sym, factor, arena, first, last, signal) < 0

        if last == 0 or threads.count == 1:
            return tasks(0, last + 1)
        return threads.run(lambda task: tasks(task, task + 1), range(last)) and tasks(last, last + 1)


def solve_factored(sym, factor, arena, b, x, threads):
    """x = A^-1 b for b, x (N, 6) in the order of the bodies; `arena` is working memory."""
    y, last = b[sym.order].ravel(), len(sym.task_start) - 2

    def tasks(first, last, back):
        substitute(sym, factor, arena, y, first, last, back)
        return True

    if last == 0 or threads.count == 1 or len(factor) < WORTH_SHARING:
        tasks(0, last + 1, False)
        tasks(0, last + 1, True)
    else:
        threads.run(lambda task: tasks(task, task + 1, False), range(last))
        tasks(last, last + 1, False)
        tasks(last, last + 1, True)
        threads.run(lambda task: tasks(task, task + 1, True), range(last))
    x[sym.order] = y.reshape(-1, 6)


def looks(sym):
    """How often a factorisation looks whether it has to stop: in every panel, at bounded amounts of work."""
    p, h = 6 * np.diff(sym.first), 6 * np.diff(sym.row_start)
    strips = np.where(p >= THICK, -(-h // STRIP), h > 0)
    return int((-(-p // BLOCK) + strips).sum())


def _known_looks(sym):
    """`looks`, counted once for the structure that is factorised again and again."""
    global _counted
    structure, number = _counted
    if structure() is not sym.first:
        number = looks(sym)
        _counted = weakref.ref(sym.first), number
    return number


def symbolic(body, count, earlier=None, monitor=None, iterative=False):
    """The structure of the factor for contacts between bodies (C, 2) of `count`.

    It is `earlier`, or that of a recent analysis, if the same bodies touch; it does not depend on earlier ones. If
    `iterative`, it is that of conjugate gradients where they are estimated to take less time, or the factor does not
    fit in memory.
    """
    for known in [earlier, *list(_recent)]:
        if known is None or len(known.order) != count or (is_iterated(known) and not iterative):
            continue
        if same_pairs(body, known.pair_start, known.other):
            return known
    pairs = _touching(body, count)
    structure = eliminate(count, pairs, monitor)
    if iterative and iterating_pays(structure, len(pairs)):
        return block_structure(count, pairs)
    found = lay_out(structure, pairs)
    if count <= LARGEST:
        _recent.append(found)
    return found


def structure_of(body, count):
    """As `symbolic`, for a problem that is solved once: no known structure is looked for, and none is kept."""
    pairs = _touching(body, count)
    return lay_out(eliminate(count, pairs), pairs)


def fitting_factor(sym, monitor=None):
    """The structure of the factor of the bodies of another structure; None if it does not fit in memory."""
    pairs = np.column_stack([np.repeat(np.arange(len(sym.order)), np.diff(sym.pair_start)), sym.other])
    structure = eliminate(len(sym.order), pairs, monitor)
    return lay_out(structure, pairs) if fits(structure) else None


def _touching(body, count):
    """Pairs (K, 2) of different free bodies that touch, the smaller first, sorted, each once."""
    low, high = np.minimum(body[:, 0], body[:, 1]).astype(np.int64), np.maximum(body[:, 0], body[:, 1])
    key = (low * count + high)[low >= 0]
    if len(key):  # most contacts join the same bodies as the one before: few are left to sort
        key = key[np.append(True, key[1:] != key[:-1])]
    key = np.unique(key)
    return np.column_stack(np.divmod(key, max(count, 1)))
