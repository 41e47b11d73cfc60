"""Contact detection in motion, with reuse from step to step.

Four levels, each used only if the one before does not suffice: contacts of the last step as they are, if no block has
moved by a bit; those contacts, moved with their blocks; the narrow phase for pairs that have moved; the broad phase
when a block has left its bounding box, which has a clearance.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from nscd_engine.core.law_table import friction_of
from nscd_engine.core.model import Model
from nscd_engine.core.state import DetectorState, State
from nscd_engine.core.structs import Contacts
from nscd_engine.core.threads import Threads
from nscd_engine.geometry.decomposition import convex_parts
from nscd_engine.kernels.contacts.broad_phase import touching_pairs
from nscd_engine.kernels.contacts.contact_frames import place
from nscd_engine.kernels.contacts.fat_boxes import part_boxes, room_left
from nscd_engine.kernels.contacts.narrow_phase import scratch_for
from nscd_engine.kernels.contacts.persistent_pairs import Detection, Pairs, Poses, moved_pairs, same_poses, update_pairs
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.geometry.separating_axis import NONE

#: Height of contact points above the other block, over the size, up to which they are kept [-]. Larger: more open
#: contacts. Smaller: blocks are detected again more often.
MARGIN = 1e-2
#: Displacement of a step, over the size, from which corners that approach corners make contact before they overlap [-].
#: Larger: fast blocks penetrate at their corners. Smaller: slow blocks catch on corners.
FAST = 0.05
#: Both, as `Detection` takes them.
MARGINS = (MARGIN, FAST)
#: Clearance of the box of a block in the broad phase, over the size [-]. Larger: more pairs. Smaller: the broad phase
#: runs more often.
ROOM = 0.05
#: Steps at the present speed for which the box has clearance as well [-]. Larger, smaller: as ROOM.
STEPS_OF_ROOM = 10.0
#: Pairs to detect again from which several threads do [-]: a pair takes some microseconds. Smaller: threads cost more
#: than they save.
WORTH_THREADS = 500
#: Runs of pairs that threads take in turn [-]. More: they end together, but each needs its own working memory.
RUNS = 4
#: Fields of the contacts of pairs.
POINTS = ("on_a", "on_b", "key")


class Detector:
    """Detects the contacts of a model in any state; of a planar model in the plane of the centroids.

    Parameters
    ----------
    model : Model
    reuse : bool, optional
        Whether to skip what cannot have changed; the contacts are the same bits without.
    threads : int, optional
        For the narrow phase; 0: as many as the machine has. The contacts are the same bits with any number.

    Attributes
    ----------
    steady : array (B,) of bool
        Blocks that have the same bits as before the last step; free ones in pairs that were not detected again.
    """

    def __init__(self, model: Model, reuse: bool = True, threads: int = 1) -> None:
        bodies = model.bodies
        self.model = model
        self.parts = convex_parts(model.polyhedra, bodies.centroid, model.radius, model.names)
        self.axis = np.zeros(3) if model.planar is None else model.planar
        self.scratch = scratch_for(self.parts)
        self.threads = Threads(threads)
        self._scratches = [self.scratch]  # one for each run of pairs that is detected beside others
        self.fixed = bodies.free[self.parts.block] < 0
        self.first = True
        self.home: Optional[Poses] = None  # when the boxes were made
        self.room = np.zeros(len(self.parts.block))
        self.pairs = _pairs(np.zeros((0, 2), np.int32))
        self.friction = np.zeros(0)
        self.reuse = reuse
        self.steady = np.zeros(len(model.names), bool)
        self._forget()

    def snapshot(self) -> DetectorState:
        """What the next step takes over from the last; pairs are copied, since steps write into them."""
        return DetectorState(Pairs(*map(np.copy, self.pairs)), self.home, self.room, self.friction, self.first)

    def restore(self, saved: DetectorState) -> None:
        """Go on from a snapshot."""
        self.pairs, self.home, self.room, self.friction, self.first = saved
        self._forget()

    def update(self, state: State, time_step: float, velocity: Optional[np.ndarray] = None) -> Contacts:
        """Contacts for a step from `state`.

        Parameters
        ----------
        state : State
        time_step : float
            [s]
        velocity : array (B, 6), optional
            Expected velocities of the blocks during the step [m/s, rad/s]; those of the state if not given.
        """
        speed = state.velocity if velocity is None else velocity
        poses = Poses(state.position, state.orientation, rotation_matrices(state.orientation), speed)
        same = self._same_as_before(poses, time_step)
        if self._contacts is not None and same.all() and not self._renewed.any():
            self.steady = same
            return self._contacts._replace(friction=self._contacts.friction.copy())  # steps write into it
        if self.home is None or not room_left(self.parts, self.home, poses, self.room, MARGIN, time_step):
            self.draw_boxes(poses, time_step)
        moved = moved_pairs(self.parts, poses, self.pairs, time_step, same, self._renewed)
        step = Detection(MARGINS, time_step, self.first, self.axis, self.fall(time_step))
        self.pairs = self._updated(poses, moved, step)
        self.first = False
        contacts = place(self.parts, poses, self.pairs, self.friction, self.axis)
        self._keep(poses, time_step, moved, contacts)
        again = np.unique(self.pairs.part[moved])
        same[self.parts.block[again[~self.fixed[again]]]] = False  # a support is what it is, whoever touches it
        self.steady = same
        return contacts

    def _updated(self, poses, moved, step):
        """The pairs with their contacts; those that `moved` (K,) are detected again, on several threads if many."""
        if self.threads.count == 1 or moved.sum() < WORTH_THREADS:
            return update_pairs(self.parts, poses, self.pairs, moved, step, self.scratch)
        ends = np.searchsorted(np.cumsum(moved), moved.sum() * np.arange(1, RUNS) / RUNS)
        bounds = [0, *ends.tolist(), len(moved)]
        while len(self._scratches) < RUNS:
            self._scratches.append(scratch_for(self.parts))
        found = [self.pairs] * RUNS

        def detect(k):
            rows = slice(bounds[k], bounds[k + 1])
            some = _rows(self.pairs, rows)
            found[k] = update_pairs(self.parts, poses, some, moved[rows], step, self._scratches[k])
            return True

        self.threads.run(detect, range(RUNS))
        return _joined(self.pairs, found)

    def _same_as_before(self, poses, h):
        """Blocks (B,) bool whose poses and velocities have the bits of the last detection, before a step of h [s]."""
        if not self.reuse or self._poses is None or self._time_step != h:
            return np.zeros(len(poses.position), bool)
        return same_poses(self._poses, poses)

    def _keep(self, poses, h, moved, contacts):
        """Remember a detection: it need not be repeated for blocks that stay as they are."""
        self._poses, self._time_step, self._renewed = poses, h, moved
        self._contacts = contacts._replace(friction=contacts.friction.copy())

    def _forget(self):
        """Repeat the next detection for all blocks."""
        self._poses: Optional[Poses] = None
        self._contacts: Optional[Contacts] = None
        self._time_step = 0.0  # [s]
        self._renewed = np.ones(len(self.pairs.part), bool)

    def fall(self, h: float) -> float:
        """Distance [m] by which a block at rest falls without contacts, at the end of a step that goes on for h [s].

        The step begins at most another h before its contacts are detected.
        """
        return 2.0 * h * h * float(np.linalg.norm(self.model.gravity))

    def draw_boxes(self, poses: Poses, h: float) -> None:
        """Broad phase before a step of h [s]; pairs that exist already keep their contacts."""
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
        self.pairs = _with_own_contacts(pairs, self.pairs)
        self.friction = friction_of(self.model, self.parts.block[part])
        self._renewed = np.ones(len(part), bool)


def _with_own_contacts(pairs, earlier):
    """The pairs with the rows of their contacts from `earlier`; those of boxes that have parted are left out."""
    begin = np.cumsum(pairs.count) - pairs.count
    rows = np.repeat(pairs.begin - begin, pairs.count) + np.arange(pairs.count.sum())
    return pairs._replace(begin=begin, on_a=earlier.on_a[rows], on_b=earlier.on_b[rows], key=earlier.key[rows])


def _rows(pairs, rows):
    """Some of the pairs, a slice, with the contacts of all."""
    own = {name: getattr(pairs, name)[rows] for name in Pairs._fields if name not in POINTS}
    return pairs._replace(**own)


def _joined(pairs, found):
    """The pairs with the contacts of runs of them, in order; fields other than the contacts were changed in place."""
    points, total = {name: [] for name in POINTS}, 0
    for some in found:
        first = int(some.begin[0]) if len(some.begin) else 0
        count = int(some.count.sum())
        for name in POINTS:
            points[name].append(getattr(some, name)[first : first + count])
        some.begin[:] += total - first
        total += count
    return pairs._replace(**{name: np.concatenate(rows) for name, rows in points.items()})


def _keys(part, count):
    return part[:, 0].astype(np.int64) * count + part[:, 1]


def _pairs(part):
    """Pairs of parts (K, 2) that have not been detected yet."""
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
