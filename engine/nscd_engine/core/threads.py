"""Independent tasks on several threads; the kernels they call release the interpreter lock."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple

CORES = os.cpu_count() or 1

_pool: Optional[ThreadPoolExecutor] = None


def _shared_pool():
    """One pool for the process: concurrent analyses share the cores."""
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(max(1, CORES - 1), thread_name_prefix="nscd-solver")
    return _pool


class Threads:
    """Runs independent tasks on several threads.

    Parameters
    ----------
    count : int
        Threads, that of the caller included; 0: as many as the machine has.
    """

    def __init__(self, count: int):
        self.count = min(int(count) or CORES, CORES)

    def run(self, function: Callable, tasks: Iterable) -> bool:
        """Call function(task) for every task; whether all returned true."""
        waiting = list(tasks)[::-1]
        if self.count == 1 or len(waiting) < 2:
            return all([function(task) for task in reversed(waiting)])

        def work():
            done = True
            while True:
                try:
                    task = waiting.pop()
                except IndexError:
                    return done
                done = function(task) and done

        helpers = [_shared_pool().submit(work) for _ in range(min(self.count, len(waiting)) - 1)]
        done = work()
        # A helper that has not started yet, because another analysis uses its thread, has nothing left to do.
        return all([helper.cancel() or helper.result() for helper in helpers]) and done

    def map(self, function: Callable, tasks: Sequence) -> List[Any]:
        """function(task) of every task, in the order of the tasks."""
        found: List[Any] = [None] * len(tasks)

        def work(k: int) -> bool:
            found[k] = function(tasks[k])
            return True

        self.run(work, range(len(tasks)))
        return found


def shares(total: int, count: int) -> List[Tuple[int, int]]:
    """First and end of `count` shares of `total` rows, as equal as can be."""
    edges = [total * k // count for k in range(count + 1)]
    return list(zip(edges[:-1], edges[1:]))
