"""Jobs: each runs in a thread of its own, a few at a time; the others wait in a queue."""

import itertools
import logging
import threading
import time
from collections import OrderedDict, deque

from compas_nscd.errors import CancelledError, EngineError, NscdError, ProtocolError
from nscd_engine.core.monitor import Monitor

#: Jobs that run at once. More only slow each other down; fewer would let one long analysis block a slider.
RUNNING = 4
#: Finished jobs kept for clients that have not fetched them yet, and for how long [s]: a client may have died.
KEPT = 32
KEPT_S = 600.0

log = logging.getLogger(__name__)


class Job:
    """One piece of work. `state` is queued, running, done, failed or cancelled.

    A job with `partial` ends by itself soon after it was cancelled, and its result is what it had by then.
    """

    def __init__(self, number, verb, work, monitor, owner=None, partial=False):
        self.id = number
        self.verb = verb
        self.work = work
        self.monitor = monitor
        self.owner = owner
        self.partial = partial
        self.state = "queued"
        self.result = None
        self.error = None
        self.submitted = time.monotonic()
        self.ended = None
        self.finished = threading.Event()

    def status(self):
        elapsed = (self.ended or time.monotonic()) - self.submitted
        monitor = self.monitor
        return {"state": self.state, "phase": monitor.phase, "fraction": monitor.fraction, "elapsed_s": elapsed}


class Jobs:
    """All jobs of one engine. Every method may be called from any thread."""

    def __init__(self, running=RUNNING, kept=KEPT, kept_s=KEPT_S):
        self._running = running
        self._kept = kept
        self._kept_s = kept_s
        self._jobs = OrderedDict()
        self._queue = deque()
        self._threads = 0
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)

    def submit(self, verb, work, compiling=False, owner=None, partial=False):
        """Queue `work(monitor) -> dict` and return its Job."""
        with self._lock:
            self._forget()
            job = Job(next(self._numbers), verb, work, Monitor(compiling), owner, partial)
            self._jobs[job.id] = job
            self._queue.append(job)
            self._start()
        return job

    def get(self, number):
        with self._lock:
            job = self._jobs.get(number) if type(number) is int else None
        if job is None:
            raise ProtocolError("There is no job {!r:.40} in this engine, or its result was fetched.".format(number))
        return job

    def fetched(self, job):
        """Drop a finished job: its client has the result."""
        with self._lock:
            self._jobs.pop(job.id, None)

    def cancel(self, job):
        """Tell the work to stop, and everybody who waits for it that it is cancelled.

        The thread may go on until it next reports, and keeps its place among the running until then.
        """
        with self._lock:
            job.monitor.cancel()
            if not job.finished.is_set() and not (job.partial and job.state == "running"):
                self._end(job, "cancelled", error=CancelledError("The job was cancelled."))

    def cancel_of(self, owner):
        """Cancel what a client that has gone was waiting for."""
        with self._lock:
            left = [job for job in self._jobs.values() if job.owner == owner]
        for job in left:
            self.cancel(job)
            self.fetched(job)

    def active(self):
        """Number of jobs that run or wait."""
        with self._lock:
            return self._threads + len(self._queue)

    def _start(self):
        while self._queue and self._threads < self._running:
            job = self._queue.popleft()
            if job.finished.is_set():
                continue  # cancelled while it waited
            job.state = "running"
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
        except BaseException as raised:  # whatever a job does, the engine lives and the client hears of it
            log.exception("job %d %s", job.id, job.verb)
            error = EngineError(
                "The engine failed during '{}': {}: {}".format(job.verb, type(raised).__name__, raised),
                remedy="This is a fault of the program: please report it with the engine's log.",
                exception=type(raised).__name__,
            )
        with self._lock:
            if not job.finished.is_set():
                self._end(job, state, result, error)
            self._threads -= 1
            self._start()

    def _end(self, job, state, result=None, error=None):
        job.work = None  # the request may hold large arrays
        job.state, job.result, job.error = state, result, error
        job.ended = time.monotonic()
        job.finished.set()
        log.info(
            "job %d %s: %s after %.3f s%s",
            job.id,
            job.verb,
            state,
            job.ended - job.submitted,
            ": {}".format(error) if error else "",
        )

    def _forget(self):
        ended = [job for job in self._jobs.values() if job.finished.is_set()]
        too_old = time.monotonic() - self._kept_s
        excess = len(ended) - self._kept + 1
        for k, job in enumerate(sorted(ended, key=lambda job: job.ended)):
            if k < excess or job.ended < too_old:
                del self._jobs[job.id]
