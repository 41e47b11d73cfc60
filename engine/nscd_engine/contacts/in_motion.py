"""Contacts of blocks in motion, with reuse from step to step.

Three levels, each asked only if the one above cannot answer: contacts of last time, moved with their blocks; the narrow
phase for the pairs that have moved; the broad phase when a block has left the box that was drawn around it with room.
"""

import numpy as np

from nscd_engine.core.law_table import friction_of
from nscd_engine.core.state import DetectorState
from nscd_engine.geometry.decomposition import convex_parts
from nscd_engine.kernels.contacts.broad_phase import touching_pairs
from nscd_engine.kernels.contacts.contact_frames import place
from nscd_engine.kernels.contacts.fat_boxes import part_boxes, room_left
from nscd_engine.kernels.contacts.narrow_phase import scratch_for
from nscd_engine.kernels.contacts.persistent_pairs import Pairs, Poses, update_pairs
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.geometry.separating_axis import NONE

#: Height of contact points above the other block, over the size, up to which they are kept. Larger: more contacts that
#: carry nothing. Smaller: blocks are detected again more often.
MARGIN = 1e-2
#: Way of a step, over the size, from which corners that fly at corners are caught before they overlap.
FAST = 0.05
MARGINS = (MARGIN, FAST)
#: Room around a block in the broad phase, over the size, and steps at its present speed that must fit as well.
ROOM, STEPS_OF_ROOM = 0.05, 10.0


class Detector:
    """Finds the contacts of a model in any state; of a planar one, in the plane of the centroids.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model):
        bodies = model.bodies
        self.model = model
        self.parts = convex_parts(model.polyhedra, bodies.centroid, model.radius, model.names)
        self.axis = np.zeros(3) if model.planar is None else model.planar
        self.scratch = scratch_for(self.parts)
        self.fixed = bodies.free[self.parts.block] < 0
        self.first = True
        self.home = None  # poses when the boxes were drawn
        self.room = np.zeros(len(self.parts.block))
        self.pairs = _pairs(np.zeros((0, 2), np.int32))
        self.friction = np.zeros(0)

    def snapshot(self) -> DetectorState:
        """What the next step takes over from the last; pairs are copied, since steps write into them."""
        return DetectorState(Pairs(*map(np.copy, self.pairs)), self.home, self.room, self.friction, self.first)

    def restore(self, saved: DetectorState) -> None:
        """Go on from a snapshot."""
        self.pairs, self.home, self.room, self.friction, self.first = saved

    def update(self, state, time_step, velocity=None):
        """Contacts for a step of `time_step` [s] from `state`.

        Parameters
        ----------
        state : State
        velocity : array (B, 6), optional
            What the blocks may reach during the step, to look ahead; the velocity of the state otherwise.

        Returns
        -------
        Contacts
        """
        speed = state.velocity if velocity is None else velocity
        poses = Poses(state.position, state.orientation, rotation_matrices(state.orientation), speed)
        if self.home is None or not room_left(self.parts, self.home, poses, self.room, MARGIN, time_step):
            self.draw_boxes(poses, time_step)
        self.pairs = update_pairs(
            self.parts, poses, self.pairs, MARGINS, time_step, self.first, self.axis, self.scratch
        )
        self.first = False
        return place(self.parts, poses, self.pairs, self.friction, self.axis)

    def draw_boxes(self, poses, h):
        """Broad phase; what is known of pairs that stay is kept."""
        self.home = poses
        lower, upper, self.room = part_boxes(self.parts, poses, ROOM, STEPS_OF_ROOM * h)
        part = touching_pairs(lower, upper, self.fixed)
        block = self.parts.block[part]
        part = part[block[:, 0] != block[:, 1]]
        count = len(self.parts.block)
        old, new = _keys(self.pairs.part, count), _keys(part, count)
        at = np.searchsorted(old, new)
        known = np.flatnonzero(old[np.minimum(at, len(old) - 1)] == new) if len(old) else np.zeros(0, int)
        pairs = _pairs(part)
        for name in ("shift", "turn", "clear", "kind", "normal", "slack", "begin", "count"):
            getattr(pairs, name)[known] = getattr(self.pairs, name)[at[known]]
        self.pairs = pairs._replace(on_a=self.pairs.on_a, on_b=self.pairs.on_b, key=self.pairs.key)
        self.friction = friction_of(self.model, self.parts.block[part])


def _keys(part, count):
    return part[:, 0].astype(np.int64) * count + part[:, 1]


def _pairs(part):
    """Pairs of parts (K, 2) of which nothing is known yet."""
    count = len(part)
    return Pairs(
        part=part,
        shift=np.zeros((count, 3)),
        turn=np.zeros((count, 4)),
        clear=np.full(count, -1.0),
        kind=np.full(count, NONE, np.int64),
        normal=np.zeros((count, 3)),
        slack=np.zeros(count),
        begin=np.zeros(count, np.int64),
        count=np.zeros(count, np.int64),
        on_a=np.zeros((0, 3)),
        on_b=np.zeros((0, 3)),
        key=np.zeros(0, np.int64),
    )
