"""Progress of a study: runs that are done, rate, and time that is left."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable

#: Interval between two reports [s].
EVERY_S = 0.25

#: Called with state, phase, fraction, done, failed, rate [1/s] and left_s [s].
Watcher = Callable[[dict[str, Any]], Any]


class Progress:
    """Counts runs and reports them.

    Parameters
    ----------
    total : int
        Runs of the study, at most.
    watcher : callable or None
    """

    def __init__(self, total: int, watcher: Watcher | None = None) -> None:
        self.total, self._watcher = total, watcher
        self.done = self.failed = self.reused = 0
        self._first: float | None = None  # moment of the first computed run: engines start and compile before it
        self._reported = 0.0

    def count(self, row: dict[str, Any], reused: bool) -> None:
        """Count a run."""
        self.done += 1
        self.failed += row["error"] is not None
        self.reused += reused
        if not reused and self._first is None:
            self._first = time.perf_counter()
        self.report()

    def report(self, end: bool = False, always: bool = False) -> None:
        """Tell the watcher, if some time has passed or it should know in any case."""
        now = time.perf_counter()
        if self._watcher is not None and (end or always or now - self._reported >= EVERY_S):
            self._reported = now
            self._watcher(self.status(end))

    def status(self, end: bool = False) -> dict[str, Any]:
        """Numbers of the progress."""
        elapsed = 0.0 if self._first is None else time.perf_counter() - self._first
        rate = (self.done - self.reused - 1) / elapsed if elapsed > 0.0 else 0.0
        left = (self.total - self.done) / rate if rate > 0.0 else None
        words = ["{} of {} runs".format(self.done, self.total)]
        if rate > 0.0:
            words.append("{:.3g} a second".format(rate))
        if left is not None and not end:
            words.append("{} left".format(duration(left)))
        if self.failed:
            words.append("{} failed".format(self.failed))
        return {
            "state": "done" if end else "running",
            "phase": ", ".join(words),
            "fraction": self.done / self.total if self.total else 1.0,
            "done": self.done,
            "failed": self.failed,
            "rate": rate,
            "left_s": left,
        }


def duration(seconds: float) -> str:
    """A time for people: 40 s, 12 min, 3.5 h."""
    if seconds < 90.0:
        return "{:.0f} s".format(seconds)
    return "{:.0f} min".format(seconds / 60.0) if seconds < 5400.0 else "{:.1f} h".format(seconds / 3600.0)


def printed(status: dict[str, Any]) -> None:
    """Show the progress in one line that is overwritten, in a terminal or below the cell of a notebook."""
    stream = sys.stdout if "ipykernel" in sys.modules else sys.stderr
    end = "\n" if status["state"] == "done" else ""
    print("\r" + status["phase"].ljust(78), end=end, file=stream, flush=True)
