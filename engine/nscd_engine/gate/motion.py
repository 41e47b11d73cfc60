"""How a motion is to be followed: the gate for the options of a request."""

import math

import numpy as np

from compas_nscd.errors import InputError, LoadError, ProtocolError, SettingsError
from nscd_engine.core.loads import Driving, History, Motion, constant
from nscd_engine.gate.fields import (
    MAX_ACCELERATION,
    MAX_COORDINATE,
    MAX_LOAD,
    MAX_VELOCITY,
    array,
    is_number,
    require_bounded,
)

#: Motions and histories that one request may hold.
MOST_TABLES = 1000

#: Numbers, above the first and up to the second.
NUMBERS = {
    "duration": (0.0, 1e12),
    "time_step": (0.0, 10.0),
    "theta": (0.4999, 1.0),
    "restitution": (-1e-9, 1.0),
    "kinetic": (-1e-9, 1.0),
}
FLAGS = ("forces", "adaptive", "quiet")


def read_options(given):
    """The checked options of a motion."""
    if not isinstance(given, dict):
        raise SettingsError("The request does not say how to follow the motion.")
    for key, (low, high) in NUMBERS.items():
        value = given.get(key)
        if not is_number(value) or not low < value <= high:
            text = "{} = {!r:.40} should be a number from {:.1g} to {:g}."
            raise SettingsError(text.format(key, value, max(low, 0.0), high))
    for key in FLAGS:
        if not isinstance(given.get(key), bool):
            raise SettingsError("{} should be true or false.".format(key))
    if given.get("level") not in ("position", "velocity"):
        raise SettingsError("level should be position or velocity.")
    interval = given.get("interval")
    if interval is not None and not (is_number(interval) and interval > 0.0):
        raise SettingsError("interval = {!r:.40} should be a number above 0.".format(interval))
    return dict(given, restart=given.get("restart"))


def read_probes(given, count):
    """Blocks (p,), of so many, whose ways are recorded."""
    probes = array(given, "probes", np.int32, (-1,), InputError)
    if ((probes < 0) | (probes >= count)).any():
        raise InputError("A probe is a block that is not there.", remedy="Name a block of the structure.")
    return probes


def read_times(part, key="times", rising=True):
    """The times of a table of a message (T,): at least one, ascending; two may be the same unless they must rise."""
    times = array(part, key, np.float64, (-1,), LoadError)
    if not len(times) or (np.diff(times) < 0.0).any() or (rising and (np.diff(times) == 0.0).any()):
        raise LoadError("The times of a load or motion do not ascend.")
    return times


def read_history(part, times, values, shape=()):
    """The table of a message whose rows have this shape."""
    found = read_times(part, times)
    return History(found.tolist(), array(part, values, np.float64, (len(found),) + shape, LoadError))


def read_list(case, key):
    found = case.get(key, [])
    if not isinstance(found, list) or len(found) > MOST_TABLES:
        raise ProtocolError("'{}' should be a list of at most {}.".format(key, MOST_TABLES))
    return found


def optional_array(part, key, shape, default):
    return default if part.get(key) is None else array(part, key, np.float64, shape, LoadError)


def read_driving(model, case) -> Driving:
    """What a case prescribes over time; `read_model` has checked the loads."""
    count = len(model.names)
    velocity = optional_array(case, "velocity", (count, 6), np.zeros((count, 6)))
    require_bounded(velocity, MAX_VELOCITY, "a velocity at the beginning", "m/s or rad/s")
    gravity = read_gravity(model, case)
    motions = [read_support_motion(model, each) for each in read_list(case, "motions")]
    return Driving(velocity, gravity, motions, read_load_histories(model, case))


def read_gravity(model, case):
    if case.get("gravity_times") is None:
        return constant(model.gravity)
    found = read_history(case, "gravity_times", "gravity_values", (3,))
    require_bounded(found.values, MAX_ACCELERATION, "an acceleration of all blocks", "m/s2")
    return found


def read_support_motion(model, part):
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
    way = array(part, "displacement", np.float64, (len(times), 6), LoadError)
    velocity = array(part, "velocity", np.float64, (len(times), 6), LoadError)
    require_bounded(way, MAX_COORDINATE, "the displacement of a support", "m or rad")
    require_bounded(velocity, MAX_VELOCITY, "the velocity of a support", "m/s or rad/s")
    return Motion(
        block,
        delay,
        times,
        way,
        velocity,
        bool(part.get("common", False)),
    )


def read_load_histories(model, case):
    """[(block, arm in block axes, force, History of factors)]; ingest has checked all but the histories."""
    block = np.asarray(case["load_block"]).tolist()
    arms = np.asarray(case["load_point"], float).reshape(-1, 3) - model.bodies.centroid[block].reshape(-1, 3)
    forces = np.asarray(case["load_force"], float).reshape(-1, 3)
    histories = read_list(case, "load_histories") or [None] * len(block)
    if len(histories) != len(block):
        raise ProtocolError("There should be as many 'load_histories' as loads.")
    found = []
    for i, arm, force, part in zip(block, arms, forces, histories):
        history = constant(1.0) if part is None else read_history(part, "times", "factors")
        most = MAX_LOAD / max(np.abs(force).max(), 1.0)
        require_bounded(history.values, most, "a factor", "of its load")
        found.append((i, arm, force, history))
    return found


def step_count(duration, time_step, most):
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
