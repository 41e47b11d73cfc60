"""Options, histories and prescribed motions of a request `dynamic`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from compas_nscd.errors import InputError, LoadError, ProtocolError, SettingsError
from nscd_engine.core.loads import Driving, History, Motion, constant
from nscd_engine.core.model import Model
from nscd_engine.gate.fields import (
    MAX_ACCELERATION,
    MAX_COORDINATE,
    MAX_LOAD,
    MAX_VELOCITY,
    array,
    is_number,
    is_word,
    require_bounded,
)

#: Most motions, and most histories, of one request [-]. More: reading them takes longer than the motion.
MOST_TABLES = 1000

#: Greatest duration, time step and interval of the record [s].
POSITIVE = {"duration": 1e12, "time_step": 10.0, "interval": 1e9}
#: Least of them [s]: a light wave crosses a third of a millimetre. Smaller: their ratios overflow.
SHORTEST = 1e-12
#: Numbers in [least, most] [-].
SHARES = {"theta": (0.5, 1.0), "restitution": (0.0, 1.0), "kinetic": (0.0, 1.0)}
FLAGS = ("forces", "adaptive", "quiet")


def read_options(given: Any) -> dict:
    """The checked options of a motion."""
    if not isinstance(given, dict):
        raise SettingsError("The request has no options of a motion.")
    for key, most in POSITIVE.items():
        value: Any = given.get(key)
        if key == "interval" and value is None:
            continue
        if not is_number(value) or not SHORTEST <= value <= most:
            text = "{} = {!r:.40} should be a number from {:g} to {:g}."
            raise SettingsError(text.format(key, value, SHORTEST, most))
    for key, (low, high) in SHARES.items():
        value = given.get(key)
        if not is_number(value) or not low <= value <= high:
            text = "{} = {!r:.40} should be a number from {:g} to {:g}."
            raise SettingsError(text.format(key, value, low, high))
    for key in FLAGS:
        if not isinstance(given.get(key), bool):
            raise SettingsError("{} should be true or false.".format(key))
    if not is_word(given.get("level"), ("position", "velocity")):
        raise SettingsError("level should be position or velocity.")
    return dict(given, restart=given.get("restart"), interval=given.get("interval"))


def read_probes(given: dict, count: int) -> np.ndarray:
    """Blocks (p,) int32, of `count`, whose displacement is recorded at every step."""
    probes = array(given, "probes", np.int32, (-1,), InputError)
    if ((probes < 0) | (probes >= count)).any():
        raise InputError("A probe is a block that is not there.", remedy="Name a block of the structure.")
    return probes


def read_times(part: dict, key: str = "times", rising: bool = True) -> np.ndarray:
    """Times [s] (T,) of a table: at least one, ascending; two may be equal unless they must rise."""
    times = array(part, key, np.float64, (-1,), LoadError)
    if not len(times) or (np.diff(times) < 0.0).any() or (rising and (np.diff(times) == 0.0).any()):
        raise LoadError("The times of a load or motion do not ascend.")
    return times


def read_history(part: dict, times: str, values: str, shape: tuple = ()) -> History:
    """The table under two keys of a request, with rows of a shape."""
    found = read_times(part, times)
    return History(found.tolist(), array(part, values, np.float64, (len(found),) + shape, LoadError))


def read_list(case: dict, key: str) -> list:
    """The list of this name in a load case; empty if it has none."""
    found = case.get(key, [])
    if not isinstance(found, list) or len(found) > MOST_TABLES:
        raise ProtocolError("'{}' should be a list of at most {}.".format(key, MOST_TABLES))
    return found


def optional_array(part: dict, key: str, shape: tuple, default: np.ndarray) -> np.ndarray:
    """An array of a request, or the default if it has none."""
    return default if part.get(key) is None else array(part, key, np.float64, shape, LoadError)


def read_driving(model: Model, case: dict) -> Driving:
    """What a case prescribes over time; `read_model` has checked the loads."""
    count = len(model.names)
    velocity = optional_array(case, "velocity", (count, 6), np.zeros((count, 6)))
    require_bounded(velocity, MAX_VELOCITY, "a velocity at the beginning", "m/s or rad/s")
    gravity = read_gravity(model, case)
    motions = [read_support_motion(model, each) for each in read_list(case, "motions")]
    return Driving(velocity, gravity, motions, read_load_histories(model, case))


def read_gravity(model: Model, case: dict) -> History:
    """Acceleration of all blocks over time [m/s2] (T, 3)."""
    if case.get("gravity_times") is None:
        return constant(model.gravity)
    found = read_history(case, "gravity_times", "gravity_values", (3,))
    require_bounded(found.values, MAX_ACCELERATION, "an acceleration of all blocks", "m/s2")
    return found


def read_support_motion(model: Model, part: Any) -> Motion:
    """One prescribed motion of supports."""
    if not isinstance(part, dict):
        raise ProtocolError("A motion should be a dict.")
    block = array(part, "block", np.int32, (-1,), LoadError)
    if ((block < 0) | (block >= len(model.names))).any():
        raise LoadError("A motion moves a block that is not there.")
    free = [model.names[i] for i in block if model.bodies.free[i] >= 0]
    if free:
        raise LoadError("Only supports can be moved by themselves.", remedy="Make the block a support.", blocks=free)
    times = read_times(part, rising=False)
    delay = array(part, "delay", np.float64, (len(block),), LoadError)
    displacement = array(part, "displacement", np.float64, (len(times), 6), LoadError)
    velocity = array(part, "velocity", np.float64, (len(times), 6), LoadError)
    require_bounded(displacement, MAX_COORDINATE, "the displacement of a support", "m or rad")
    require_bounded(velocity, MAX_VELOCITY, "the velocity of a support", "m/s or rad/s")
    common = part.get("common", False)
    if not isinstance(common, bool):
        raise ProtocolError("'common' of a motion should be true or false.")
    return Motion(block, delay, times, displacement, velocity, common)


def read_load_histories(model: Model, case: dict) -> list:
    """[(block, arm in block axes [m] (3,), force [N] (3,), History of factors [-])], one entry a point load."""
    block, point, forces = model.point_loads
    arms = point - model.bodies.centroid[block]
    histories = read_list(case, "load_histories") or [None] * len(block)
    if len(histories) != len(block):
        raise ProtocolError("There should be as many 'load_histories' as loads.")
    found = []
    for i, arm, force, part in zip(block.tolist(), arms, forces, histories):
        if not isinstance(part, (dict, type(None))):
            raise ProtocolError("A history of a load should be a dict.")
        history = constant(1.0) if part is None else read_history(part, "times", "factors")
        most = MAX_LOAD / max(np.abs(force).max(), 1.0)
        require_bounded(history.values, most, "a factor", "of its load")
        found.append((i, arm, force, history))
    return found


def step_count(duration: float, time_step: float, most: int) -> int:
    """Number of steps, or a LoadError that says how many there would be."""
    steps = math.ceil(duration / time_step * (1.0 - 1e-12))
    if steps > most:
        raise LoadError(
            "A duration of {:g} s in steps of {:g} s takes {:.3g} steps; the limit is {:.3g}.".format(
                duration, time_step, steps, most
            ),
            remedy="Take a shorter duration or a longer step.",
            steps=float(steps),
            limit=most,
        )
    return int(steps)
