"""The parts of one step of a motion (docs/methods.md, section 5): velocities first, then positions.

With theta = 1 this is implicit Euler; with 1/2 the midpoint rule of Moreau and Jean. Contacts are detected at the
intermediate position x + (1 - theta) h v, and the rest of the step, theta h, must not close a gap beyond contact:
u_n >= -gap / (theta h). `Simulation.advance` is the recipe that calls these functions in order.

The problem is posed in axes that move with the supports, in which a structure on shaking ground hardly moves: the
velocities of the last step are then a good start, and tolerances refer to relative motion.
"""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional

import numpy as np

from nscd_engine.bodies.planar import planar_inertia, planar_velocity
from nscd_engine.core.law_table import KINETIC, is_said, law_of_contacts
from nscd_engine.core.loads import OUT_OF_REACH
from nscd_engine.core.model import Model
from nscd_engine.core.state import State
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.kernels.geometry.rotations import rotated
from nscd_engine.kernels.motion import moreau_jean, torsion
from nscd_engine.kernels.motion.moreau_jean import GapRules
from nscd_engine.solvers.solution import Report

#: Share of an overlap that is removed in one step [-]. Larger: blocks are kicked. Smaller: overlaps last longer.
RECOVERY = 0.2
#: Bound of the velocity of that over the speed of a fall from the depth of the overlap [-]: a block then jumps by less
#: than a tenth of the overlap. Larger: blocks are kicked. Smaller: overlaps last longer.
RECOVERY_SPEED = 0.3
#: Gap or overlap over the size that counts as none [-]. Larger: blocks stay sunk by it. Smaller: resting blocks are
#: never quite at rest, and every step must be solved.
SLOP = 1e-7
#: Tangential speed from which kinetic friction acts, where it differs from the static one [m/s]. Larger: slow slip has
#: static friction. Smaller: the tolerance of the solver counts as slip.
SLIDING = 1e-3

#: Speed of a corner from which a patch that twists has the friction of uniform pressure [m/s]; as SLIDING.
TWISTING = 1e-3
#: Corners from which such patches are looked at, by the setting `torsion` [-].
SECTION_FROM = {"auto": 5, "section": 3, "corners": 1 << 30}

#: Displacement of the supports [m] (B, 3), or with a rotation vector [m, rad] (B, 6), at a time [s]; rows of free
#: blocks are not read.
Supports = Callable[[float], np.ndarray]


class Scheme(NamedTuple):
    """The time integration."""

    time_step: float  # [s]
    theta: float = 1.0  # [-] 1/2 to 1
    restitution: float = 0.0  # [-] Newton's, 0 to 1, where the law of a contact has none
    #: [-] Speed of an impact over that of a fall from a tenth of the size, below which it does not bounce. Smaller:
    #: blocks take long to come to rest.
    bounce_threshold: float = 0.1
    kinetic: float = 1.0  # [-] kinetic over static friction, where the law has none
    #: [-] Corners from which a patch that twists has the friction of uniform pressure, not of its corners.
    section_from: int = 5
    level: str = "position"  # position: u_n >= -gap / h; velocity: u_n >= 0 once the gap is closed


class Drift(NamedTuple):
    """A step before its contacts are known."""

    state: State  # the intermediate state
    v_free: np.ndarray  # [m/s, rad/s] (B, 6): velocities at the end without contacts; of supports as prescribed
    ground: np.ndarray  # [m/s] (3,): mean velocity of the supports


class Solved(NamedTuple):
    """Contacts of a step and the solution of its problem."""

    contacts: Contacts
    arm: np.ndarray  # [m] (C, 2, 3)
    impulses: np.ndarray  # [N s] (C, 3): in the contact frames
    report: Report  # its velocities are relative to the supports


class Step(NamedTuple):
    """Result of one step."""

    state: State  # at its end
    contacts: Contacts
    arm: np.ndarray  # [m] (C, 2, 3)
    impulses: np.ndarray  # [N s] (C, 3): in the contact frames
    report: Report  # its velocities are relative to the supports
    before: np.ndarray  # [m/s, rad/s] (B, 6): velocities before the impulses, supports as they move in the step
    after: np.ndarray  # [m/s, rad/s] (B, 6): velocities after them
    spin_loss: float  # [J] kinetic energy lost to the gyroscopic term
    inertia: np.ndarray  # [kg m2] (N, 3, 3): of the free bodies at the end
    elastic: Optional[np.ndarray] = None  # [J] (5,): losses and work by the deformation of blocks, as of `energy`


# -- the parts of a step, in order -------------------------------------------------------------------------------------


def drift(model: Model, state: State, inertia: np.ndarray, supports: Supports, scheme: Scheme) -> Drift:
    """The intermediate state and the velocities without contacts.

    Parameters
    ----------
    model : Model
    state : State
    inertia : array (N, 3, 3)
        Of the free bodies in the state, world axes [kg m2].
    supports : Supports
    scheme : Scheme
    """
    h, theta, bodies = scheme.time_step, scheme.theta, model.bodies
    v_free = moreau_jean.free_velocities(
        state.velocity, bodies.mass, inertia, bodies.free, model.gravity, model.load, h
    )
    v_free = planar_velocity(v_free, model.planar)
    middle = drifted(model, state, state.velocity, inertia, (1.0 - theta) * h, supports)
    ground = _support_velocity(model, middle, supports(state.time + h), theta * h, v_free)
    return Drift(middle, v_free, ground)


