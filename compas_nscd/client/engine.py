"""The engine as seen by the client: start or reuse the process, submit analyses, wait, cancel."""

import atexit
import os
import threading
import time
import weakref

from compas_nscd.client import process
from compas_nscd.client.channel import Unsent
from compas_nscd.client.home import locked
from compas_nscd.client.interpreter_choice import choose
from compas_nscd.client.job import Job
from compas_nscd.client.requests import case_of, scene
from compas_nscd.errors import EngineDiedError, InputError

_open = weakref.WeakSet()


class Engine:
    """The process that computes; started when first needed, shared by all who want the same one.

    Parameters
    ----------
    python : str, optional
        Python that runs the engine. Else the environment variable ``NSCD_PYTHON`` names it, else it is the one that
        runs this program. ``info`` tells which was taken and why.
    idle_s : float, optional
        The engine leaves after so many seconds without work; it is started again when needed. 0 is never.
    reuse : bool, optional
        Use an engine that already runs, also one of another program. An engine that is not reused is stopped by
        ``close``; a shared one stays for the next ``Engine`` of this program and leaves with it at the latest.
    start_s : float, optional
        Longest time to wait for the engine to come up.
    tcp : bool, optional
        Talk through a port of 127.0.0.1 instead of a socket file or a named pipe.

    Examples
    --------
    >>> with Engine() as engine:                         # doctest: +SKIP
    ...     result = engine.static(structure, case)
    ...     result.verdict
    'stable'
    """

    def __init__(self, python=None, idle_s=900.0, reuse=True, start_s=60.0, tcp=False, options=()):
        self._python = python
        self._reuse = reuse
        self._start_s = start_s
        self._idle_s = idle_s
        self._options = (["--tcp"] if tcp else []) + list(options)
        self._channel = None
        self._pid = None
        self._place = None
        self._lock = threading.RLock()
        #: dict: python, reason, version, pid, started (by this object), start_s, home, log, note
        self.info = {}

    def __enter__(self):
        return self.start()

    def __exit__(self, *exception):
        self.close()

    def start(self):
        """Connect to a running engine or start one, unless that was done.

        Returns
        -------
        Engine
            itself

        Raises
        ------
        EngineStartError, AuthenticationError
        """
        with self._lock:
            if self._channel is None or self._pid != os.getpid():  # a forked child needs connections of its own
                self._channel = self._connected()
                self._pid = os.getpid()
                _open.add(self)
        return self

    def close(self):
        """Disconnect. Jobs that still run are cancelled; the engine stays for others, unless it is not shared."""
        with self._lock:
            channel, self._channel = self._channel, None
            if channel is not None:
                channel.close()
                if not self._reuse:
                    process.release(self._place)

    def stop(self):
        """Stop the engine, also for others."""
        with self._lock:
            if self._channel is not None:
                try:
                    self._channel.request({"verb": "shutdown"})
                except (OSError, EOFError):
                    pass  # it has gone already
                self._channel.close()
                self._channel = None
                process.release(self._place)

    def request(self, verb, **body):
        """Send one request and return the reply.

        Raises
        ------
        NscdError
            What the engine answered with, or EngineDiedError if there is no engine any more.
        """
        channel = self.start()._channel
        try:
            return channel.request(dict(body, verb=verb))
        except (OSError, EOFError):
            raise self._died(channel) from None

    def submit(self, verb, body=None):
        """Start an analysis.

        Parameters
        ----------
        verb : str
        body : dict, optional
            Numbers, text, lists, dicts and arrays.

        Returns
        -------
        Job
        """
        channel, reply = self._fresh(verb, body or {})
        return Job(self, reply["job"], verb, channel)

    def ping(self):
        """Ask the engine whether it is there.

        Returns
        -------
        dict
            version, pid, python, jobs, log, cache, libraries
        """
        return self._fresh("ping", {})[1]

    def static(self, structure, case=None, settings=None, wait=True, progress=None):
        """Does it stand, with which forces, or how does it fall.

        Parameters
        ----------
        structure : Structure
        case : LoadCase, optional
            Else the one that came with the structure, else gravity alone.
        settings : Settings, optional
        wait : bool, optional
            False to get a Job at once.
        progress : callable, optional
            Called with the job's ``progress`` while waiting.

        Returns
        -------
        StaticResult or Job
        """
        from compas_nscd.results.static import StaticResult

        case = case_of(structure, case)
        job = self.submit("static", scene(structure, case, settings))
        job.convert = lambda reply: StaticResult.from_reply(reply, structure, case)
        return job.result(progress=progress) if wait else job

    def limit(self, structure, case=None, vary="loads", settings=None, coulomb=True, wait=True, progress=None):
        """How far it is from collapse, and how it would collapse.

        Parameters
        ----------
        structure : Structure
        case : LoadCase, optional
            Else the one that came with the structure, else gravity alone.
        vary : str
            ``loads``, ``acceleration:x``, ``tilt:x``, ``polar:24``, ``friction``, ``spread:x``: see `limit_request`.
        settings : Settings, optional
        coulomb : bool or int, optional
            Estimate the multiplier without dilatancy too, which takes some twenty times as long where joints slide; in
            so many rounds at most, with the warning `coulomb_unsettled` if they were too few.
        wait, progress
            As in `static`.

        Returns
        -------
        LimitResult or Job
        """
        from compas_nscd.client.limit_request import limit_request
        from compas_nscd.results.limit import LimitResult

        case = case_of(structure, case)
        job = self.submit("limit", limit_request(structure, case, vary, settings, coulomb))
        job.convert = lambda reply: LimitResult.from_reply(reply, structure, case, vary)
        return job.result(progress=progress) if wait else job

    def limit_parameter(self, build, low, high, **options):
        """Where a parameter of the shape, between two values, makes it fall; see `limit_parameter`."""
        from compas_nscd.client.limit_parameter import limit_parameter

        return limit_parameter(self, build, low, high, **options)

    def force_range(
        self, structure, case=None, interfaces=None, direction=None, settings=None, wait=True, progress=None
    ):
        """Least and greatest force of joints over all force systems that balance the loads.

        Parameters
        ----------
        structure : Structure
        case : LoadCase, optional
        interfaces : list of (block, block), optional
            All joints if left out, which takes two solutions each.
        direction : sequence of 3 floats, optional
            Along which the force on the second block is measured; else the normal, compression positive.

        Returns
        -------
        ForceRanges or Job
        """
        from compas_nscd.client.force_range_request import force_range_request
        from compas_nscd.results.force_range import force_ranges

        case = case_of(structure, case)
        job = self.submit("force_range", force_range_request(structure, case, interfaces, direction, settings))
        job.convert = lambda reply: force_ranges(reply, structure)
        return job.result(progress=progress) if wait else job

    def check(self, structure, settings=None, progress=None):
        """Report on the geometry: defects of blocks, interfaces, overlaps, isolated blocks, slivers.

        Blocks that cannot be analysed are listed, and the joints of the others examined.

        Returns
        -------
        dict
            What the engine answers to `check`, with the lists of defects of `Structure.report`.
        """
        from compas_nscd.loads.case import LoadCase
        from compas_nscd.model.settings import Settings

        part = structure.sound_part()
        settings = Settings(**dict(settings.__data__ if settings else {}, unsupported=True))
        reply = self.submit("check", scene(part, LoadCase(), settings)).result(progress=progress)
        warnings = structure.warnings + reply["warnings"]
        return dict(reply, blocks=len(structure), warnings=warnings, **structure.report.lists())

    def dynamic(self, structure, case=None, duration=1.0, time_step=1e-3, settings=None, **options):
        """How it moves.

        Parameters
        ----------
        structure : Structure
        case : LoadCase, optional
            Else the one that came with the structure, else gravity alone.
        duration : float
            [s]
        time_step : float or "auto"
            [s]
        settings : Settings, optional
        **options
            friction, probes, forces, interval, restart, ...: see `dynamic_request`.

        Returns
        -------
        Job
            Its result is a DynamicResult; after ``cancel`` it is what had been computed by then.
        """
        from compas_nscd.client.dynamic_request import dynamic_request
        from compas_nscd.results.dynamic import DynamicResult

        case = case_of(structure, case)
        request = dynamic_request(structure, case, duration, time_step, settings, **options)
        job = self.submit("dynamic", request)
        job.convert = lambda reply: DynamicResult.from_reply(reply, structure, case)
        job.record = request["motion"]["record"]
        return job

    def records(self):
        """What motions have left that were cancelled or broken off by a crash, the latest first.

        Returns
        -------
        list of dict
            record: name, written: when last [s since 1970], bytes
        """
        return self.submit("records").result()["records"]

    def recover(self, record, structure=None, case=None):
        """What a motion had recorded before it was broken off: all but what came after its last frame.

        Parameters
        ----------
        record : Job or str
            The job of the motion, or the name of the record if the program that started it has gone too.
        structure : Structure, optional
            That of the motion, if there is no job.
        case : LoadCase, optional

        Returns
        -------
        DynamicResult
            Its ``summary["ended"]`` is "broken off"; `restart` goes on from the last checkpoint.
        """
        from compas_nscd.results.dynamic import DynamicResult

        job = record if isinstance(record, Job) else None
        if job is None and structure is None:
            raise InputError("A record alone does not have the blocks.", remedy="Give the structure that moved.")
        reply = self.submit("recover", {"record": job.record if job else record}).result()
        return job.convert(reply) if job else DynamicResult.from_reply(reply, structure, case)

    def warm(self, progress=None):
        """Compile every kernel now, so that the first analysis is fast."""
        return self.submit("warm").result(progress=progress)

    def _fresh(self, verb, body):
        """(channel, reply) to a request that any engine can answer: if the known one has gone, a new one is asked."""
        message = dict(body, verb=verb)
        for tries_left in (2, 1, 0):
            channel = self.start()._channel
            try:
                return channel, channel.request(message)
            except (OSError, EOFError) as error:
                self._forget(channel)
                # An idle one may leave at the very moment of the request; after a crash nothing is tried again.
                harmless = isinstance(error, Unsent) or process.left_by_itself(self._place)
                if not (harmless and tries_left):
                    raise self._died(channel) from None

    def _connected(self):
        began = time.perf_counter()
        interpreter = choose(self._python)
        place = self._place = process.Place(interpreter, self._options, shared=self._reuse)
        channel, found = process.connect(place)
        started = channel is None
        if started:
            with locked(place.lock):
                channel, found = process.connect(place)  # another client may have been faster
                started = channel is None
                if started:
                    process.prune(place)
                    process.launch(place, interpreter, self._options + ["--idle", str(self._idle_s)], self._start_s)
                    channel, found = process.connect(place, new=True)
        if channel is None:
            raise EngineDiedError("The engine ended as soon as it was up.\n{}".format(place.tail()), log=place.log)
        self.info = {
            "python": interpreter.path,
            "reason": interpreter.reason,
            "version": found["version"],
            "pid": found["pid"],
            "started": started,
            "start_s": time.perf_counter() - began,
            "home": place.home,
            "log": place.log,
            "note": place.note,
        }
        return channel

    def _forget(self, channel):
        with self._lock:
            if self._channel is channel:
                channel.close()
                self._channel = None

    def _died(self, channel):
        """The error for a broken connection; the next request starts anew."""
        self._forget(channel)
        ended = process.how_it_ended(process.child(self._place))
        return EngineDiedError(
            "The engine (process {}) ended while it was needed: {}.".format(self.info.get("pid"), ended),
            remedy="The next call starts a new one. Its log is {}.".format(self.info.get("log")),
            log=self.info.get("log"),
            pid=self.info.get("pid"),
        )


@atexit.register
def _close_all():
    """An engine that nobody closed would see its client until the very end of this process, and stay as long."""
    for engine in list(_open):
        engine.close()
