"""How a running analysis tells where it stands, and learns that it should stop."""

from compas_nscd.errors import CancelledError


class Monitor:
    """Progress of one job; shared by the thread that works and the threads that answer clients.

    `compiling` says that kernels are not compiled yet, so that the first run takes far longer than the next.
    """

    def __init__(self, compiling=False):
        self.compiling = compiling
        self.phase = "compiling" if compiling else ""
        self.fraction = None
        self.cancelled = False

    def cancel(self):
        """Make the next `report` raise CancelledError."""
        self.cancelled = True

    def report(self, phase, fraction=None):
        """Say what is being done; raise CancelledError if somebody cancelled."""
        self.phase = "compiling: {}".format(phase) if self.compiling else phase
        self.fraction = fraction
        if self.cancelled:
            raise CancelledError("The job was cancelled while {}.".format(phase))
