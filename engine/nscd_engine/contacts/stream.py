"""Detection in runs of blocks or pairs: memory for one run at a time, several threads, a cancel is heard in between.

Runs depend on the blocks alone, and what is found of a pair does not depend on its run: the same bits for any number of
threads.
"""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.threads import Threads

#: Work of a run [pairs of facets], about a tenth of a second. Larger: a cancel is heard later, and a run takes more
#: memory. Smaller: putting the runs together takes longer.
RUN = 1_000_000.0


class Stream:
    """Runs the stages of one detection.

    Parameters
    ----------
    threads : int, optional
        0: as many as the machine has.
    monitor : Monitor, optional
        For progress and cancellation.
    """

    def __init__(self, threads: int = 1, monitor: Optional[Monitor] = None) -> None:
        self.threads, self.monitor = Threads(threads), monitor or Monitor()

    def report(self, stage: str = "") -> None:
        """Tell what is being done; CancelledError if the analysis was cancelled."""
        self.monitor.report("finding contacts" + (", " + stage if stage else ""))

    def runs(self, stage: str, cost: np.ndarray, function: Callable[[slice], Any]) -> List[Tuple[slice, Any]]:
        """function(rows) of runs of rows, with the rows, in their order.

        Parameters
        ----------
        stage : str
            In the words of the progress.
        cost : array (n,)
            Work of every row [pairs of facets].
        function : callable
            Takes a slice of the rows; called on several threads.
        """
        rows, done = _cut(cost), []

        def work(some: slice) -> Any:
            if self.monitor.cancelled:
                return None
            found = function(some)
            done.append(some)
            if len(rows) > 1 and not self.monitor.cancelled:
                self.report("{} {:.0f} %".format(stage, 100.0 * len(done) / len(rows)))
            return found

        self.report(stage)
        found = self.threads.map(work, rows)
        self.monitor.heed()
        return list(zip(rows, found))


def _cut(cost: np.ndarray) -> List[slice]:
    """Runs of rows of about equal cost; one at least."""
    total = np.cumsum(cost)
    wanted = np.arange(RUN, total[-1] if len(total) else 0.0, RUN)
    edges = np.unique(np.concatenate([[0], np.searchsorted(total, wanted, "right"), [len(total)]]))
    return [slice(int(a), int(b)) for a, b in zip(edges[:-1], edges[1:])] or [slice(0, 0)]
