"""The process of the engine as the client sees it: start or reuse it, send requests, submit jobs, stop it."""

import atexit
import os
import threading
import time
import weakref
from types import TracebackType
from typing import Any, Callable, Dict, Optional, Sequence, Tuple, Type, TypeVar, Union

from compas_nscd import wire
from compas_nscd.client import process
from compas_nscd.client.channel import Channel, Unsent
from compas_nscd.client.home import locked
from compas_nscd.client.interpreters.choice import provide
from compas_nscd.client.job import Job
from compas_nscd.client.requests import Request
from compas_nscd.errors import EngineDiedError

T = TypeVar("T", bound="EngineConnection")

#: Longest wait of `close` for a start in another thread [s]. Larger: Rhino closes later.
CLOSE_S = 0.25

_open: "weakref.WeakSet[EngineConnection]" = weakref.WeakSet()


class EngineConnection:
    """Connection to the process that computes; `Engine` documents its parameters."""

    def __init__(
        self,
        python: Optional[str] = None,
        idle_s: float = process.IDLE_S,
        reuse: bool = True,
        start_s: float = 60.0,
        tcp: bool = False,
        options: Sequence[str] = (),
        progress: Optional[Callable[[str], object]] = None,
    ):
        self._python = python
        self._reuse = reuse
        self._start_s = start_s
        self._idle_s = idle_s
        self._options = (["--tcp"] if tcp else []) + list(options)
        self._channel: Optional[Channel] = None
        self._pid: Optional[int] = None
        self._files: Optional[process.EngineFiles] = None
        self._progress = progress
        self._lock = threading.RLock()
        self._leaving = threading.Event()  # set by `close`: a start that is under way ends
        self.info: Dict[str, Any] = {}

    def __enter__(self: T) -> T:
        return self.start()

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def start(self: T) -> T:
        """Connect to a running engine, or start one; nothing if that was done.

        Returns
        -------
        Engine
            itself

        Raises
        ------
        EngineStartError, AuthenticationError
        """
        self._connection()
        return self

    def close(self) -> None:
        """Disconnect. Running jobs are cancelled; the engine is kept for other clients, unless it is not shared.

        A start that is under way in another thread is cancelled.
        """
        self._leaving.set()
        if not self._lock.acquire(timeout=CLOSE_S):
            return  # the other thread will notice
        try:
            self._leaving.clear()
            channel, self._channel = self._channel, None
            if channel is not None:
                channel.close()
                if not self._reuse:
                    process.release(self._files)
        finally:
            self._lock.release()

    def stop(self) -> None:
        """Stop the engine, also for other clients; one that this program started and that hangs is killed."""
        with self._lock:
            if self._channel is not None:
                try:
                    self._channel.request({"verb": "shutdown"}, wait_s=process.STOP_S)
                except (OSError, EOFError):
                    pass  # it has ended already, or hangs
                self._channel.close()
                self._channel = None
                process.release(self._files, kill=True)

    def request(self, verb: str, **body: Any) -> Dict[str, Any]:
        """Send one request and return the reply.

        Raises
        ------
        NscdError
            The error that the engine answered with, or EngineDiedError if it has ended.
        """
        channel = self._connection()
        try:
            return channel.request(dict(body, verb=verb))
        except (OSError, EOFError):
            raise self._died(channel) from None

    def submit(self, request: Union[Request, str], body: Optional[Dict[str, Any]] = None) -> Job:
        """Start a job.

        Parameters
        ----------
        request : Request or str
            A request, or the verb of one.
        body : dict, optional
            Body of the request if only its verb was given: numbers, text, lists, dicts and arrays.

        Returns
        -------
        Job
        """
        if not isinstance(request, Request):
            request = Request(request, body)
        channel, reply = self._fresh(request.packed)
        return Job(reply["job"], request, channel, self._died)

    def ping(self) -> Dict[str, Any]:
        """Ask the engine whether it runs.

        Returns
        -------
        dict
            version, pid, python, jobs, log, cache, libraries
        """
        return self._fresh(wire.pack({"verb": "ping"}))[1]

    def _fresh(self, packed: bytes) -> Tuple[Channel, Dict[str, Any]]:
        """Channel and reply of a request that any engine can answer: another engine is asked if this one has ended."""
        tries = 3
        while True:
            tries -= 1
            channel = self._connection()
            try:
                return channel, channel.request(packed)
            except (OSError, EOFError) as error:
                self._forget(channel)
                # An idle engine may end at the moment of the request; after a crash the request is not repeated.
                harmless = isinstance(error, Unsent) or process.left_by_itself(self._files)
                if not (harmless and tries):
                    raise self._died(channel) from None

    def _connection(self) -> Channel:
        """Channel to the engine, which is started if it does not run."""
        with self._lock:
            if self._channel is None or self._pid != os.getpid():  # a forked child needs connections of its own
                self._leaving.clear()
                self._channel = self._connect()
                self._pid = os.getpid()
                _open.add(self)
            return self._channel

    def _connect(self) -> Channel:
        began = time.perf_counter()
        left = self._leaving.is_set
        interpreter = provide(self._python, self._progress, left)
        files = self._files = process.EngineFiles(interpreter, self._options, shared=self._reuse)
        channel, found = process.connect(files)
        started = channel is None
        if started:
            with locked(files.lock, cancelled=left):
                channel, found = process.connect(files)  # another client may have been faster
                started = channel is None
                if started:
                    process.prune(files)
                    options = self._options + process.idle_option(self._idle_s)
                    process.launch(files, interpreter, options, self._start_s, left)
                    channel, found = process.connect(files, new=True)
        if channel is None or found is None:
            raise EngineDiedError("The engine ended as soon as it was up.\n{}".format(files.tail()), log=files.log)
        self.info = {
            "python": interpreter.path,
            "reason": interpreter.reason,
            "version": found["version"],
            "pid": found["pid"],
            "started": started,
            "start_s": time.perf_counter() - began,
            "home": files.home,
            "log": files.log,
            "note": files.note,
            "package": found["package"],
        }
        return channel

    def _forget(self, channel: Channel) -> None:
        with self._lock:
            if self._channel is channel:
                channel.close()
                self._channel = None

    def _died(self, channel: Channel, remedy: str = "") -> EngineDiedError:
        """Error for a broken connection; the next request starts another engine."""
        self._forget(channel)
        ended = process.how_it_ended(process.child(self._files))
        next_step = "The next call starts a new one. Its log is {}. {}".format(self.info.get("log"), remedy)
        return EngineDiedError(
            "The engine (process {}) ended while it was needed: {}.".format(self.info.get("pid"), ended),
            remedy=next_step.strip(),
            log=self.info.get("log"),
            pid=self.info.get("pid"),
        )


@atexit.register
def _close_all() -> None:
    """Close what was left open: an engine keeps running as long as it has a client."""
    for connection in list(_open):
        connection.close()
