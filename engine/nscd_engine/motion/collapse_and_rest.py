"""Which blocks have moved, been displaced or fallen, and whether a structure has come to rest.

docs/dynamics.md, "Results of a motion", has the criterion in words.
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional

import numpy as np

from nscd_engine.core.law_table import VISCOSITY, is_said
from nscd_engine.core.model import Model
from nscd_engine.core.state import State
from nscd_engine.kernels.motion.collapse_and_rest import Thresholds, Tracked, track_displacements

#: Loss of height over the size of the block, beyond twice the displacement of the supports, from which it is down [-].
#: Larger: a collapse onto a floor close below is not seen. Smaller: a keystone that sinks and stays counts as fallen.
DROPPED = 0.5
#: Inclination from which a block is overturned [degrees]. Larger: rubble that leans on other blocks is not seen.
#: Smaller: squat blocks that rock and return count while they are on their way.
OVERTURNED = 45.0
#: Displacement relative to the ground, over the size, from which a block is displaced [-], with its rotation at half
#: the size. Larger: a structure that is out of use counts as standing. Smaller: cracks count.
DISPLACED = 0.5
#: The same from which it counts as moved when the first to move are named [-]. Larger: blocks that move together are
#: hardly told apart. Smaller: elastic and rounding motion counts.
MOVED = 0.05
#: Speed over that of a fall from its own size below which a block is at rest [-]. Larger: slow motions are cut off.
#: Smaller: motions run on while blocks hardly move. This is about the end of a motion; whether a step needs no solution
#: because the last one still balances is decided by solvers.step_solver and kernels.solvers.admm_step.
REST_SPEED = 1e-4
#: The same over REST_SPEED where joints are viscous [-]: they creep for ever. Larger: slow creep counts as rest.
#: Smaller: the tolerance of the solver counts as creep.
CREEP = 1e-4
#: Time for which all blocks must be at rest [s]. Larger: motions run on. Smaller: a block that turns back counts.
REST_S = 0.25
#: Greatest speed over the limit of rest below which an increase during the rest is rounding [-]. Larger: a slow start
#: is overlooked. Smaller: rounding keeps a motion running.
ACCELERATING = 1e-4


class Movements:
    """Displacements relative to the ground, and the blocks in the order in which they moved.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        never = np.full(len(model.names), np.inf)
        self.thresholds = _thresholds(model)
        #: Updated in place, also by compiled steps.
        self.tracked = Tracked(never, never.copy(), never.copy(), np.zeros(2))

    def add(self, state: State, ground: np.ndarray) -> None:
        """Take a state into account; the ground has moved by (3,) [m]."""
        track_displacements(
            self.model.bodies, state.position, state.orientation, ground, state.time, self.thresholds, self.tracked
        )

    @property
    def most(self) -> float:
        """Greatest displacement of the centroid of a free block [m]."""
        return float(self.tracked.greatest[1])

    def first(self, count: int = 20) -> List[str]:
        """Names of the blocks that moved first."""
        return self.names_by(self.tracked.moved_at, count)

    def names_by(self, times: np.ndarray, count: Optional[int] = None) -> List[str]:
        """Names of the blocks whose times (B,) are finite, the earliest first; so many at most."""
        order = np.argsort(times, kind="stable")
        order = order[np.isfinite(times[order])][:count]
        return [self.model.names[i] for i in order.tolist()]

    def snapshot(self) -> Dict[str, Any]:
        """State for a checkpoint. Times are arrays: infinity cannot be sent as a number."""
        moved_at, displaced_at, down_at, (settled, most) = map(np.copy, self.tracked)
        greatest = {"most": float(most), "settled": float(settled)}
        return dict(greatest, moved_at=moved_at, fallen_at=displaced_at, down_at=down_at)

    def restore(self, saved: Dict[str, Any]) -> None:
        """Go on from a snapshot; those of version 0.1.0 have no `down_at`."""
        greatest = np.array([saved["settled"], saved["most"]])
        moved_at, displaced_at = np.array(saved["moved_at"]), np.array(saved["fallen_at"])
        down_at = np.array(saved.get("down_at", np.full_like(moved_at, np.inf)))
        self.tracked = Tracked(moved_at, displaced_at, down_at, greatest)


def _thresholds(model):
    """The Thresholds of a model. A sphere rolls and is never overturned; without gravity nothing is."""
    weight = float(np.linalg.norm(model.gravity))
    down = model.gravity / weight if weight > 0.0 else np.zeros(3)
    turns = (model.radius == 0.0) & (weight > 0.0)
    cos_tilt = np.where(turns, math.cos(math.radians(OVERTURNED)), -2.0)
    return Thresholds(MOVED, DISPLACED, DROPPED, cos_tilt, down)


class Rest:
    """Detects that all blocks have been at rest for a while and do not accelerate."""

    def __init__(self, model: Model) -> None:
        self.free = model.bodies.free >= 0
        self.size = model.bodies.size[self.free]
        fall = np.sqrt(max(float(np.linalg.norm(model.gravity)), 1e-3) * self.size)
        creeps = is_said(model, VISCOSITY)
        self.limit = REST_SPEED * (CREEP if creeps else 1.0) * fall  # [m/s] (N,)
        self._since: Optional[float] = None  # [s]
        self._early = self._late = 0.0  # greatest speed over the limit in the first and second half of the rest

    @property
    def since(self) -> Optional[float]:
        """Time since which all blocks are at rest [s]; None if they move, or while loads vary."""
        return self._since

    def speed(self, v: np.ndarray) -> float:
        """Greatest speed of free bodies with velocities v (N, 6), over the limit of rest [-]."""
        speed = np.sqrt(np.einsum("ij,ij->i", v[:, :3], v[:, :3]))
        speed = np.maximum(speed, 0.5 * self.size * np.sqrt(np.einsum("ij,ij->i", v[:, 3:], v[:, 3:])))
        return float((speed / self.limit).max(initial=0.0))

    def add(self, state: State) -> bool:
        """Take a state into account; True once the structure has come to rest."""
        share = self.speed(state.velocity[self.free])
        if share > 1.0 or not math.isfinite(share):
            self._since = None
            return False
        if self._since is None:
            self._since, self._early, self._late = state.time, share, 0.0
        if state.time - self._since < 0.5 * REST_S:
            self._early = max(self._early, share)
            return False
        self._late = max(self._late, share)
        if state.time - self._since < REST_S:
            return False
        if self._late > self._early and self._late > ACCELERATING:
            self._since = None
            return False
        return True

    def snapshot(self) -> Dict[str, Any]:
        """State for a checkpoint."""
        return {"quiet": [self._since, self._early, self._late]}

    def restore(self, saved: Dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self._since, self._early, self._late = saved["quiet"]
