"""What is prescribed over time in a motion: displacements of supports, loads, gravity."""

from __future__ import annotations

import math
from typing import Optional

import numpy as np

from nscd_engine.core.loads import Driving, PointLoads, mean_over
from nscd_engine.core.model import Model
from nscd_engine.core.state import State
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.motion.prescribed import add_motion
from nscd_engine.loads.water import Water

#: All supports as one block, without delay.
ALL, AT_ONCE = np.zeros(1, np.int32), np.zeros(1)


class Drive:
    """Everything that varies in time.

    Parameters
    ----------
    model : Model
    given : Driving
        As `gate.motion.read_driving` gives it.
    water : Water, optional
    """

    def __init__(self, model: Model, given: Driving, water: Optional[Water] = None) -> None:
        self.model, self.water = model, water
        self.velocity = given.velocity
        self.gravity_table, self.motions, self.loads = given.gravity, given.motions, given.loads
        steady = len(self.gravity_table.times) == 1 and np.array_equal(self.gravity_table.values[0], model.gravity)
        #: Whether gravity or loads differ from those of the model.
        self.varies = bool(self.loads) or not steady or water is not None
        #: Columns of the displacements: 6 if a support rotates, else 3.
        self.columns = 6 if any(motion.displacement[:, 3:].any() for motion in self.motions) else 3
        self._last_time = math.nan  # [s] time of the displacement that was asked for last
        self._last = np.zeros((0, self.columns))

    def until(self) -> float:
        """Time [s] after which nothing varies any more."""
        ends = [self.gravity_table.times[-1]] + [load[3].times[-1] for load in self.loads]
        ends += [] if self.water is None else [self.water.level.times[-1]]
        return float(max(ends + [m.times[-1] + m.delay.max(initial=0.0) for m in self.motions]))

    def model_in_step(self, state: State, h: float) -> Model:
        """The model with the mean gravity and loads of the step of h [s] from a state."""
        if not self.varies:
            return self.model
        gravity, load = self.gravity(state.time, h), self.load(state, h)
        return self.model._replace(gravity=gravity, load=load, point_loads=self.point_loads(state.time, h))

    def gravity(self, t: float, h: float) -> np.ndarray:
        """Mean acceleration [m/s2] (3,) of the step from t to t + h."""
        return mean_over(self.gravity_table, t, h)

    def point_loads(self, t: float, h: float) -> PointLoads:
        """Mean point loads of the step from t to t + h [s], on points of the blocks at rest."""
        block = np.array([each[0] for each in self.loads], np.int32)
        arm = np.array([each[1] for each in self.loads]).reshape(-1, 3)
        force = [each[2] * mean_over(each[3], t, h) for each in self.loads]
        return PointLoads(block, self.model.bodies.centroid[block] + arm, np.array(force).reshape(-1, 3))

    def load(self, state: State, h: float) -> np.ndarray:
        """Mean loads [N, N m] (B, 6) of the step of h [s] from a state; their points move with the blocks."""
        t, rotation = state.time, rotation_matrices(state.orientation)
        total = np.zeros((len(self.model.names), 6))
        for block, arm, force, history in self.loads:
            push = force * mean_over(history, t, h)
            total[block, :3] += push
            total[block, 3:] += np.cross(rotation[block] @ arm, push)
        if self.water is not None:
            total += self.water.load(state.position, rotation, state.velocity, self.gravity(t, h), t + 0.5 * h)
        return total

    def displacement(self, t: float) -> np.ndarray:
        """Prescribed displacement [m] (B, 3), with a rotation vector if a support rotates (B, 6), at time t [s]."""
        if t != self._last_time:
            self._last_time, self._last = t, self.displacements(np.array([t]))[0]
        return self._last

    def displacements(self, times: np.ndarray) -> np.ndarray:
        """The same at times (n,) [s]: (n, B, 3) or (n, B, 6)."""
        total = np.zeros((len(times), len(self.model.names), self.columns))
        for motion in self.motions:
            add_motion(motion.times, motion.displacement, motion.velocity, motion.block, motion.delay, times, total)
        return total

    def ground(self, t: float) -> np.ndarray:
        """Displacement [m] (3,) that all supports share, at time t [s]."""
        return self.grounds(np.array([t]))[0]

    def grounds(self, times: np.ndarray) -> np.ndarray:
        """The same at times (n,) [s]: (n, 3)."""
        total = np.zeros((len(times), 1, 3))
        for motion in self.motions:
            if motion.common:
                add_motion(motion.times, motion.displacement, motion.velocity, ALL, AT_ONCE, times, total)
        return total[:, 0]
