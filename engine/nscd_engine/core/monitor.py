"""Progress of a running analysis, and its cancellation."""

from __future__ import annotations

import contextlib
from typing import Callable, Iterator, Optional

import numpy as np

from compas_nscd.errors import CancelledError

#: Entries of `Monitor.signal`: whether to stop, and how often a kernel has looked.
STOP, LOOKS = 0, 1


def new_signal() -> np.ndarray:
    """What a kernel looks at while it works (2,) int64."""
    return np.zeros(2, np.int64)


class Monitor:
    """Progress of one job; shared by the thread that works and the threads that answer clients.

    Parameters
    ----------
    compiling : bool, optional
        Kernels are not compiled yet: the first run takes far longer than the next.
    kernels : callable, optional
        How many of them are compiled, in words: ", 12 of 31 kernels".
    """

    def __init__(self, compiling: bool = False, kernels: Callable[[], str] = str):
        self.compiling = compiling
        self._kernels = kernels
        self._doing = ""
        self.fraction: Optional[float] = None
        self.signal = new_signal()
        self._looks = 0  # of the kernel at work, in all

    @property
    def cancelled(self) -> bool:
        """Whether the next `report` raises CancelledError, and kernels that look at the signal stop."""
        return bool(self.signal[STOP])

    @cancelled.setter
    def cancelled(self, value: bool) -> None:
        self.signal[STOP] = value

    @property
    def phase(self) -> str:
        """What is being done; while kernels are compiled, how many of them are done at this moment."""
        if not self.compiling:
            return self._doing
        text = "compiling, first time only" + self._kernels()
        return "{}: {}".format(text, self._doing) if self._doing else text

    def cancel(self) -> None:
        """Make the next `report` raise CancelledError, and the kernel at work stop at its next look."""
        self.cancelled = True

    def told(self) -> str:
        """The phase, and which share of its work the kernel has done that takes long."""
        share = self.signal[LOOKS] / self._looks if self._looks else 0.0
        return "{}, factor {:.0f} %".format(self.phase, 100.0 * share) if 0.0 < share < 1.0 else self.phase

    @contextlib.contextmanager
    def watching(self, looks: int) -> Iterator[np.ndarray]:
        """The signal (2,) for a kernel that looks at it so many times; CancelledError afterwards if it had to stop."""
        self.signal[LOOKS], self._looks = 0, looks
        try:
            yield self.signal
        finally:
            self._looks = 0
        self.heed()

    def report(self, phase: str, fraction: Optional[float] = None) -> None:
        """Set the phase and the fraction done [-]; raise CancelledError if the job was cancelled."""
        self._doing = phase
        self.fraction = fraction
        self.heed()

    def heed(self) -> None:
        """Raise CancelledError if the job was cancelled."""
        if self.cancelled:
            raise CancelledError("The job was cancelled while {}.".format(self._doing))