def step_problem(model: Model, drift: Drift, contacts: Contacts, inertia: np.ndarray, scheme: Scheme) -> Problem:
    """The problem of the step from the intermediate state, in axes that move with the supports."""
    state, v_free, ground = drift
    moving = v_free.copy()
    moving[:, :3] -= ground
    axis = np.zeros(3) if model.planar is None else model.planar
    gaps = gap_rules(model, scheme)
    problem = moreau_jean.pose(model.bodies, contacts, state.position, axis, moving, inertia, gaps)
    if model.planar is not None:  # without the motion of the ground normal to the plane
        problem = problem._replace(
            inertia=np.ascontiguousarray(planar_inertia(inertia, model.planar)),
            v_free=planar_velocity(problem.v_free, model.planar),
        )
    if scheme.level == "velocity":
        problem.bias[contacts.gap > 0.0, 0] = OUT_OF_REACH
    if slows(model, scheme):
        problem = problem._replace(friction=friction(model, drift, contacts, problem.arm, scheme))
    before, free = velocities_at_begin(model, drift), model.bodies.free
    torsion.reduce_friction(contacts, problem.arm, before, free, scheme.section_from, TWISTING, problem.friction)
    return problem


def end_step(
    model: Model, state: State, drift: Drift, solved: Solved, inertia: np.ndarray, supports: Supports, scheme: Scheme
) -> Step:
    """The step from a state with the solution of its problem; parameters as of `drift`."""
    bodies, v_free = model.bodies, drift.v_free
    fixed = bodies.free < 0
    after = v_free.copy()
    after[~fixed] = planar_velocity(solved.report.velocity, model.planar)
    after[~fixed, :3] += drift.ground
    before = np.where(fixed[:, None], v_free, state.velocity)
    end = drifted(model, drift.state, after.copy(), inertia, scheme.theta * scheme.time_step, supports)
    turned, loss = moreau_jean.conserve_spin(end.velocity, inertia, end.orientation, bodies.inertia, bodies.free)
    return Step(end, *solved, before, after, loss, turned)


# -- motion without contacts -------------------------------------------------------------------------------------------


def _support_velocity(model, middle, target, h, v_free):
    """Write the velocities that bring supports to their targets into v_free; their mean [m/s] (3,)."""
    fixed = model.bodies.free < 0
    if not fixed.any():
        return np.zeros(3)
    v_free[fixed, :3] = ((model.bodies.centroid + target[:, :3] - middle.position) / h)[fixed]
    if target.shape[1] == 6:
        v_free[fixed, 3:] = _rotation_between(middle.orientation[fixed], _orientations(target[fixed, 3:])) / h
    return v_free[fixed, :3].mean(axis=0)


def _orientations(rotation):
    """Orientations (n, 4) of rotation vectors (n, 3)."""
    start = np.zeros((len(rotation), 4))
    start[:, 0] = 1.0
    return rotated(start, np.ascontiguousarray(rotation), 1.0)


def _rotation_between(p, q):
    """Rotation vectors (n, 3) in world axes that bring orientations p to q (n, 4)."""
    w = (p * q).sum(axis=1)
    v = p[:, :1] * q[:, 1:] - q[:, :1] * p[:, 1:] - np.cross(q[:, 1:], p[:, 1:])
    sine = np.linalg.norm(v, axis=1)
    angle = 2.0 * np.arctan2(sine, np.abs(w))
    factor = np.where(sine > 0.0, angle / np.maximum(sine, 1e-300), 2.0) * np.where(w < 0.0, -1.0, 1.0)
    return factor[:, None] * v


def drifted(
    model: Model, state: State, velocity: np.ndarray, inertia: np.ndarray, duration: float, supports: Supports
) -> State:
    """The state after a constant velocity and spin (B, 6) for `duration` [s]; supports are exactly where prescribed.

    `inertia` (N, 3, 3) is that of the free bodies to which the angular velocities belong.
    """
    if duration == 0.0:
        return state
    time = state.time + duration
    bodies = model.bodies
    spins = bodies.free if model.planar is None else np.full_like(bodies.free, -1)
    position, orientation = moreau_jean.end_of_step(
        state.position, state.orientation, velocity, duration, inertia, bodies.inertia, spins
    )
    fixed = bodies.free < 0
    target = supports(time)
    position[fixed] = (bodies.centroid + target[:, :3])[fixed]
    if target.shape[1] == 6:
        orientation[fixed] = _orientations(target[fixed, 3:])
    return State(time, position, orientation, velocity)


# -- gaps, kinetic friction --------------------------------------------------------------------------------------------


def gap_rules(model: Model, scheme: Scheme) -> GapRules:
    """How gaps and overlaps enter the bias. Without gravity, one size per s2 takes its place."""
    fall = float(np.linalg.norm(model.gravity))
    return GapRules(fall, scheme.theta * scheme.time_step, RECOVERY, RECOVERY_SPEED, SLOP)


def slows(model: Model, scheme: Scheme) -> bool:
    """Whether any contact has a kinetic friction that differs from the static one."""
    return scheme.kinetic != 1.0 or is_said(model, KINETIC)


def friction(model: Model, drift: Drift, contacts: Contacts, arm: np.ndarray, scheme: Scheme) -> np.ndarray:
    """Coefficients [-] (C,): the kinetic one where a contact slides as the step begins."""
    u = np.empty((len(contacts.gap), 3))
    moreau_jean.relative_to(contacts, arm, velocities_at_begin(model, drift), False, model.bodies.free, u)
    sliding = np.hypot(u[:, 1], u[:, 2]) > SLIDING
    kinetic = law_of_contacts(model, contacts, KINETIC)
    kinetic = np.where(np.isnan(kinetic), scheme.kinetic * contacts.friction, kinetic)
    return np.where(sliding, kinetic, contacts.friction)


def velocities_at_begin(model: Model, drift: Drift) -> np.ndarray:
    """Velocities (B, 6) as the step begins; of supports as they move in it."""
    return np.where((model.bodies.free < 0)[:, None], drift.v_free, drift.state.velocity)
