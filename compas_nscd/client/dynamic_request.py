"""Request of a dynamic analysis: duration, time step, and options of the time integration."""

import hashlib
import math
import uuid
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from compas_nscd import wire
from compas_nscd.client.requests import Request, case_of
from compas_nscd.errors import InputError, SettingsError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.dynamic import DynamicResult

#: Longest time step [s], as in the engine's `gate.motion`. A block falls 490 m in it: longer is a mistake.
LONGEST_STEP = 10.0
#: First time step of "auto" [s]. Larger: more steps are repeated at impacts. Smaller: more steps at rest.
AUTO_STEP = 5e-3
#: Options of a motion: default, and what is allowed (choices, lowest and highest number, or a flag).
OPTIONS: Dict[str, Tuple[Any, Any]] = {
    "friction": ("coulomb", ("coulomb", "associated")),
    "level": ("position", ("position", "velocity")),
    "theta": (1.0, (0.5, 1.0)),
    "restitution": (0.0, (0.0, 1.0)),
    "kinetic": (1.0, (0.0, 1.0)),
    "interval": (None, (0.0, 1e9)),
    "forces": (False, bool),
    "adaptive": (False, bool),
    "quiet": (True, bool),
}

Probes = Union[str, int, uuid.UUID, Sequence[Union[str, int, uuid.UUID]]]


class DynamicRequest(Request):
    """Request of a dynamic analysis.

    Parameters
    ----------
    structure : Structure
    case : LoadCase, optional
        Default: that of the structure, else gravity alone.
    duration : float
        [s]
    time_step : float or "auto"
        [s]; "auto" begins with 5 ms and halves the step where it does not converge, blocks penetrate, or the scheme
        loses energy.
    settings : Settings, optional
        Solver, tolerances and threads; its friction is replaced by the option `friction`.
    probes : list of int or str, optional
        Blocks whose displacement is recorded at every step.
    restart : DynamicResult, optional
        Continue where it ended.
    friction : {"coulomb", "associated"}, optional
        With associated friction a joint that slides also opens.
    level : {"position", "velocity"}, optional
        Contacts close at the end of the step that closes the gap, or in the step after it.
    theta : float, optional
        1: implicit Euler; 0.5: midpoint rule, second order between impacts.
    restitution : float, optional
        Newton's coefficient [-], for impacts faster than a tenth of the speed of a fall from a tenth of the block size.
    kinetic : float, optional
        Friction coefficient of sliding contacts over that of sticking contacts [-].
    interval : float, optional
        Between two recorded frames [s].
    forces : bool, optional
        Record contact forces too.
    quiet : bool, optional
        End when all blocks are at rest and no load changes any more.

    Raises
    ------
    SettingsError
        If an option is unknown or out of range.
    """

    def __init__(
        self,
        structure: Structure,
        case: Optional[LoadCase],
        duration: float,
        time_step: Union[float, str],
        settings: Optional[Settings] = None,
        **options: Any,
    ):
        self.structure, self.case = structure, case_of(structure, case)
        super().__init__("dynamic", dynamic_request(structure, self.case, duration, time_step, settings, **options))
        self.record = self.body["motion"]["record"]

    @property
    def digest(self) -> bytes:
        """SHA-256 of the request without the name of its record, which is new for every motion."""
        motion = {key: value for key, value in self.body["motion"].items() if key != "record"}
        return hashlib.sha256(wire.pack(dict(self.body, verb=self.verb, motion=motion))).digest()

    def result(self, reply: Dict[str, Any]) -> DynamicResult:
        """DynamicResult of the reply."""
        return DynamicResult.from_reply(reply, self.structure, self.case)


def dynamic_request(
    structure: Structure,
    case: LoadCase,
    duration: float,
    time_step: Union[float, str],
    settings: Optional[Settings] = None,
    probes: Probes = (),
    restart: Optional[DynamicResult] = None,
    **options: Any,
) -> Dict[str, Any]:
    """Body of the request `dynamic`; the arguments are those of `DynamicRequest`, but the case is required."""
    _check_kinds(structure, case, settings, restart)
    motion = _motion(duration, time_step, options)
    friction = motion.pop("friction")
    motion["probes"] = np.array(structure.indices(_several(probes)), np.int32)
    motion["record"] = uuid.uuid4().hex
    motion["restart"] = None if restart is None else restart.checkpoint
    end = motion["duration"] + (0.0 if restart is None else restart.times[-1])
    settings = settings or Settings()
    return {
        "structure": structure.to_wire(settings.unsupported),
        "case": case.motion_to_wire(structure, end),
        "settings": dict(settings.to_wire(), friction=friction),
        "motion": motion,
    }


def _check_kinds(structure: Any, case: Any, settings: Any, restart: Any) -> None:
    for what, given, method, optional in (
        ("A Structure is needed", structure, "to_wire", False),
        ("A LoadCase is needed", case, "motion_to_wire", False),
        ("Settings are needed", settings, "to_wire", True),
        ("A motion goes on with a DynamicResult", restart, "checkpoint", True),
    ):
        if not (hasattr(given, method) or (given is None and optional)):
            raise InputError("{}, not {!r:.60}.".format(what, given))


def _motion(duration: float, time_step: Union[float, str], options: Dict[str, Any]) -> Dict[str, Any]:
    """Checked options, with defaults for the others, duration and time step."""
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        known = ", ".join(["probes", "restart", *OPTIONS])
        raise SettingsError("There is no option {!r:.40} of a motion.".format(unknown[0]), remedy="Options: " + known)
    motion = {key: _checked(key, options.get(key, default), rule) for key, (default, rule) in OPTIONS.items()}
    if isinstance(time_step, str) and time_step == "auto":
        motion["adaptive"], time_step = True, AUTO_STEP
    motion["duration"], motion["time_step"] = _positive("duration", duration), _positive("time step", time_step)
    if motion["time_step"] > LONGEST_STEP:
        line = "The time step must be at most {:g} s, not {:g}."
        raise SettingsError(line.format(LONGEST_STEP, time_step), remedy="1 to 5 ms resolve the motion of blocks.")
    return motion


def _several(blocks: Any) -> List[Any]:
    """List of blocks; one block may be given without a list."""
    if isinstance(blocks, (str, int, np.integer, uuid.UUID)):
        return [blocks]
    try:
        return list(blocks)
    except TypeError:
        raise InputError("Probes are blocks, not {!r:.60}.".format(blocks), remedy="Give a list of names or indices.")


def _is_number(value: Any) -> bool:
    """Whether a value is a finite number; a whole number beyond all floats is none."""
    try:
        return isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and math.isfinite(value)
    except (OverflowError, TypeError):
        return False


def _positive(what: str, value: Any) -> float:
    if not (_is_number(value) and value > 0.0):
        raise SettingsError("The {} must be above 0 s, not {!r:.40}.".format(what, value), remedy="Give seconds.")
    return float(value)


def _checked(key: str, value: Any, rule: Any) -> Any:
    if rule is bool:
        if isinstance(value, bool):
            return value
        wanted = "True or False"
    elif isinstance(rule[0], str):
        if isinstance(value, str) and value in rule:
            return value
        wanted = "one of " + ", ".join(rule)
    else:
        if value is None and OPTIONS[key][0] is None:
            return None
        if _is_number(value) and rule[0] <= value <= rule[1] and (key != "interval" or value > 0.0):
            return float(value)
        wanted = "seconds above 0" if key == "interval" else "a number from {:g} to {:g}".format(*rule)
    raise SettingsError("{} cannot be {!r:.40}.".format(key, value), remedy="Give {}.".format(wanted))
