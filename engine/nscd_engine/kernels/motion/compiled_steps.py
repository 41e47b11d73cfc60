"""Steps of a motion in one compiled call: dry blocks in space, implicit Euler, ADMM.

With few blocks, Python around the kernels of a step takes longer than the kernels. A step here does the same in the
same kernels as `nscd_engine.motion.simulation.Simulation.advance`, from detection to the energies, and the next
follows at once. tests/nscd_engine/motion/test_compiled_steps.py runs both on one motion and compares the bits: a change
of one is made in the other. The call returns before a step that needs more than arrays: new boxes of the broad phase,
the symbolic factor of another graph of bodies, a step that ADMM does not solve or that is for Newton's method. How a
step is taken depends on the steps before it, never on the number of steps in a call.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.core.structs import Contacts
from nscd_engine.kernels.contacts.contact_frames import place
from nscd_engine.kernels.contacts.fat_boxes import room_left
from nscd_engine.kernels.contacts.key_matching import match
from nscd_engine.kernels.contacts.persistent_pairs import Detection, Pairs, Poses, moved_pairs, update_pairs
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.motion.collapse_and_rest import Thresholds, Tracked, track_displacements
from nscd_engine.kernels.motion.energy import SCHEME, Exchange, External, energies_of_step
from nscd_engine.kernels.motion.moreau_jean import GapRules, conserve_spin, end_of_step, free_velocities, pose
from nscd_engine.kernels.motion.torsion import reduce_friction
from nscd_engine.kernels.solvers.admm_step import is_admm_step, take_step
from nscd_engine.kernels.solvers.pair_grouping import same_pairs

#: Why the call returned: all steps are done; a block leaves its box; other bodies touch; ADMM does not solve the step;
#: the next step is for Newton's method.
DONE, BOXES, GRAPH, UNSOLVED, NEWTON = range(5)


class Twist(NamedTuple):
    """Which patches have the friction of uniform pressure where they twist, as of `reduce_friction`."""

    least: int  # [-] corners
    slow: float  # [m/s]


class Course(NamedTuple):
    """What is prescribed for n steps. S supports."""

    external: External
    gaps: GapRules
    twist: Twist
    times: np.ndarray  # [s] (n,): ends of the steps
    supports: np.ndarray  # (S,): blocks
    place: np.ndarray  # [m] (n, S, 3): their centroids at the ends of the steps
    ground: np.ndarray  # [m] (n, 3): displacement of the ground at the ends of the steps
    scale: float  # [-] length of the first step over that of the step before


class Carried(NamedTuple):
    """What a step takes over from the one before."""

    position: np.ndarray  # [m] (B, 3)
    orientation: np.ndarray  # (B, 4)
    velocity: np.ndarray  # [m/s, rad/s] (B, 6)
    inertia: np.ndarray  # [kg m2] (N, 3, 3): of the free bodies, world axes
    relative: np.ndarray  # [m/s, rad/s] (N, 6): velocities relative to the supports
    earlier: np.ndarray  # [m/s, rad/s] (N, 6): those of the step before
    impulses: np.ndarray  # [N s] (C, 3)
    contacts: Contacts
    pairs: Pairs


class DetectorInput(NamedTuple):
    """What detection needs beside the pairs."""

    parts: object
    scratch: object
    home: Poses  # when the boxes were drawn
    room: np.ndarray  # [m] (P,): clearance of the boxes
    friction: np.ndarray  # [-] (K,): of the pairs
    margins: tuple
    fall: float  # [m]: as of Detection


class SolverInput(NamedTuple):
    """What ADMM needs beside the problem."""

    memory: object  # solvers.admm.Room
    coulomb: bool  # else associated friction
    hold_steps: int  # steps for which ADMM is kept before Newton's method is tried again
    alike: bool  # as of `is_admm_step`


class Watch(NamedTuple):
    """Quantities that are followed, updated in place."""

    energies: np.ndarray  # [J] (5,): friction, impact, work, potential, scheme
    tracked: Tracked
    thresholds: Thresholds
    penetration: np.ndarray  # [m] (1,): greatest
    counts: np.ndarray  # (3,) int64: iterations, most iterations of a step, most contacts
    probes: np.ndarray  # (p,): blocks
    probed: np.ndarray  # [m] (n, p, 3): their displacements


@inner
def support_velocities(position, course, k, v_free):
    """Write the velocities that bring supports to their places in step k into v_free (B, 6); their mean (3,)."""
    mean = np.zeros(3)
    for s in range(course.supports.shape[0]):
        b = course.supports[s]
        for i in range(3):
            v_free[b, i] = (course.place[k, s, i] - position[b, i]) / course.external.h
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
def velocities_after(bodies, v_free, ground, relative):
    """Velocities (B, 6) after the impulses: of free bodies (N, 6) relative to `ground` (3,), of supports v_free."""
    after = v_free.copy()
    for b in range(bodies.free.shape[0]):
        if bodies.free[b] >= 0:
            for i in range(6):
                after[b, i] = relative[bodies.free[b], i] + (ground[i] if i < 3 else 0.0)
    return after


@inner
def pose_after(bodies, carried, course, k, after):
    """Positions, orientations, velocities and inertia after step k, and the kinetic energy lost to the spin."""
    position, orientation = end_of_step(
        carried.position, carried.orientation, after, course.external.h, carried.inertia, bodies.inertia, bodies.free
    )
    for s in range(course.supports.shape[0]):
        b = course.supports[s]
        for i in range(3):
            position[b, i] = course.place[k, s, i]
    velocity = after.copy()
    inertia, loss = conserve_spin(velocity, carried.inertia, orientation, bodies.inertia, bodies.free)
    return position, orientation, velocity, inertia, loss


@inner
def velocities_before(carried, course, v_free):
    """Velocities (B, 6) before the impulses; of supports as they move in the step."""
    before = carried.velocity.copy()
    for s in range(course.supports.shape[0]):
        before[course.supports[s]] = v_free[course.supports[s]]
    return before


@inner
def note(bodies, course, k, now, exchange, cost, watch):
    """Update the watch for step k; `cost` is the kinetic energy lost to the spin [J] and the iterations."""
    total = energies_of_step(bodies, exchange, course.external)
    total[SCHEME] += cost[0]
    for i in range(total.shape[0]):
        watch.energies[i] += total[i]
    track_displacements(
        bodies, now.position, now.orientation, course.ground[k], course.times[k], watch.thresholds, watch.tracked
    )
    gap = now.contacts.gap
    for c in range(gap.shape[0]):
        watch.penetration[0] = max(watch.penetration[0], -gap[c])
    watch.counts[0] += cost[1]
    watch.counts[1] = max(watch.counts[1], cost[1])
    watch.counts[2] = max(watch.counts[2], gap.shape[0])
    for p in range(watch.probes.shape[0]):
        for i in range(3):
            watch.probed[k, p, i] = now.position[watch.probes[p], i] - bodies.centroid[watch.probes[p], i]


@njit(cache=True, nogil=True, error_model="numpy")
def take_steps(bodies, course, carried, detector, solver, watch):
    """Steps until all of the course are done or something else is needed.

    Returns their number, why no more were taken, what the next step takes over, and of the step that was not taken the
    poses and the free bodies (C, 2) of its contacts.
    """
    axis, poses, done, why, body = np.zeros(3), detector.home, 0, DONE, carried.contacts.body
    (gravity, load, h), scale, memory = course.external, course.scale, solver.memory
    nothing = np.zeros(bodies.free.shape[0], np.bool_)  # every pair is looked at
    for k in range(course.times.shape[0]):
        v_free = free_velocities(carried.velocity, bodies.mass, carried.inertia, bodies.free, gravity, load, h)
        ground = support_velocities(carried.position, course, k, v_free)
        poses = Poses(carried.position, carried.orientation, rotation_matrices(carried.orientation), v_free)
        if not room_left(detector.parts, detector.home, poses, detector.room, detector.margins[0], h):
            why = BOXES
            break
        renewed = np.ones(carried.pairs.part.shape[0], np.bool_)
        moved = moved_pairs(detector.parts, poses, carried.pairs, h, nothing, renewed)
        first = np.bool_(False)  # a plain False is a type of its own, compiled again
        step = Detection(detector.margins, h, first, axis, detector.fall)
        pairs = update_pairs(detector.parts, poses, carried.pairs, moved, step, detector.scratch)
        carried = Carried(
            carried.position, carried.orientation, carried.velocity, carried.inertia, carried.relative,
            carried.earlier, carried.impulses, carried.contacts, pairs,
        )  # fmt: skip
        contacts = place(detector.parts, poses, pairs, detector.friction, axis)
        problem = pose(bodies, contacts, carried.position, axis, without(v_free, ground), carried.inertia, course.gaps)
        before = velocities_before(carried, course, v_free)
        reduce_friction(
            contacts, problem.arm, before, bodies.free, course.twist.least, course.twist.slow, problem.friction
        )
        if not same_pairs(problem.body, memory.sym.pair_start, memory.sym.other):
            why, body = GRAPH, problem.body
            break
        impulses = match(carried.contacts.key, contacts.key, carried.impulses, scale)
        relative, iterations, good = take_step(
            problem, memory, solver.coulomb, carried.relative, carried.earlier, impulses
        )
        if not good:
            why = UNSOLVED
            break
        after = velocities_after(bodies, v_free, ground, relative)
        position, orientation, velocity, inertia, loss = pose_after(bodies, carried, course, k, after)
        exchange = Exchange(contacts, problem.arm, impulses, before, after, position - carried.position)
        carried = Carried(
            position, orientation, velocity, inertia, relative, carried.relative, impulses, contacts, pairs
        )
        note(bodies, course, k, carried, exchange, (loss, iterations), watch)
        scale, done = 1.0, k + 1
        if not is_admm_step(contacts.gap.shape[0], solver.hold_steps - done, solver.alike):
            why = NEWTON
            break
    return done, why, carried, poses, body
