"""A study: one structure or template, what varies, and all its runs."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Callable, NamedTuple

from compas_nscd.client.engine import Engine
from compas_nscd.client.home import home
from compas_nscd.errors import InputError
from compas_nscd.loads.intensity import parse_measure
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.studies.analyses import analysis_of
from compas_nscd.studies.ground import ground_motions, name_of
from compas_nscd.studies.limit_states import limit_states
from compas_nscd.studies.parameters import Source
from compas_nscd.studies.plans import HuntAndFill, Plan
from compas_nscd.studies.running.campaign import Campaign, replay
from compas_nscd.studies.running.executors import Pool, pool_of
from compas_nscd.studies.running.keys import Keys, digest
from compas_nscd.studies.running.progress import Progress, Watcher, printed
from compas_nscd.studies.running.store import Store
from compas_nscd.studies.running.worker import Model, Task
from compas_nscd.studies.samplers import samples
from compas_nscd.studies.table import Table, replace_text
from compas_nscd.studies.variables import variable

#: Name of the file of the study in its folder.
FILE = "study.json"
#: Arguments beside those in the signature, with their defaults.
_MORE: dict[str, Any] = {
    "analysis": None,
    "parameters": None,
    "case": None,
    "options": None,
    "settings": None,
    "intensity": "pga",
    "limits": None,
    "name": None,
}


class Outcome(NamedTuple):
    """What `nscd study run` tells about a study."""

    table: Table
    folder: Path
    runs: int
    done: int  # without an error
    failed: int
    reused: int  # found on disk
    workers: int
    wall_s: float
    analysis_s: float  # [s] of all workers, in analyses

    def to_data(self) -> dict[str, Any]:
        """The numbers of ``--json``."""
        numbers = {key: getattr(self, key) for key in ("runs", "done", "failed", "reused", "workers")}
        return dict(numbers, time={"wall_s": self.wall_s, "analysis_s": self.analysis_s})


class Study:
    """Many runs of one structure or template.

    Parameters
    ----------
    structure : Structure, str or callable
        A structure, the name of a template, or a function that makes a structure of its parameters.
    vary : dict, optional
        Parameter -> values, range or distribution; see `studies.parameters` and `studies.variables`.
    ground : list, optional
        Ground motions; see `studies.ground`. The analysis is then dynamic.
    levels : list of float or HuntAndFill, optional
        Intensities to which every motion is scaled (multiple stripes), or how an incremental dynamic analysis finds
        them. Default: motions as they are (a cloud).
    sampler : {"grid", "latin", "sobol", "random", "saltelli", "morris"}
    runs : int, optional
        Number of samples; a grid has its own.
    seed : int
        The same seed gives the same samples.
    keep : list of str, optional
        Columns of the table: numbers of the result's summary, and drift, residual_drift, crack_width.
    **more
        analysis : static, limit, dynamic or quasistatic
        parameters : dict, of the template, those that do not vary
        case : LoadCase, default that of the structure
        options : dict, of the analysis, e.g. duration and time_step of a motion, `vary` of a limit
        settings : dict, see Settings; one thread unless given
        intensity : pga [g], pgv [m/s], sa:T [g], ...; see `loads.intensity`
        limits : dict, limit states beside collapse: name -> {"measure": column, "above": threshold}
        name : str

    Raises
    ------
    InputError
        If a parameter, a column or a level cannot be used.

    Examples
    --------
    >>> study = Study("arch", vary={"thickness": [0.5, 0.6, 0.7], "friction": [0.4, 0.6]})   # doctest: +SKIP
    >>> study.run(out="arch-study").table.column("collapse")                                   # doctest: +SKIP
    """

    def __init__(
        self,
        structure: Any,
        vary: Mapping[str, Any] | None = None,
        ground: Any = (),
        levels: Any = None,
        sampler: str = "grid",
        runs: int | None = None,
        seed: int = 0,
        keep: Sequence[str] | None = None,
        **more: Any,
    ) -> None:
        unknown = sorted(set(more) - set(_MORE))
        if unknown:
            raise InputError("A study has no {!r:.40}.".format(unknown[0]), remedy="More: {}.".format(", ".join(_MORE)))
        more = dict(_MORE, **more)
        self.source = Source(structure, more["parameters"])
        self.motions = ground_motions(ground)
        self.analysis_name: str = more["analysis"] or ("dynamic" if self.motions else "static")
        self.analysis = analysis_of(self.analysis_name)
        own = getattr(structure, "name", None) or getattr(structure, "__name__", structure)
        self.name: str = more["name"] or str(own)
        self.vary = dict(vary or {})
        self.sampler, self.runs, self.seed = sampler, runs, seed
        self.options, self.case = dict(more["options"] or {}), more["case"]
        self.settings = dict({"threads": 1}, **(more["settings"] or {}))
        self.intensity: str = more["intensity"]
        self.limits = limit_states(more["limits"])
        measured = [each.measure for each in self.limits.values() if each.measure]
        self.keep = list(dict.fromkeys([*(keep or self.analysis.kept), *measured]))
        self.levels = _levels(levels)
        self._check()
        self.samples = samples(self._variables(), sampler, runs, seed)

    def _check(self) -> None:
        for name in self.vary:
            self.source.check(name)
        parse_measure(self.intensity)
        Settings(**self.settings)
        for option in self.analysis.options:
            if option not in self.options and "option." + option not in self.vary:
                raise InputError("The analysis {} needs the option {}.".format(self.analysis_name, option))
        if self.motions and not self.analysis.moves:
            raise InputError("Ground motions need the analysis dynamic, not {}.".format(self.analysis_name))
        if self.levels is not None and not self.motions:
            raise InputError("Levels need ground motions to scale.", remedy="Give `ground`.")
        settles = any(name.startswith("settlement.") for name in self.vary)
        if settles and not self.analysis.moves:
            raise InputError("A settlement needs the analysis dynamic.", remedy="Or a limit with vary settlement:NAME.")

    def _variables(self) -> list[Any]:
        return [variable(name, given, self.sampler == "grid") for name, given in self.vary.items()]

    @property
    def shared(self) -> dict[str, Any]:
        """What every run depends on, as plain data."""
        made = self.source.made
        return {
            "made": made.__data__ if isinstance(made, Structure) else made,
            "parameters": self.source.parameters,
            "case": None if self.case is None else self.case.__data__,
            "analysis": self.analysis_name,
            "options": self.options,
            "settings": self.settings,
            "keep": self.keep,
        }

    @property
    def definition(self) -> dict[str, Any]:
        """What a worker needs: `shared` and the ground motions."""
        return dict(self.shared, motions=[motion.__data__ for motion in self.motions])

    def plan(self) -> Plan:
        """The runs of the study."""
        until = float(self.options.get("duration", 0.0))
        return Plan(self.samples, self.motions, self.levels, self.intensity, until)

    def run(
        self,
        executor: Any = None,
        out: str | Path | None = None,
        workers: int | None = None,
        scheduler: str | None = None,
        progress: Watcher | bool | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Outcome:
        """Compute the runs that are not on disk yet.

        Parameters
        ----------
        executor : optional
            None for local processes, one per core; "threads"; an Executor; a Client or cluster of Dask.
        out : path, optional
            Folder of the runs and of the table; default one of its own in the home folder of the engine.
        workers : int, optional
            Of local processes.
        scheduler : str, optional
            Address of a scheduler of Dask.
        progress : callable or True, optional
            Called with the progress; True prints it.
        cancelled : callable, optional
            Called often; True ends the study with CancelledError.

        Raises
        ------
        FileError, EngineError, CancelledError
            The runs that were done are on disk; the next `run` goes on with them.
        """
        folder = Path(out) if out is not None else Path(home()[0]) / "studies" / digest([self.shared, self.name])
        plan = self.plan()
        watched = Progress(plan.total, printed if progress is True else progress or None)
        with Store(folder).writing() as store:
            pool = pool_of(executor, workers, scheduler)
            campaign = Campaign(plan, self.definition, self.shared, store, pool, watched)
            return self._run(campaign, pool, store, cancelled)

    def _run(self, campaign: Campaign, pool: Pool, store: Store, cancelled: Callable[[], bool]) -> Outcome:
        began, workers = time.perf_counter(), pool.workers
        at_once = True
        try:
            campaign.begin()
            replace_text(store.folder / FILE, json.dumps(dict(self.to_data(), sources=campaign.sources)))
            campaign.run(cancelled)
            at_once = False
        finally:
            pool.close(at_once)
            table = Table(store.row(key) for _, key in sorted(campaign.order) if key in store)
            table.write(store.folder)
        failed, runs = campaign.progress.failed, campaign.progress.done
        wall = time.perf_counter() - began
        counts = (runs, runs - failed, failed, campaign.progress.reused, workers)
        return Outcome(table, store.folder, *counts, wall, campaign.analysis_s)

    def table(self, folder: Path, sources: str) -> Table:
        """Table of the runs in a folder that were computed with certain sources."""
        store = Store(folder)
        keys = Keys(self.shared, self.motions, sources)
        return Table(store.row(key) for _, key in replay(self.plan(), keys, store))

    def to_data(self) -> dict[str, Any]:
        """The study as in a study file, with everything in it; a function that makes structures by its name alone."""
        made = self.source.made
        if isinstance(made, Structure):
            source: dict[str, Any] = {"structure": {"dtype": made.__dtype__, "data": made.__data__}}
        else:
            source = {"template": made if isinstance(made, str) else getattr(made, "__name__", repr(made))}
        limits = {name: each._asdict() for name, each in self.limits.items() if each.measure is not None}
        return {
            "name": self.name,
            **source,
            "parameters": self.source.parameters,
            "case": None if self.case is None else {"dtype": self.case.__dtype__, "data": self.case.__data__},
            "vary": {name: _listed(given) for name, given in self.vary.items()},
            "sampler": self.sampler,
            "runs": self.runs,
            "seed": self.seed,
            "ground": [dict(motion.__data__, name=name) for motion, name in zip(self.motions, self.motion_names)],
            "intensity": self.intensity,
            "levels": self.levels._asdict() if isinstance(self.levels, HuntAndFill) else self.levels,
            "analysis": self.analysis_name,
            "options": self.options,
            "settings": self.settings,
            "limits": limits,
            "keep": self.keep,
        }

    def result(self, row: Mapping[str, Any], engine: Engine | None = None) -> Any:
        """Result of one row of the table, computed again, for its page or picture."""
        motion = self.motion_names.index(row["motion"]) if row.get("motion") else None
        values = {name: row[name] for name in self.vary}
        task = Task(str(row["key"]), values, motion, row.get("factor"))
        if engine is not None:
            return Model(self.definition).result(engine, task)[0]
        with Engine() as own:
            return Model(self.definition).result(own, task)[0]

    @property
    def motion_names(self) -> list[str]:
        """Names of the ground motions in the table."""
        return [name_of(motion, k) for k, motion in enumerate(self.motions)]


def _listed(given: Any) -> Any:
    """What `vary` says of a parameter, as plain data."""
    return given.tolist() if hasattr(given, "tolist") else list(given) if isinstance(given, (tuple, range)) else given


def _levels(given: Any) -> Any:
    """Checked levels: None, a list of numbers above 0, or a HuntAndFill."""
    if given is None or isinstance(given, HuntAndFill):
        return given if given is None else given.check()
    if isinstance(given, Mapping):
        try:
            return HuntAndFill(**given).check()
        except TypeError:
            fields = ", ".join(HuntAndFill._fields)
            raise InputError("The levels {!r:.60} are no hunt.".format(given), remedy="Keys: {}.".format(fields))
    levels = [float(level) for level in given]
    if not levels or not all(0.0 < level < float("inf") for level in levels):
        raise InputError(
            "Levels must be numbers above 0, not {!r:.60}.".format(list(given)),
            remedy="A level of 0 is the structure at rest: use the analysis static.",
        )
    return levels
