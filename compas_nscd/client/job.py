"""A job of the engine: its state, its progress, its result, and how it is cancelled."""

import contextlib
import time
from typing import Any, Callable, Dict, Optional

from compas_nscd.client.channel import Channel
from compas_nscd.client.requests import Request
from compas_nscd.errors import EngineDiedError, NscdError

#: Longest wait for a result in one request [s]. Longer: Ctrl-C acts late on Windows. Shorter: more requests.
TURN_S = 0.25
#: The same when the progress is shown [s]. Longer: the display lags. Shorter: more requests.
WATCHED_TURN_S = 0.05

#: Final states of a job.
ENDED = ("done", "failed", "cancelled")

#: Called with the progress of a job while it runs.
Watcher = Callable[[Dict[str, Any]], Any]


class Job:
    """A job of the engine.

    Attributes
    ----------
    id : int
    request : Request
        What was asked; it makes the result of the engine's reply.
    """

    def __init__(
        self, number: int, request: Request, channel: Channel, died: Callable[[Channel, str], EngineDiedError]
    ):
        self.id = number
        self.request = request
        self._channel = channel
        self._died = died  # makes the error for a broken channel, with a further remedy
        self._status: Dict[str, Any] = {"state": "queued", "phase": "", "fraction": None, "elapsed_s": 0.0}
        self._result: Any = None
        self._error: Optional[Exception] = None

    @property
    def verb(self) -> str:
        """Verb of the request."""
        return self.request.verb

    @property
    def record(self) -> Optional[str]:
        """Name of the record that a motion writes; None for other jobs."""
        return self.request.record

    @property
    def state(self) -> str:
        """queued, running, done, failed or cancelled."""
        return self._refreshed()["state"]

    @property
    def progress(self) -> Dict[str, Any]:
        """dict: state, phase, fraction (None if unknown), elapsed [s]."""
        return _progress(self._refreshed())

    @property
    def done(self) -> bool:
        """True once it has ended: done, failed or cancelled."""
        return self.state in ENDED

    def cancel(self) -> None:
        """Cancel it. `result` then raises CancelledError, or for a motion returns what was computed before."""
        if self._status["state"] not in ENDED:
            self._status["state"] = self._ask("cancel")["state"]

    def result(self, timeout: Optional[float] = None, progress: Optional[Watcher] = None) -> Any:
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
            If it is not done in time; it continues.
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

    def _fetch(self, wait_s: float) -> None:
        try:
            reply = self._ask("result", wait_s=wait_s)
        except Exception as error:
            self._error = error
            self._status["state"] = "cancelled" if type(error).__name__ == "CancelledError" else "failed"
            raise
        result = reply.pop("result", None)
        self._status = reply
        if result is not None:
            self._result = self.request.result(result)

    def _refreshed(self) -> Dict[str, Any]:
        if self._status["state"] not in ENDED:
            self._status = self._ask("status")
        return self._status

    def _ask(self, verb: str, **body: Any) -> Dict[str, Any]:
        try:
            return self._channel.request(dict(body, verb=verb, job=self.id))
        except (OSError, EOFError):
            remedy = "" if self.record is None else "`engine.recover(job)` gives what the motion had recorded."
            raise self._died(self._channel, remedy) from None


def _progress(status: Dict[str, Any]) -> Dict[str, Any]:
    progress = {key: status[key] for key in ("state", "phase", "fraction")}
    return dict(progress, elapsed=status["elapsed_s"])
