"""Independent tasks on several threads; the kernels they call release the interpreter lock."""

import os
from concurrent.futures import ThreadPoolExecutor

CORES = os.cpu_count() or 1

_pool = None


def _shared_pool():
    """One pool for the process: several analyses at once share the cores instead of multiplying the threads."""
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(max(1, CORES - 1), thread_name_prefix="nscd-solver")
    return _pool


class Threads:
    """Runs tasks, none of which depends on another, on `count` threads; the caller's is one of them.

    0 threads are as many as the machine has.
    """

    def __init__(self, count):
        self.count = min(int(count) or CORES, CORES)

    def run(self, function, tasks):
        """True if function(task) was true of every task."""
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
        # A helper that another analysis kept from starting has nothing left to do.
        return all([helper.cancel() or helper.result() for helper in helpers]) and done
