"""Jobs: each runs in a thread of its own, a few at a time; the others wait in a queue."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections import OrderedDict, deque
from typing import Any, Callable, Deque, Dict, Optional

from compas_nscd.errors import CancelledError, EngineError, NscdError, ProtocolError
from nscd_engine.core.monitor import Monitor

#: Jobs that run at once. More: they slow each other down. Fewer: one long analysis blocks a slider.
RUNNING = 4
#: Longest time that a cancelled job may take to give what it has computed so far [s]. Longer: a cancel is heard late.
#: Shorter: a long step costs the whole motion, which is then read from its record.
GRACE_S = 0.8
#: Finished jobs kept for clients that have not fetched them yet. More: memory of clients that died. Fewer: a client
#: that submits many jobs loses results.
KEPT = 32
#: Longest time that a finished job is kept [s]. Longer: memory of clients that died. Shorter: a slow client loses it.
KEPT_S = 600.0

Work = Callable[[Monitor], Dict[str, Any]]

log = logging.getLogger(__name__)


class Job:
    """One piece of work. `state` is queued, running, done, failed or cancelled.

    A job with `partial` ends soon after it is cancelled, and its result is what it has computed so far.
    """

    def __init__(
        self, number: int, verb: str, work: Work, monitor: Monitor, owner: Optional[Any] = None, partial: bool = False
    ) -> None:
        self.id = number
        self.verb = verb
        self.work: Optional[Work] = work
        self.monitor = monitor
        self.owner = owner
        self.partial = partial
        self.state = "queued"
        self.result: Optional[Dict[str, Any]] = None
        self.error: Optional[NscdError] = None
        self.submitted = time.monotonic()
        self.ended: Optional[float] = None
        self.finished = threading.Event()

    def begin(self) -> None:
        """Mark the job as running."""
        self.state = "running"

    def end(self, state: str, result: Optional[Dict[str, Any]] = None, error: Optional[NscdError] = None) -> None:
        """Keep the outcome and wake the threads that wait for it."""
        self.work = None  # the request may hold large arrays
        self.state, self.result, self.error = state, result, error
        self.ended = time.monotonic()
        self.finished.set()
        after, why = self.ended - self.submitted, ": {}".format(error) if error else ""
        log.info("job %d %s: %s after %.3f s%s", self.id, self.verb, state, after, why)

    def status(self) -> Dict[str, Any]:
        """State, phase, fraction done and time since it was submitted [s]."""
        elapsed = (self.ended or time.monotonic()) - self.submitted
        monitor = self.monitor
        return {"state": self.state, "phase": monitor.told(), "fraction": monitor.fraction, "elapsed_s": elapsed}


class Jobs:
    """All jobs of one engine. Every method may be called from any thread."""

    def __init__(self, running: int = RUNNING, kept: int = KEPT, kept_s: float = KEPT_S) -> None:
        self._running = running
        self._kept = kept
        self._kept_s = kept_s
        self._jobs: OrderedDict[int, Job] = OrderedDict()
        self._queue: Deque[Job] = deque()
        self._threads = 0
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)

    def submit(
        self,
        verb: str,
        work: Work,
        monitor: Optional[Monitor] = None,
        owner: Optional[Any] = None,
        partial: bool = False,
    ) -> Job:
        """Queue `work(monitor) -> dict` and return its Job."""
        with self._lock:
            self._forget()
            job = Job(next(self._numbers), verb, work, monitor or Monitor(), owner, partial)
            self._jobs[job.id] = job
            self._queue.append(job)
            self._start()
        return job

    def get(self, number: Any) -> Job:
        """The job of this number; ProtocolError if there is none."""
        with self._lock:
            job = self._jobs.get(number) if type(number) is int else None
        if job is None:
            raise ProtocolError("There is no job {!r:.40} in this engine, or its result was fetched.".format(number))
        return job

    def fetched(self, job: Job) -> None:
        """Drop a finished job whose client has the result."""
        with self._lock:
            self._jobs.pop(job.id, None)

    def cancel(self, job: Job) -> None:
        """Ask the work to stop, and end the job for all that wait for it.

        The thread runs on until its next report, and counts as running until then. A job with `partial` has GRACE_S
        for its result.
        """
        with self._lock:
            job.monitor.cancel()
            waits = job.partial and job.state == "running"
        if waits:
            late = threading.Timer(GRACE_S, self._give_up, [job])
            late.daemon = True
            late.start()
        else:
            self._give_up(job)

    def _give_up(self, job):
        with self._lock:
            if not job.finished.is_set():
                remedy = "`recover` reads what it had recorded." if job.partial and job.state == "running" else None
                job.end("cancelled", error=CancelledError("The job was cancelled.", remedy=remedy))

    def cancel_of(self, owner: Any) -> None:
        """Cancel and drop the jobs of a client that has disconnected."""
        with self._lock:
            left = [job for job in self._jobs.values() if job.owner == owner]
        for job in left:
            self.cancel(job)
            self.fetched(job)

    def active(self) -> int:
        """Number of jobs that run or wait."""
        with self._lock:
            return self._threads + len(self._queue)

    def _start(self):
        while self._queue and self._threads < self._running:
            job = self._queue.popleft()
            if job.finished.is_set():
                continue  # cancelled while it waited
            job.begin()
            self._threads += 1
            name = "job {} {}".format(job.id, job.verb)
            threading.Thread(target=self._run, args=(job,), name=name, daemon=True).start()

    def _run(self, job):
        state, result, error = "failed", None, None
        try:
            result = job.work(job.monitor)
            state = "cancelled" if job.partial and job.monitor.cancelled else "done"
        except CancelledError as raised:
            state, error = "cancelled", raised
        except NscdError as raised:
            error = raised
        except MemoryError:
            error = EngineError(
                "The engine ran out of memory during '{}'.".format(job.verb),
                remedy="Analyse fewer blocks at once, or close other programs.",
            )
        except BaseException as raised:  # whatever a job does, the engine survives and the client gets an error
            log.exception("job %d %s", job.id, job.verb)
            error = EngineError(
                "The engine failed during '{}': {}: {}".format(job.verb, type(raised).__name__, raised),
                remedy="This is a fault of the program: please report it with the engine's log.",
                exception=type(raised).__name__,
            )
        with self._lock:
            if not job.finished.is_set():
                job.end(state, result, error)
            self._threads -= 1
            self._start()

    def _forget(self):
        ended = [job for job in self._jobs.values() if job.finished.is_set()]
        too_old = time.monotonic() - self._kept_s
        excess = len(ended) - self._kept + 1
        for k, job in enumerate(sorted(ended, key=lambda job: job.ended)):
            if k < excess or job.ended < too_old:
                del self._jobs[job.id]
