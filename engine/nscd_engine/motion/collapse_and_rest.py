"""Has it collapsed, does it rest."""

import math

import numpy as np

from nscd_engine.kernels.motion.energy import note_movements

#: Displacement relative to the ground, over the size of the block, from which it has fallen, and from which it counts
#: as having moved when the first to move are named; twice what supports moved by themselves does not count.
FALLEN, MOVED = 0.5, 0.05
#: Speed over that of a fall from its own size below which a block is at rest, and for how long all must be [s].
QUIET_SPEED, QUIET_S = 1e-4, 0.25


class Movements:
    """Displacements relative to the ground, and the blocks in the order in which they moved."""

    def __init__(self, model):
        self.model = model
        count = len(model.names)
        self.settled = 0.0  # [m] greatest displacement of a support against the ground
        self.most = 0.0  # [m] greatest displacement of a centroid
        self.moved_at = np.full(count, np.inf)  # [s]
        self.fallen_at = np.full(count, np.inf)  # [s]

    def add(self, state, ground):
        """Look at a state; the ground has moved by (3,) [m]."""
        bodies = self.model.bodies
        self.settled, most = note_movements(
            state.position, state.orientation, bodies.centroid, ground, bodies.free, bodies.size, state.time,
            (MOVED, FALLEN), self.settled, self.moved_at, self.fallen_at,
        )  # fmt: skip
        self.most = max(self.most, most)

    @property
    def fallen(self):
        return bool(np.isfinite(self.fallen_at).any())

    def collapse_time(self):
        """When the first block that fell began to move [s]; None if nothing fell."""
        return float(self.moved_at[np.isfinite(self.fallen_at)].min()) if self.fallen else None

    def first(self, count=20):
        """Names of the blocks that moved first."""
        order = np.argsort(self.moved_at, kind="stable")[:count]
        return [self.model.names[i] for i in order if np.isfinite(self.moved_at[i])]


class Quiet:
    """Tells when all has been at rest for a while, and is not about to set out."""

    def __init__(self, model):
        self.free = model.bodies.free >= 0
        self.size = model.bodies.size[self.free]
        fall = np.sqrt(max(float(np.linalg.norm(model.gravity)), 1e-3) * self.size)
        self.limit = QUIET_SPEED * fall
        self.since = None  # [s]
        self.early = self.late = 0.0  # greatest speed over the limit in the first and second half of the rest

    def add(self, state):
        """True if it has come to rest."""
        v = state.velocity[self.free]
        speed = np.sqrt(np.einsum("ij,ij->i", v[:, :3], v[:, :3]))
        speed = np.maximum(speed, 0.5 * self.size * np.sqrt(np.einsum("ij,ij->i", v[:, 3:], v[:, 3:])))
        share = float((speed / self.limit).max(initial=0.0))
        if share > 1.0 or not math.isfinite(share):
            self.since = None
            return False
        if self.since is None:
            self.since, self.early, self.late = state.time, share, 0.0
        if state.time - self.since < 0.5 * QUIET_S:
            self.early = max(self.early, share)
            return False
        self.late = max(self.late, share)
        if state.time - self.since < QUIET_S:
            return False
        if self.late > self.early and self.late > 1e-4:  # slow, but faster and faster
            self.since = None
            return False
        return True
