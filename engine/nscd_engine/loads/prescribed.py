"""What drives a motion: supports that move as prescribed, loads and gravity over time."""

import numpy as np

from nscd_engine.core.loads import value_at
from nscd_engine.gate.fields import MAX_VELOCITY, require_bounded
from nscd_engine.gate.motion import optional_array, read_gravity, read_list, read_load_histories, read_support_motion
from nscd_engine.gate.water import read_water
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.motion.prescribed import add_motion
from nscd_engine.loads.water import Water

#: All supports as one, and without delay.
ALL, AT_ONCE = np.zeros(1, np.int32), np.zeros(1)


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
        self.velocity = optional_array(case, "velocity", (count, 6), np.zeros((count, 6)))
        require_bounded(self.velocity, MAX_VELOCITY, "a velocity at the beginning", "m/s or rad/s")
        self.gravity_table = read_gravity(model, case)
        self.motions = [read_support_motion(model, each) for each in read_list(case, "motions")]
        self.loads = read_load_histories(model, case)
        water = read_water(case, model)
        self.water = None if water is None else Water(model, water, interfaces)
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
