"""Whether a structure has collapsed, and whether it has come to rest."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.state import State
from nscd_engine.kernels.motion.energy import Tracked, track_displacements

#: Displacement relative to the ground, over the size of the block and beyond twice that of the supports, from which it
#: has fallen [-]. Larger: a collapse is reported late. Smaller: rocking counts as collapse.
FALLEN = 0.5
#: The same from which it counts as moved when the first to move are named [-]. Larger: blocks that move together are
#: hardly told apart. Smaller: elastic and rounding motion counts.
MOVED = 0.05
SHARES = (MOVED, FALLEN)
#: Speed over that of a fall from its own size below which a block is at rest [-]. Larger: slow motions are cut off.
#: Smaller: motions run on while blocks hardly move. This is about the end of a motion; whether a step needs no solution
#: because the last one still balances is decided by solvers.step_solver and kernels.solvers.admm_step.
REST_SPEED = 1e-4
#: Time for which all blocks must be at rest [s]. Larger: motions run on. Smaller: a block that turns back counts.
REST_S = 0.25
#: Greatest speed over the limit of rest below which an increase during the rest is rounding [-]. Larger: a slow start
#: is overlooked. Smaller: rounding keeps a motion running.
ACCELERATING = 1e-4


class Movements:
    """Displacements relative to the ground, and the blocks in the order in which they moved."""

    def __init__(self, model: Model) -> None:
        self.model = model
        count = len(model.names)
        #: Updated in place, also by compiled steps.
        self.tracked = Tracked(np.full(count, np.inf), np.full(count, np.inf), np.zeros(2))

    def add(self, state: State, ground: np.ndarray) -> None:
        """Take a state into account; the ground has moved by (3,) [m]."""
        track_displacements(
            self.model.bodies, state.position, state.orientation, ground, state.time, SHARES, self.tracked
        )

    @property
    def most(self) -> float:
        """Greatest displacement of the centroid of a free block [m]."""
        return float(self.tracked.greatest[1])

    @property
    def fallen(self) -> bool:
        """Whether a block has fallen."""
        return bool(np.isfinite(self.tracked.fallen_at).any())

    def collapse_time(self) -> Optional[float]:
        """Time at which the first block that fell began to move [s]; None if none fell."""
        tracked = self.tracked
        return float(tracked.moved_at[np.isfinite(tracked.fallen_at)].min()) if self.fallen else None

    def first(self, count: int = 20) -> List[str]:
        """Names of the blocks that moved first."""
        moved_at = self.tracked.moved_at
        order = np.argsort(moved_at, kind="stable")[:count]
        return [self.model.names[i] for i in order if np.isfinite(moved_at[i])]

    def snapshot(self) -> Dict[str, Any]:
        """State for a checkpoint. Times are arrays: infinity cannot be sent as a number."""
        moved_at, fallen_at, (settled, most) = map(np.copy, self.tracked)
        return {"most": float(most), "settled": float(settled), "moved_at": moved_at, "fallen_at": fallen_at}

    def restore(self, saved: Dict[str, Any]) -> None:
        """Go on from a snapshot."""
        greatest = np.array([saved["settled"], saved["most"]])
        self.tracked = Tracked(np.array(saved["moved_at"]), np.array(saved["fallen_at"]), greatest)


class Rest:
    """Detects that all blocks have been at rest for a while and do not accelerate."""

    def __init__(self, model: Model) -> None:
        self.free = model.bodies.free >= 0
        self.size = model.bodies.size[self.free]
        fall = np.sqrt(max(float(np.linalg.norm(model.gravity)), 1e-3) * self.size)
        self.limit = REST_SPEED * fall  # [m/s] (N,)
        self._since: Optional[float] = None  # [s]
        self._early = self._late = 0.0  # greatest speed over the limit in the first and second half of the rest

    def add(self, state: State) -> bool:
        """Take a state into account; True once the structure has come to rest."""
        v = state.velocity[self.free]
        speed = np.sqrt(np.einsum("ij,ij->i", v[:, :3], v[:, :3]))
        speed = np.maximum(speed, 0.5 * self.size * np.sqrt(np.einsum("ij,ij->i", v[:, 3:], v[:, 3:])))
        share = float((speed / self.limit).max(initial=0.0))
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
