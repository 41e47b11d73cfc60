"""What drives a motion: supports that move as prescribed, loads and gravity over time."""

import math
from typing import NamedTuple

import numpy as np

from compas_nscd.errors import LoadError, ProtocolError
from nscd_engine.core.loads import constant, read_history, read_times, value_at
from nscd_engine.gate.structure import MAX_ACCELERATION, MAX_COORDINATE, MAX_LOAD, MAX_VELOCITY, array, require_bounded
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.motion.prescribed import add_motion
from nscd_engine.loads.water import Water

#: Motions and histories that one request may hold.
MOST_TABLES = 1000
#: All supports as one, and without delay.
ALL, AT_ONCE = np.zeros(1, np.int32), np.zeros(1)


class Motion(NamedTuple):
    """Supports that share a motion, in cubic pieces between T knots (compas_nscd.waveforms)."""

    block: np.ndarray  # (k,): supports
    delay: np.ndarray  # [s] (k,)
    times: np.ndarray  # [s] (T,)
    displacement: np.ndarray  # [m, rad] (T, 6): with a rotation vector about the centroid
    velocity: np.ndarray  # [m/s, rad/s] (T, 6)
    common: bool  # all supports move so, at once: the ground, to which displacements are relative


class Drive:
    """Everything that varies in time.

    Parameters
    ----------
    model : Model
    case : dict
        Of the request (docs/dynamics.md).
    interfaces : Interfaces
        Of the model as it was given.
    """

    def __init__(self, model, case, interfaces):
        self.model = model
        count = len(model.names)
        self.velocity = _optional(case, "velocity", (count, 6), np.zeros((count, 6)))
        require_bounded(self.velocity, MAX_VELOCITY, "a velocity at the beginning", "m/s or rad/s")
        self.gravity_table = _gravity(model, case)
        self.motions = [_motion(model, each) for each in _list(case, "motions")]
        self.loads = _loads(model, case)
        self.water = None if case.get("water") is None else Water(model, case["water"], interfaces)
        #: False if gravity and loads stay as the model has them.
        steady = len(self.gravity_table.times) == 1 and np.array_equal(self.gravity_table.values[0], model.gravity)
        self.varies = bool(self.loads) or not steady or self.water is not None
        #: 3, or 6 if a support turns.
        self.columns = 6 if any(motion.displacement[:, 3:].any() for motion in self.motions) else 3
        self._last = (None, None)  # time and displacement that were asked for last

    def until(self):
        """Time [s] after which nothing varies any more."""
        ends = [self.gravity_table.times[-1]] + [load[3].times[-1] for load in self.loads]
        ends += [] if self.water is None else [self.water.level.times[-1]]
        return float(max(ends + [m.times[-1] + m.delay.max(initial=0.0) for m in self.motions]))

    def gravity(self, t, h):
        """Mean acceleration [m/s2] (3,) of the step from t to t + h."""
        return 0.5 * (value_at(self.gravity_table, t) + value_at(self.gravity_table, t + h))

    def load(self, state, h):
        """Mean loads [N, N m] (B, 6) of the step from a state; their points turn with the blocks."""
        t, rotation = state.time, rotation_matrices(state.orientation)
        total = np.zeros((len(self.model.names), 6))
        for block, arm, force, history in self.loads:
            push = force * (0.5 * (value_at(history, t) + value_at(history, t + h)))
            total[block, :3] += push
            total[block, 3:] += np.cross(rotation[block] @ arm, push)
        if self.water is not None:
            total += self.water.load(state.position, rotation, state.velocity, self.gravity(t, h), t + 0.5 * h)
        return total

    def displacement(self, t):
        """Prescribed displacement [m] (B, 3), with a rotation vector if a support turns (B, 6), at time t."""
        if t != self._last[0]:
            self._last = (t, self.displacements(np.array([t]))[0])
        return self._last[1]

    def displacements(self, times):
        """The same at times (n,): (n, B, 3) or (n, B, 6)."""
        total = np.zeros((len(times), len(self.model.names), self.columns))
        for motion in self.motions:
            add_motion(motion.times, motion.displacement, motion.velocity, motion.block, motion.delay, times, total)
        return total

    def ground(self, t):
        """Displacement [m] (3,) that all supports share."""
        return self.grounds(np.array([t]))[0]

    def grounds(self, times):
        """The same at times (n,): (n, 3)."""
        total = np.zeros((len(times), 1, 3))
        for motion in self.motions:
            if motion.common:
                add_motion(motion.times, motion.displacement, motion.velocity, ALL, AT_ONCE, times, total)
        return total[:, 0]


# -- the gate ----------------------------------------------------------------------------------------------------------


def _list(case, key):
    found = case.get(key, [])
    if not isinstance(found, list) or len(found) > MOST_TABLES:
        raise ProtocolError("'{}' should be a list of at most {}.".format(key, MOST_TABLES))
    return found


def _optional(part, key, shape, default):
    return default if part.get(key) is None else array(part, key, np.float64, shape, LoadError)


def _gravity(model, case):
    if case.get("gravity_times") is None:
        return constant(model.gravity)
    found = read_history(case, "gravity_times", "gravity_values", (3,))
    require_bounded(found.values, MAX_ACCELERATION, "an acceleration of all blocks", "m/s2")
    return found


def _motion(model, part):
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


def _loads(model, case):
    """[(block, arm in block axes, force, History of factors)]; ingest has checked all but the histories."""
    block = np.asarray(case["load_block"]).tolist()
    arms = np.asarray(case["load_point"], float).reshape(-1, 3) - model.bodies.centroid[block].reshape(-1, 3)
    forces = np.asarray(case["load_force"], float).reshape(-1, 3)
    histories = _list(case, "load_histories") or [None] * len(block)
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
