"""The engine: one method for each analysis."""

from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Union, overload

from compas_nscd.blocks.contact_stiffness import ContactStiffness
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.client.connection import EngineConnection
from compas_nscd.client.dynamic_request import DynamicRequest
from compas_nscd.client.elastic_requests import ModesRequest, SubmodelRequest
from compas_nscd.client.force_range_request import ForceRangeRequest, Joint
from compas_nscd.client.job import Job, Watcher
from compas_nscd.client.limit_parameter import Bracket, limit_parameter
from compas_nscd.client.limit_request import LimitRequest
from compas_nscd.client.quasistatic_request import QuasistaticRequest
from compas_nscd.client.requests import CheckRequest, StaticRequest
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.deformable.modes import ModesResult
from compas_nscd.results.deformable.submodel import SubmodelResult
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.force_range import ForceRanges
from compas_nscd.results.limit import LimitResult
from compas_nscd.results.quasistatic import QuasistaticResult
from compas_nscd.results.static import StaticResult


class Engine(EngineConnection):
    """The process that computes; started when first needed, and shared by all programs that want the same one.

    Parameters
    ----------
    python : str, optional
        Python that runs the engine. Default: the one that the environment variable ``NSCD_PYTHON`` names, else the one
        that runs this program. ``info`` has the choice and its reason.
    idle_s : float, optional
        The engine ends after this time without work [s]; it is started again when needed. 0: never.
    reuse : bool, optional
        Use an engine that already runs, also one of another program. `close` stops an engine that is not reused; a
        shared one is kept for the next ``Engine`` of this program and ends with the program at the latest.
    start_s : float, optional
        Longest wait for the engine to start [s].
    tcp : bool, optional
        Connect through a port of 127.0.0.1 instead of a socket file or a named pipe.
    options : sequence of str, optional
        Further options of the command ``python -m nscd_engine``.
    progress : callable, optional
        Called with lines of text while the environment of the engine is made, which inside Rhino happens at the first
        start; they are printed unless given.

    Attributes
    ----------
    info : dict
        python, reason, version, pid, started (by this object), start_s, home, log, note, package (of its sources)

    Examples
    --------
    >>> with Engine() as engine:                         # doctest: +SKIP
    ...     result = engine.static(structure, case)
    ...     result.verdict
    'stable'
    """

    @overload
    def static(
        self,
        structure: Structure,
        case: Optional[LoadCase] = ...,
        settings: Optional[Settings] = ...,
        wait: Literal[True] = ...,
        progress: Optional[Watcher] = ...,
    ) -> StaticResult: ...

    @overload
    def static(
        self,
        structure: Structure,
        case: Optional[LoadCase] = ...,
        settings: Optional[Settings] = ...,
        *,
        wait: Literal[False],
        progress: Optional[Watcher] = ...,
    ) -> Job: ...

    def static(
        self,
        structure: Structure,
        case: Optional[LoadCase] = None,
        settings: Optional[Settings] = None,
        wait: bool = True,
        progress: Optional[Watcher] = None,
    ) -> Union[StaticResult, Job]:
        """Static analysis: does it stand, with which forces, or by which mechanism does it collapse.

        Parameters
        ----------
        structure : Structure
        case : LoadCase, optional
            Default: that of the structure, else gravity alone.
        settings : Settings, optional
        wait : bool, optional
            False to get a Job at once.
        progress : callable, optional
            Called with the job's ``progress`` while waiting.

        Returns
        -------
        StaticResult or Job
        """
        job = self.submit(StaticRequest(structure, case, settings))
        return job.result(progress=progress) if wait else job

    @overload
    def limit(
        self,
        structure: Structure,
        case: Optional[LoadCase] = ...,
        vary: str = ...,
        settings: Optional[Settings] = ...,
        coulomb: Union[bool, int] = ...,
        wait: Literal[True] = ...,
        progress: Optional[Watcher] = ...,
    ) -> LimitResult: ...

    @overload
    def limit(
        self,
        structure: Structure,
        case: Optional[LoadCase] = ...,
        vary: str = ...,
        settings: Optional[Settings] = ...,
        coulomb: Union[bool, int] = ...,
        *,
        wait: Literal[False],
        progress: Optional[Watcher] = ...,
    ) -> Job: ...

    def limit(
        self,
        structure: Structure,
        case: Optional[LoadCase] = None,
        vary: str = "loads",
        settings: Optional[Settings] = None,
        coulomb: Union[bool, int] = True,
        wait: bool = True,
        progress: Optional[Watcher] = None,
    ) -> Union[LimitResult, Job]:
        """Limit analysis: multiplier at which it collapses, and the mechanism.

        Parameters
        ----------
        structure : Structure
        case : LoadCase, optional
            Default: that of the structure, else gravity alone.
        vary : str
            ``loads``, ``acceleration:x``, ``tilt:x``, ``polar:24``, ``friction``, ``spread:x``: see `LimitRequest`.
        settings : Settings, optional
        coulomb : bool or int, optional
            Also estimate the multiplier without dilatancy, which takes some twenty times as long where joints slide.
            A number is the most rounds of the estimate; if they are too few the result has the warning
            `coulomb_unsettled`.
        wait, progress
            As in `static`.

        Returns
        -------
        LimitResult or Job
        """
        job = self.submit(LimitRequest(structure, case, vary, settings, coulomb))
        return job.result(progress=progress) if wait else job

    def limit_parameter(self, build: Callable[[float], Structure], low: float, high: float, **options: Any) -> Bracket:
        """Value of a parameter of the shape at which the verdict changes; see `limit_parameter`."""
        return limit_parameter(self, build, low, high, **options)

    @overload
    def force_range(
        self,
        structure: Structure,
        case: Optional[LoadCase] = ...,
        interfaces: Optional[Sequence[Joint]] = ...,
        direction: Optional[Sequence[float]] = ...,
        settings: Optional[Settings] = ...,
        wait: Literal[True] = ...,
        progress: Optional[Watcher] = ...,
    ) -> ForceRanges: ...

    @overload
    def force_range(
        self,
        structure: Structure,
        case: Optional[LoadCase] = ...,
        interfaces: Optional[Sequence[Joint]] = ...,
        direction: Optional[Sequence[float]] = ...,
        settings: Optional[Settings] = ...,
        *,
        wait: Literal[False],
        progress: Optional[Watcher] = ...,
    ) -> Job: ...

    def force_range(
        self,
        structure: Structure,
        case: Optional[LoadCase] = None,
        interfaces: Optional[Sequence[Joint]] = None,
        direction: Optional[Sequence[float]] = None,
        settings: Optional[Settings] = None,
        wait: bool = True,
        progress: Optional[Watcher] = None,
    ) -> Union[ForceRanges, Job]:
        """Least and greatest force of joints over all force systems that balance the loads.

        Parameters
        ----------
        structure : Structure
        case : LoadCase, optional
        interfaces : list of (block, block), optional
            Default: all joints, with two solutions each.
        direction : sequence of 3 floats, optional
            Direction of the measured component of the force on the second block. Default: normal, compression positive.
        settings : Settings, optional
        wait, progress
            As in `static`.

        Returns
        -------
        ForceRanges or Job
        """
        job = self.submit(ForceRangeRequest(structure, case, interfaces, direction, settings))
        return job.result(progress=progress) if wait else job

    @overload
    def quasistatic(
        self,
        structure: Structure,
        case: Optional[LoadCase] = ...,
        method: str = ...,
        stiffness: Optional[ContactStiffness] = ...,
        steps: Union[int, Sequence[int]] = ...,
        tolerance: float = ...,
        wait: Literal[True] = ...,
        progress: Optional[Watcher] = ...,
        **options: Any,
    ) -> QuasistaticResult: ...

    @overload
    def quasistatic(
        self,
        structure: Structure,
        case: Optional[LoadCase] = ...,
        method: str = ...,
        stiffness: Optional[ContactStiffness] = ...,
        steps: Union[int, Sequence[int]] = ...,
        tolerance: float = ...,
        *,
        wait: Literal[False],
        progress: Optional[Watcher] = ...,
        **options: Any,
    ) -> Job: ...

    def quasistatic(
        self,
        structure: Structure,
        case: Optional[LoadCase] = None,
        method: str = "bagi_bojtar",
        stiffness: Optional[ContactStiffness] = None,
        steps: Union[int, Sequence[int]] = 1,
        tolerance: float = 1e-6,
        wait: bool = True,
        progress: Optional[Watcher] = None,
        **options: Any,
    ) -> Union[QuasistaticResult, Job]:
        """Quasi-static analysis: how blocks on springs follow a load that grows.

        Parameters
        ----------
        structure, case, method, stiffness, steps, tolerance, **options
            As in `QuasistaticRequest`, with bond, springs, stages, second_order, settings and others as options.
        wait, progress
            As in `static`.

        Returns
        -------
        QuasistaticResult or Job
        """
        job = self.submit(QuasistaticRequest(structure, case, method, stiffness, steps, tolerance, **options))
        return job.result(progress=progress) if wait else job

    def check(
        self, structure: Structure, settings: Optional[Settings] = None, progress: Optional[Watcher] = None
    ) -> Dict[str, Any]:
        """Report on the geometry: defects of blocks, interfaces, overlaps, isolated blocks, slivers.

        Blocks that cannot be analysed are listed; the joints of the others are detected.

        Returns
        -------
        dict
            Reply of the engine to `check`, with the lists of defects of `Structure.report`.
        """
        return self.submit(CheckRequest(structure, settings)).result(progress=progress)

    def modes(
        self,
        structure: Structure,
        count: int = 6,
        settings: Optional[Settings] = None,
        progress: Optional[Watcher] = None,
        block: Union[int, str, None] = None,
    ) -> ModesResult:
        """The lowest vibration modes of a structure with deformable blocks whose joints stay closed.

        Parameters
        ----------
        structure, count, settings, block
            As in `ModesRequest`.
        progress
            As in `static`.

        Returns
        -------
        ModesResult
        """
        return self.submit(ModesRequest(structure, count, settings, block)).result(progress=progress)

    def submodel(
        self,
        structure: Structure,
        block: Union[int, str],
        elastic: Union[Elastic, Mapping[str, Any]],
        case: Optional[LoadCase] = None,
        progress: Optional[Watcher] = None,
        **options: Any,
    ) -> SubmodelResult:
        """Stresses in one refined elastic block under the joint forces of a rigid analysis.

        Parameters
        ----------
        structure, block, elastic, case, **options
            As in `SubmodelRequest`, with roughness, seed and settings as options.
        progress
            As in `static`.

        Returns
        -------
        SubmodelResult
        """
        return self.submit(SubmodelRequest(structure, block, elastic, case, **options)).result(progress=progress)

    def dynamic(
        self,
        structure: Structure,
        case: Optional[LoadCase] = None,
        duration: float = 1.0,
        time_step: Union[float, str] = 1e-3,
        settings: Optional[Settings] = None,
        **options: Any,
    ) -> Job:
        """Dynamic analysis: how it moves.

        Parameters
        ----------
        structure : Structure
        case : LoadCase, optional
            Default: that of the structure, else gravity alone.
        duration : float
            [s]
        time_step : float or "auto"
            [s]
        settings : Settings, optional
        **options
            friction, probes, forces, interval, restart, ...: see `DynamicRequest`.

        Returns
        -------
        Job
            Its result is a DynamicResult; after ``cancel`` with the part of the motion that was computed.
        """
        return self.submit(DynamicRequest(structure, case, duration, time_step, settings, **options))

    def records(self) -> List[Dict[str, Any]]:
        """Records of motions that were cancelled or ended by a crash, the latest first.

        Returns
        -------
        list of dict
            record: name, written: time of the last change [s since 1970], bytes
        """
        return self.submit("records").result()["records"]

    def recover(
        self, record: Union[Job, str], structure: Optional[Structure] = None, case: Optional[LoadCase] = None
    ) -> DynamicResult:
        """What a motion had recorded before a crash, up to its last frame.

        Parameters
        ----------
        record : Job or str
            The job of the motion, or the name of the record if the program that started the job has ended too.
        structure : Structure, optional
            The structure that moved; needed with the name of a record.
        case : LoadCase, optional

        Returns
        -------
        DynamicResult
            Its ``summary["ended"]`` is "broken off"; `restart` continues from the last checkpoint.
        """
        if isinstance(record, Job):
            return record.request.result(self.submit("recover", {"record": record.record}).result())
        if structure is None:
            raise InputError("A record alone does not have the blocks.", remedy="Give the structure that moved.")
        return DynamicResult.from_reply(self.submit("recover", {"record": record}).result(), structure, case)

    def warm(self, progress: Optional[Watcher] = None) -> Dict[str, Any]:
        """Compile every kernel now, so that the first analysis is fast."""
        return self.submit("warm").result(progress=progress)
