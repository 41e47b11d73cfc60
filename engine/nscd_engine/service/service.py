"""Verbs: a request goes in, a reply comes out. Independent of sockets, so that tests call it directly."""

from __future__ import annotations

import logging
import os
import platform
import threading
import time
from typing import Any, Dict, Optional

from compas_nscd import __version__, wire
from compas_nscd.errors import EngineError, NscdError, ProtocolError
from nscd_engine import kernel_cache
from nscd_engine.core import later
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import compile_ahead, libraries, needed_kernels
from nscd_engine.service.jobs import Jobs
from nscd_engine.service.verbs import ANALYSES, COMPILED, PARTIAL, kernels_of, run

#: Longest time one `result` request waits [s]; to wait longer a client asks again. Longer: threads of clients that have
#: gone stay longer. Shorter: more messages.
LONGEST_WAIT_S = 60.0
#: The verb that compiles all kernels. It runs the analyses, so it is not one of them.
WARM = {"warm": "nscd_engine.service.warm_up:run"}

log = logging.getLogger(__name__)


class Service:
    """Answers requests.

    Parameters
    ----------
    analyses : dict, optional
        Verb -> "module:function"; `warm` is added.
    log_path : str, optional
        In the reply to `ping`.
    """

    def __init__(self, analyses: Dict[str, str] = ANALYSES, log_path: Optional[str] = None) -> None:
        libraries.start_loading()
        self.jobs = Jobs()
        self.stopping = threading.Event()
        self.last_request = time.monotonic()
        self._analyses = dict(analyses, **WARM)
        self._log_path = log_path
        self._verbs = {
            "ping": self._ping,
            "status": self._status,
            "result": self._result,
            "cancel": self._cancel,
            "shutdown": self._shutdown,
        }

    def idle_s(self) -> float:
        """Time since the last request [s]; 0 while a job runs or waits."""
        return 0.0 if self.jobs.active() else time.monotonic() - self.last_request

    def answer(self, message: bytes, owner: Optional[Any] = None) -> bytes:
        """Bytes of a request -> bytes of its reply. Never raises: errors are replies."""
        try:
            reply = self.handle(wire.unpack(message), owner)
        except NscdError as error:
            reply = refusal(error)
        except Exception as error:
            log.exception("request")
            reply = refusal(EngineError("The engine failed: {}: {!s:.200}".format(type(error).__name__, error)))
        return _packed(reply)

    def handle(self, request: Any, owner: Optional[Any] = None) -> Dict[str, Any]:
        """Request -> reply, both dicts."""
        self.last_request = time.monotonic()
        try:
            verb = request.get("verb") if isinstance(request, dict) else None
            if not isinstance(verb, str):
                raise ProtocolError("A request is a dict with a verb.")
            if verb in self._verbs:
                return dict(self._verbs[verb](request), ok=True)
            if verb in self._analyses:
                return {"ok": True, "job": self._submit(verb, request, owner).id}
            known = ", ".join(sorted([*self._verbs, *self._analyses]))
            raise ProtocolError("The engine has no verb {!r:.40}; it has {}.".format(verb, known))
        except NscdError as error:
            return refusal(error)

    def _submit(self, verb, request, owner):
        target = self._analyses[verb]
        part = kernels_of(verb, request)
        compiled = verb in COMPILED or verb in WARM
        compiling = compiled and not kernel_cache.is_warm(part)

        def work(monitor):
            if compiled:
                libraries.need(monitor)
            if compiling:
                compile_ahead.compile_missing(part, monitor)
            result = run(target, request, monitor)
            if compiling and not later.awaited:
                kernel_cache.mark_warm(part)
            return result

        monitor = Monitor(compiling, lambda: needed_kernels.progress(part))
        return self.jobs.submit(verb, work, monitor, owner, verb in PARTIAL)

    def _ping(self, request):
        return {
            "version": __version__,
            "pid": os.getpid(),
            "python": platform.python_version(),
            "jobs": self.jobs.active(),
            "log": self._log_path,
            "cache": {
                "path": kernel_cache.state["path"],
                "warm": kernel_cache.is_warm(),
                "missing": sorted(needed_kernels.missing(needed_kernels.needed())),
                "note": kernel_cache.state["note"],
            },
            "libraries": libraries.status(),
        }

    def _status(self, request):
        return self.jobs.get(request.get("job")).status()

    def _result(self, request):
        job = self.jobs.get(request.get("job"))
        wait_s = request.get("wait_s", 0.0)
        if not isinstance(wait_s, (int, float)) or isinstance(wait_s, bool) or wait_s != wait_s:
            raise ProtocolError("wait_s should be a number of seconds, not {!r:.40}.".format(wait_s))
        if not job.finished.wait(min(max(wait_s, 0.0), LONGEST_WAIT_S)):
            return job.status()
        self.jobs.fetched(job)
        if job.error is not None:
            raise job.error
        return dict(job.status(), result=job.result)

    def _cancel(self, request):
        job = self.jobs.get(request.get("job"))
        self.jobs.cancel(job)
        return {"state": job.state}

    def _shutdown(self, request):
        self.stopping.set()
        return {}


def _packed(reply):
    """Bytes of a reply; of a refusal if it cannot be packed, and of an error without its detail."""
    try:
        return wire.pack(reply)
    except NscdError as error:
        log.warning("a reply cannot be sent: %s", error)
        return wire.pack(refusal(error) if reply["ok"] else dict(reply, error=dict(reply["error"], detail={})))


def refusal(error: NscdError) -> Dict[str, Any]:
    """The reply that reports an error."""
    return {"ok": False, "error": error.to_data()}
