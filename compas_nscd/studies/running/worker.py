"""What runs inside a worker: one engine, started once, and the study, sent once.

A worker is a process or a thread of any executor. A task names its study by a token; a worker that does not have that
study yet answers so, and is sent it with the next task.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from compas_nscd.client.engine import Engine
from compas_nscd.errors import CancelledError, EngineDiedError, EngineStartError, InputError, NscdError
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.intensity import scaled
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.studies.analyses import analysis_of
from compas_nscd.studies.ground import end_of
from compas_nscd.studies.measures import collapsed, kept
from compas_nscd.studies.parameters import Source, load_case
from compas_nscd.studies.running.keys import process_name, sources_digest

#: Motion after the end of the ground motion, unless the study says otherwise [s]. Shorter: what topples slowly still
#: moves at the end. Longer: more steps.
AFTER_S = 3.0
#: Errors after which a run may succeed if it is tried again.
PASSING = (EngineDiedError, EngineStartError, CancelledError, OSError, MemoryError)

_here = threading.local()
#: Benches of this process.
_benches: list[Bench] = []


class Task(NamedTuple):
    """A run as it is sent to a worker."""

    key: str
    values: Mapping[str, Any]
    motion: int | None
    factor: float | None


class Reply(NamedTuple):
    """Answer of a worker."""

    rows: list[dict[str, Any]] | None  # None if it needs the study
    sources: str  # hash of the sources that computed them
    worker: str


class Model:
    """The study inside a worker.

    Parameters
    ----------
    definition : dict
        `Study.definition`.
    """

    def __init__(self, definition: Mapping[str, Any]) -> None:
        made = definition["made"]
        self.source = Source(
            Structure.__from_data__(made) if isinstance(made, dict) else made, definition["parameters"]
        )
        self.case = None if definition["case"] is None else LoadCase.__from_data__(definition["case"])
        self.motions = [GroundMotion(**data) for data in definition["motions"]]
        self.analysis = analysis_of(definition["analysis"])
        self.options, self.keep = dict(definition["options"]), list(definition["keep"])
        self.settings = Settings(**definition["settings"])
        self._last: tuple[Any, Structure | None] = (None, None)

    def result(self, engine: Engine, task: Task) -> tuple[Any, float]:
        """Result of a run, and the time of its analysis [s]."""
        structure = self._structure(task.values)
        case = load_case(structure, self.case, task.values)
        if task.motion is not None:
            motion = self.motions[task.motion]
            case = LoadCase.__from_data__(dict(case.__data__, ground=[])) if case.ground else _copy(case)
            case.ground = [scaled(motion, task.factor or 1.0)]
        options = self._options(task, case)
        began = time.perf_counter()
        result = self.analysis.run(engine, structure, case, self.settings, options)
        return result, time.perf_counter() - began

    def _structure(self, values: Mapping[str, Any]) -> Structure:
        """Structure of a sample; that of the run before if it had the same sample."""
        mark = repr(sorted(values.items()))
        if self._last[0] != mark or self._last[1] is None:
            self._last = (mark, self.source.structure(values))
        assert self._last[1] is not None
        return self._last[1]

    def _options(self, task: Task, case: LoadCase) -> dict[str, Any]:
        options = dict(self.options)
        for name, value in task.values.items():
            if name.startswith("option."):
                options[name.partition(".")[2]] = value
        if self.analysis.moves:
            after = options.pop("after", AFTER_S)
            ends = [end_of(motion) for motion in case.ground] + [m.start + m.duration for m in case.support_motions]
            if "duration" not in options:
                options["duration"] = _duration(ends, after)
            if "crack_width" in self.keep:
                options["forces"] = True
        return options


def _copy(case: LoadCase) -> LoadCase:
    return LoadCase.__from_data__(case.__data__)


def _duration(ends: Sequence[float | None], after: float) -> float:
    known = [end for end in ends if end is not None]
    if not known or len(known) < len(ends):
        raise InputError("How long does the motion last?", remedy="Give the option `duration` [s].")
    return max(known) + after


class Bench:
    """What a worker keeps between tasks: its engine and the study.

    One for every thread, so that no worker waits for the engine of another.
    """

    def __init__(self) -> None:
        self.thread = threading.current_thread()
        self.token: str | None = None
        self.model: Model | None = None
        self.stopped = False
        # It is started again when needed: an executor of the user may live for days.
        self.engine = Engine(reuse=False)

    def close(self, at_once: bool = False) -> None:
        """End the engine; with `at_once` also what it computes."""
        self.stopped = at_once
        if at_once:
            self.engine.stop()
        self.engine.close()


def compute(token: str, tasks: Sequence[Task], definition: Mapping[str, Any] | None = None) -> Reply:
    """Compute runs in this worker.

    Parameters
    ----------
    token : str
        Name of the study.
    tasks : list of Task
        None of them: the worker only starts its engine.
    definition : dict, optional
        The study; only needed once.
    """
    bench = _bench()
    if bench.token != token:
        if definition is None:
            return Reply(None, "", process_name())
        bench.model, bench.token = Model(definition), token
    bench.engine.start()
    sources = sources_digest(bench.engine.info["package"])
    return Reply([_row(bench, task) for task in tasks], sources, process_name())


def _bench() -> Bench:
    if getattr(_here, "bench", None) is None:
        _here.bench = Bench()
        _benches.append(_here.bench)
    return _here.bench


def close_benches(threads: Collection[threading.Thread], at_once: bool = False) -> None:
    """End the engines of threads of this program."""
    for bench in [each for each in _benches if each.thread in threads]:
        bench.close(at_once)
        _benches.remove(bench)


def _row(bench: Bench, task: Task) -> dict[str, Any]:
    """Row of a run; one that failed has an error, and `again` if it may succeed the next time."""
    assert bench.model is not None
    began = time.perf_counter()
    row: dict[str, Any] = {"key": task.key, "collapse": None, "found": {}, "error": None, "analysis_s": 0.0}
    try:
        result, row["analysis_s"] = _tried(bench, bench.model, task)
        row.update(collapse=collapsed(result), found=kept(result, bench.model.keep))
    except NscdError as error:
        row.update(error=error.to_data(), again=isinstance(error, PASSING))
    except Exception as error:  # a run must not end the others
        text = "{}: {}".format(type(error).__name__, error)
        row.update(error=NscdError(text).to_data(), again=isinstance(error, PASSING))
    row["run_s"] = time.perf_counter() - began
    return row


def _tried(bench: Bench, model: Model, task: Task) -> tuple[Any, float]:
    """Result of a run and the time of its analysis [s]; tried twice if the engine dies."""
    try:
        return model.result(bench.engine, task)
    except EngineDiedError:
        if bench.stopped:
            raise
        return model.result(bench.engine, task)


def begin_worker() -> None:
    """Leave Ctrl-C to the program that started this worker: it ends its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
