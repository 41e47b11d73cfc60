"""Progress of a running analysis, and its cancellation."""

from __future__ import annotations

from typing import Optional

from compas_nscd.errors import CancelledError


class Monitor:
    """Progress of one job; shared by the thread that works and the threads that answer clients.

    Parameters
    ----------
    compiling : bool, optional
        Kernels are not compiled yet: the first run takes far longer than the next.
    """

    def __init__(self, compiling: bool = False):
        self.compiling = compiling
        self.phase = "compiling" if compiling else ""
        self.fraction: Optional[float] = None
        self.cancelled = False

    def cancel(self) -> None:
        """Make the next `report` raise CancelledError."""
        self.cancelled = True

    def report(self, phase: str, fraction: Optional[float] = None) -> None:
        """Set the phase and the fraction done [-]; raise CancelledError if the job was cancelled."""
        self.phase = "compiling: {}".format(phase) if self.compiling else phase
        self.fraction = fraction
        if self.cancelled:
            raise CancelledError("The job was cancelled while {}.".format(phase))
