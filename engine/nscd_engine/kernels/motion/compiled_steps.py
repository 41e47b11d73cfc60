"""Steps of a motion in one compiled call: dry blocks in space, implicit Euler, splitting method.

For a few blocks what stands around the kernels of a step takes longer than they do. Here a step is the same as in
`nscd_engine.step`, in the same kernels, from detection to the budget of energies, and the next follows at once. What
needs more than arrays ends the march before the step: boxes of the broad phase, the structure of another graph of
bodies, a step that the splitting method does not solve or that is not its own. Which step is taken how follows from the
steps before it, never from the length of a march.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.core.structs import Contacts
from nscd_engine.kernels.contacts.contact_frames import place
from nscd_engine.kernels.contacts.fat_boxes import room_left
from nscd_engine.kernels.contacts.key_matching import match
from nscd_engine.kernels.contacts.persistent_pairs import Pairs, Poses, update_pairs
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.motion.energy import SCHEME, energies_of_step, note_movements
from nscd_engine.kernels.motion.moreau_jean import conserve_spin, end_of_step, free_velocities, pose
from nscd_engine.kernels.solvers.admm_step import is_admm_step, take_step
from nscd_engine.kernels.solvers.pair_grouping import same_pairs

#: Why a march ended: all steps are done; boxes must be drawn; other bodies touch; the splitting method is not enough;
#: the next step is for Newton's method.
DONE, ROOM, GRAPH, HARD, OTHER = range(5)


class Course(NamedTuple):
    """What n steps are told."""

    h: float  # [s]
    gravity: np.ndarray  # [m/s2] (3,)
    load: np.ndarray  # [N, N m] (B, 6)
    gaps: tuple  # as `stepping.gap_bias` takes it
    times: np.ndarray  # [s] (n,): ends of the steps
    supports: np.ndarray  # (S,): blocks
    place: np.ndarray  # [m] (n, S, 3): of their centroids
    ground: np.ndarray  # [m] (n, 3): displacement to which ways refer


class Kept(NamedTuple):
    """What goes from step to step."""

    position: np.ndarray  # [m] (B, 3)
    orientation: np.ndarray  # (B, 4)
    velocity: np.ndarray  # [m/s, rad/s] (B, 6)
    inertia: np.ndarray  # [kg m2] (N, 3, 3): of the free bodies, world axes
    relative: np.ndarray  # [m/s, rad/s] (N, 6): velocities against the supports
    earlier: np.ndarray  # [m/s, rad/s] (N, 6): those of the step before
    impulses: np.ndarray  # [N s] (C, 3)
    contacts: Contacts
    pairs: Pairs


class Shape(NamedTuple):
    """What detection needs beside the pairs."""

    parts: object
    scratch: object
    home: Poses  # when the boxes were drawn
    room: np.ndarray  # [m] (P,)
    friction: np.ndarray  # (K,)
    margins: tuple


class Watch(NamedTuple):
    """What is followed, written in place."""

    energies: np.ndarray  # [J] (5,): friction, impact, work, potential, scheme
    moved_at: np.ndarray  # [s] (B,)
    fallen_at: np.ndarray  # [s] (B,)
    ways: np.ndarray  # [m] (3,): greatest of a support and of a free block against the ground, and into another block
    counts: np.ndarray  # (3,): iterations, most of a step, most contacts
    probes: np.ndarray  # (p,): blocks
    probed: np.ndarray  # [m] (n, p, 3): their ways


@inner
def support_velocities(position, course, k, v_free):
    """Write the velocities that bring supports to their places in step k into v_free (B, 6); their mean (3,)."""
    mean = np.zeros(3)
    for s in range(course.supports.shape[0]):
        b = course.supports[s]
        for i in range(3):
            v_free[b, i] = (course.place[k, s, i] - position[b, i]) / course.h
            mean[i] += v_free[b, i] / course.supports.shape[0]
    return mean


@inner
def without(velocity, ground):
    """Velocities (B, 6) in axes that move with `ground` (3,)."""
    moving = velocity.copy()
    for b in range(moving.shape[0]):
        for i in range(3):
            moving[b, i] -= ground[i]
    return moving


@inner
def moved_to(bodies, kept, course, k, v_free, ground, relative):
    """Positions, orientations, velocities and inertia after step k, the velocities that contacts left, loss of spin."""
    after = v_free.copy()
    for b in range(bodies.free.shape[0]):
        if bodies.free[b] >= 0:
            for i in range(6):
                after[b, i] = relative[bodies.free[b], i] + (ground[i] if i < 3 else 0.0)
    position, orientation = end_of_step(
        kept.position, kept.orientation, after, course.h, kept.inertia, bodies.inertia, bodies.free
    )
    for s in range(course.supports.shape[0]):
        b = course.supports[s]
        for i in range(3):
            position[b, i] = course.place[k, s, i]
    velocity = after.copy()
    inertia, loss = conserve_spin(velocity, kept.inertia, orientation, bodies.inertia, bodies.free)
    return position, orientation, velocity, inertia, after, loss


@inner
def note(bodies, course, k, before, now, after, v_free, arm, loss, iterations, shares, watch):
    """Follow what step k did, from what was kept `before` to what is kept `now`."""
    contacts, met = now.contacts, before.velocity.copy()
    for s in range(course.supports.shape[0]):
        met[course.supports[s]] = v_free[course.supports[s]]
    way = now.position - before.position
    total = energies_of_step(
        contacts, arm, met, after, now.impulses, bodies.free, way, bodies.mass, course.gravity, course.load, course.h
    )
    total[SCHEME] += loss
    for i in range(total.shape[0]):
        watch.energies[i] += total[i]
    settled, most = note_movements(
        now.position, now.orientation, bodies.centroid, course.ground[k], bodies.free, bodies.size, course.times[k],
        shares, watch.ways[0], watch.moved_at, watch.fallen_at,
    )  # fmt: skip
    watch.ways[0], watch.ways[1] = settled, max(watch.ways[1], most)
    for c in range(contacts.gap.shape[0]):
        watch.ways[2] = max(watch.ways[2], -contacts.gap[c])
    watch.counts[0] += iterations
    watch.counts[1] = max(watch.counts[1], iterations)
    watch.counts[2] = max(watch.counts[2], contacts.gap.shape[0])
    for p in range(watch.probes.shape[0]):
        for i in range(3):
            watch.probed[k, p, i] = now.position[watch.probes[p], i] - bodies.centroid[watch.probes[p], i]


@njit(cache=True, nogil=True, error_model="numpy")
def march(bodies, course, kept, shape, room, coulomb, scale, hard, alike, shares, watch):
    """Steps until all of the course are done or something else is needed: how many, why, what is kept; and poses of the
    step that was not taken, and the free bodies (C, 2) of its contacts.

    `scale` is the length of the first step over that of the step before, `hard` the number of steps for which the
    splitting method stays, `alike` as of `is_admm_step`, `shares` as `note_movements` takes them.
    """
    axis, poses, done, why, body = np.zeros(3), shape.home, 0, DONE, kept.contacts.body
    for k in range(course.times.shape[0]):
        v_free = free_velocities(
            kept.velocity, bodies.mass, kept.inertia, bodies.free, course.gravity, course.load, course.h
        )
        ground = support_velocities(kept.position, course, k, v_free)
        poses = Poses(kept.position, kept.orientation, rotation_matrices(kept.orientation), v_free)
        if not room_left(shape.parts, shape.home, poses, shape.room, shape.margins[0], course.h):
            why = ROOM
            break
        pairs = update_pairs(shape.parts, poses, kept.pairs, shape.margins, course.h, False, axis, shape.scratch)
        kept = Kept(
            kept.position, kept.orientation, kept.velocity, kept.inertia, kept.relative, kept.earlier, kept.impulses,
            kept.contacts, pairs,
        )  # fmt: skip
        contacts = place(shape.parts, poses, pairs, shape.friction, axis)
        problem = pose(bodies, contacts, kept.position, axis, without(v_free, ground), kept.inertia, course.gaps)
        if not same_pairs(problem.body, room.sym.pair_start, room.sym.other):
            why, body = GRAPH, problem.body
            break
        impulses = match(kept.contacts.key, contacts.key, kept.impulses, scale)
        relative, iterations, good = take_step(problem, room, coulomb, kept.relative, kept.earlier, impulses)
        if not good:
            why = HARD
            break
        position, orientation, velocity, inertia, after, loss = moved_to(
            bodies, kept, course, k, v_free, ground, relative
        )
        now = Kept(position, orientation, velocity, inertia, relative, kept.relative, impulses, contacts, pairs)
        note(bodies, course, k, kept, now, after, v_free, problem.arm, loss, iterations, shares, watch)
        kept, scale, done = now, 1.0, k + 1
        if not is_admm_step(contacts.gap.shape[0], hard - done, alike):
            why = OTHER
            break
    return done, why, kept, poses, body
