"""What is sent for a motion: its duration, its step, and how it is followed."""

import math
import uuid

import numpy as np

from compas_nscd.errors import InputError, SettingsError
from compas_nscd.model.settings import Settings

#: Longest step [s]: structures fall within it.
LONGEST_STEP = 10.0
#: How a motion is followed: default, and what is allowed.
OPTIONS = {
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


def dynamic_request(structure, case, duration, time_step, settings=None, probes=(), restart=None, **options):
    """Body of the request `dynamic`.

    Parameters
    ----------
    structure : Structure
    case : LoadCase
    duration : float
        [s]
    time_step : float or "auto"
        [s]; "auto" begins with 5 ms and halves it where a step is hard or lets blocks sink into each other.
    settings : Settings, optional
        Solver, tolerances and threads; the friction is that of `friction`.
    probes : list of int or str, optional
        Blocks whose displacement is kept at every step.
    restart : DynamicResult, optional
        Go on where it ended.
    friction : {"coulomb", "associated"}, optional
        Associated friction opens a joint that slides.
    level : {"position", "velocity"}, optional
        Whether a contact closes within the step in which the gap vanishes, or is stopped after it has.
    theta : float, optional
        1 is implicit Euler, 0.5 the midpoint rule: second order as long as nothing hits.
    restitution : float, optional
        Newton's coefficient [-] of impacts faster than a tenth of the speed of a fall from a tenth of the size.
    kinetic : float, optional
        Friction of a contact that slides, over that of one that sticks [-].
    interval : float, optional
        Between two recorded frames [s].
    forces : bool, optional
        Record contact forces too.
    quiet : bool, optional
        End when all is at rest and nothing drives it any more.

    Raises
    ------
    SettingsError
        If an option is unknown or out of range.
    """
    _check_kinds(structure, case, settings, restart)
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        known = ", ".join(["probes", "restart"] + list(OPTIONS))
        raise SettingsError("There is no option {!r:.40} of a motion.".format(unknown[0]), remedy="Options: " + known)
    motion = {key: _checked(key, options.get(key, default), rule) for key, (default, rule) in OPTIONS.items()}
    if time_step == "auto":
        motion["adaptive"], time_step = True, 5e-3
    duration, time_step = _positive("duration", duration), _positive("time step", time_step)
    if time_step > LONGEST_STEP:
        line = "The time step must be at most {:g} s, not {:g}."
        raise SettingsError(line.format(LONGEST_STEP, time_step), remedy="1 to 5 ms follow what blocks do.")
    motion.update(duration=duration, time_step=time_step)
    motion["probes"] = np.array(structure.indices(_several(probes)), np.int32)
    motion["record"] = uuid.uuid4().hex
    motion["restart"] = None if restart is None else restart.checkpoint
    settings = settings or Settings()
    return {
        "structure": structure.to_wire(settings.unsupported),
        "case": case.motion_to_wire(structure, duration + (restart.times[-1] if restart is not None else 0.0)),
        "settings": dict(settings.to_wire(), friction=motion.pop("friction")),
        "motion": motion,
    }


def _check_kinds(structure, case, settings, restart):
    for what, given, method, optional in (
        ("A Structure is needed", structure, "to_wire", False),
        ("A LoadCase is needed", case, "motion_to_wire", False),
        ("Settings are needed", settings, "to_wire", True),
        ("A motion goes on with a DynamicResult", restart, "checkpoint", True),
    ):
        if not (hasattr(given, method) or (given is None and optional)):
            raise InputError("{}, not {!r:.60}.".format(what, given))


def _several(blocks):
    """A list of blocks; one may stand for itself."""
    alone = isinstance(blocks, (str, int, np.integer, uuid.UUID))
    return [blocks] if alone else list(blocks)


def _positive(what, value):
    ok = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not (ok and math.isfinite(value) and value > 0.0):
        raise SettingsError("The {} must be above 0 s, not {!r:.40}.".format(what, value), remedy="Give seconds.")
    return float(value)


def _checked(key, value, rule):
    if rule is bool:
        if isinstance(value, bool):
            return value
        wanted = "True or False"
    elif isinstance(rule[0], str):
        if value in rule:
            return value
        wanted = "one of " + ", ".join(rule)
    else:
        number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
        if value is None and OPTIONS[key][0] is None:
            return None
        if number and rule[0] <= value <= rule[1] and (key != "interval" or value > 0.0):
            return float(value)
        wanted = "seconds above 0" if key == "interval" else "a number from {:g} to {:g}".format(*rule)
    raise SettingsError("{} cannot be {!r:.40}.".format(key, value), remedy="Give {}.".format(wanted))
