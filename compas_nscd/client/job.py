"""An analysis under way: where it stands, its result, and how it is stopped."""

import contextlib
import time

from compas_nscd.errors import NscdError

#: Longest time one request waits for a result [s]. Short, because Ctrl-C is not seen during it on Windows.
TURN_S = 0.25
#: The same when somebody watches the progress.
WATCHED_TURN_S = 0.05

#: States in which a job does not change any more.
ENDED = ("done", "failed", "cancelled")


class Job:
    """An analysis under way in the engine.

    Attributes
    ----------
    id : int
    verb : str
    convert : callable
        Makes of the engine's reply what ``result`` returns.
    """

    def __init__(self, engine, number, verb, channel):
        self.id = number
        self.verb = verb
        self.convert = lambda reply: reply
        self._engine = engine
        self._channel = channel
        #: Name of the record that a motion writes; None for other jobs.
        self.record = None
        self._status = {"state": "queued", "phase": "", "fraction": None, "elapsed_s": 0.0}
        self._result = None
        self._error = None

    @property
    def state(self):
        """queued, running, done, failed or cancelled."""
        return self._refreshed()["state"]

    @property
    def progress(self):
        """dict: state, phase, fraction (None if unknown), elapsed [s]."""
        return _progress(self._refreshed())

    @property
    def done(self):
        """True once it has ended, well or not."""
        return self.state in ENDED

    def cancel(self):
        """Stop it. Whoever waits for the result gets CancelledError."""
        if self._status["state"] not in ENDED:
            self._status["state"] = self._ask("cancel")["state"]

    def result(self, timeout=None, progress=None):
        """Wait for the result.

        Parameters
        ----------
        timeout : float, optional
            Longest time to wait [s].
        progress : callable, optional
            Called with ``progress`` while waiting.

        Raises
        ------
        TimeoutError
            If it is not done in time; it goes on.
        NscdError
            If it failed or was cancelled, or if the engine died.
        """
        end = None if timeout is None else time.monotonic() + timeout
        turn = TURN_S if progress is None else WATCHED_TURN_S
        try:
            while self._result is None:
                if self._error is not None:
                    raise self._error
                left = turn if end is None else min(turn, end - time.monotonic())
                self._fetch(max(left, 0.0))
                if progress is not None:
                    progress(_progress(self._status))
                if self._result is None and left <= 0.0:
                    raise TimeoutError("The job is not done after {} s.".format(timeout))
        except KeyboardInterrupt:
            with contextlib.suppress(NscdError):  # it may have ended, or the engine
                self.cancel()
            raise
        return self._result

    def _fetch(self, wait_s):
        try:
            reply = self._ask("result", wait_s=wait_s)
        except Exception as error:
            self._error = error
            self._status["state"] = "cancelled" if type(error).__name__ == "CancelledError" else "failed"
            raise
        result = reply.pop("result", None)
        self._status = reply
        if result is not None:
            self._result = self.convert(result)

    def _refreshed(self):
        if self._status["state"] not in ENDED:
            self._status = self._ask("status")
        return self._status

    def _ask(self, verb, **body):
        try:
            return self._channel.request(dict(body, verb=verb, job=self.id))
        except (OSError, EOFError):
            error = self._engine._died(self._channel)
            if self.record is not None:
                error.remedy += " `engine.recover(job)` gives what the motion had recorded."
            raise error from None


def _progress(status):
    progress = {key: status[key] for key in ("state", "phase", "fraction")}
    return dict(progress, elapsed=status["elapsed_s"])
