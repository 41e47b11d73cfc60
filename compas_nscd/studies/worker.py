"""What runs inside a worker: one engine, started once, and the study, sent once.

A worker is a process or a thread of any executor. A task names its study by a token; a worker that does not have that
study yet answers so, and is sent it with the next task.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Mapping, Sequence
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
from compas_nscd.studies.keys import process_name, sources_digest
from compas_nscd.studies.measures import collapsed, kept
from compas_nscd.studies.parameters import Source, load_case

#: Motion after the end of the ground motion, unless the study says otherwise [s]. Shorter: what topples slowly still
#: moves at the end. Longer: more steps.
AFTER_S = 3.0
#: Errors after which a run may succeed if it is tried again.
PASSING = (EngineDiedError, EngineStartError, CancelledError, OSError, MemoryError)

_here = threading.local()


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

    def result(self, engine: Engine, task: Task) -> Any:
        """Result of a run."""
        structure = self._structure(task.values)
        case = load_case(structure, self.case, task.values)
        if task.motion is not None:
            motion = self.motions[task.motion]
            case = LoadCase.__from_data__(dict(case.__data__, ground=[])) if case.ground else _copy(case)
            case.ground = [scaled(motion, task.factor or 1.0)]
        return self.analysis.run(engine, structure, case, self.settings, self._options(task, case))

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
    if definition is None and getattr(_here, "token", None) != token:
        return Reply(None, "", process_name())
    if definition is not None and getattr(_here, "token", None) != token:
        _here.model, _here.token = Model(definition), token
    engine = _engine()
    return Reply([_row(engine, _here.model, task) for task in tasks], _sources(engine), process_name())


def _engine() -> Engine:
    """Engine of this worker, started once; one for every worker, so that none waits for another."""
    if getattr(_here, "engine", None) is None:
        _here.engine = Engine(reuse=False, idle_s=0.0).start()
    return _here.engine


def _sources(engine: Engine) -> str:
    return sources_digest(engine.info["package"])


def _row(engine: Engine, model: Model, task: Task) -> dict[str, Any]:
    """Row of a run; one that failed has an error, and `again` if it may succeed the next time."""
    began = time.perf_counter()
    row: dict[str, Any] = {"key": task.key, "collapse": None, "found": {}, "error": None}
    try:
        result = _tried(engine, model, task)
        row.update(collapse=collapsed(result), found=kept(result, model.keep))
        row["solve_s"] = result.summary["time"].get("solve_s")
    except NscdError as error:
        row.update(error=error.to_data(), again=isinstance(error, PASSING))
    except Exception as error:  # a run must not end the others
        text = "{}: {}".format(type(error).__name__, error)
        row.update(error=NscdError(text).to_data(), again=isinstance(error, PASSING))
    row["run_s"] = time.perf_counter() - began
    return row


def _tried(engine: Engine, model: Model, task: Task) -> Any:
    """Result of a run; tried twice if the engine dies."""
    try:
        return model.result(engine, task)
    except EngineDiedError:
        return model.result(engine, task)


def begin_worker() -> None:
    """Leave Ctrl-C to the program that started this worker: it ends its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
