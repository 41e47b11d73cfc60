"""One step of the motion (METHODS M5): velocities first, then positions.

With theta = 1 this is implicit Euler; with 1/2 the midpoint rule of Moreau and Jean. The contacts are those of the
intermediate position x + (1 - theta) h v, and what is left of the step, theta h, must not close a gap beyond contact:
u_n >= -gap / (theta h).

The problem is posed in axes that move with the supports, where a structure that stands on shaking ground hardly moves:
the velocities of the step before are then a good start, and tolerances refer to what happens, not to the travel.
"""

from typing import NamedTuple

import numpy as np

from nscd_engine.bodies.planar import planar_inertia, planar_velocity
from nscd_engine.core.law_table import KINETIC, RESTITUTION, is_said, law_of_contacts
from nscd_engine.core.loads import OUT_OF_REACH
from nscd_engine.core.state import State
from nscd_engine.core.structs import Contacts
from nscd_engine.kernels.geometry.rotations import rotated
from nscd_engine.kernels.motion import moreau_jean

#: Share of an overlap that is pushed out in one step, and the share of the speed of a fall from its depth that this may
#: give a block: it then jumps by less than a tenth of the overlap. Larger: kicks. Smaller: blocks stay sunk for longer.
RECOVERY, RECOVERY_SPEED = 0.2, 0.3
#: Gaps and overlaps over the size that count as none [-]. Smaller: what rests is never quite still, and every step must
#: be solved anew. Larger: blocks stay sunk by it.
SLOP = 1e-7
#: Speed from which a contact slides, where kinetic friction is another [m/s].
SLIDING = 1e-3


class Scheme(NamedTuple):
    """How to step."""

    time_step: float  # [s]
    theta: float = 1.0  # [-] 1/2 to 1
    restitution: float = 0.0  # [-] Newton's, 0 to 1, where the law of a contact says none
    #: [-] Over the speed of a fall from a tenth of the size: impacts that are slower do not bounce, or nothing would
    #: ever come to rest.
    bounce_threshold: float = 0.1
    kinetic: float = 1.0  # [-] friction of what slides over that of what sticks, where the law says none
    level: str = "position"  # position: u_n >= -gap / h; velocity: u_n >= 0 once the gap is closed


class Step(NamedTuple):
    """What one step did."""

    state: State  # at its end
    contacts: Contacts
    arm: np.ndarray  # [m] (C, 2, 3)
    impulses: np.ndarray  # [N s] (C, 3): in the contact frames
    report: object  # of the solver; its velocities are relative to the supports
    before: np.ndarray  # [m/s, rad/s] (B, 6): velocities that the contacts met, supports as they move in the step
    after: np.ndarray  # [m/s, rad/s] (B, 6): velocities that they left
    spin_loss: float  # [J] that the gyroscopic term cost
    inertia: np.ndarray  # [kg m2] (N, 3, 3): of the free bodies at the end


def step(model, detect, state, supports, solve, scheme, inertia):
    """Advance the state by one time step.

    Parameters
    ----------
    model : Model
    detect : contacts of a state, `Detector.update`
    state : State
    supports : callable
        Displacement of the supports [m] (B, 3), or with a rotation vector [m, rad] (B, 6), at a time [s]; rows of free
        blocks are not read.
    solve : callable
        (problem, contacts) -> impulses (C, 3), report
    scheme : Scheme
    inertia : array (N, 3, 3)
        Of the free bodies in the state, world axes.

    Returns
    -------
    Step
    """
    h, theta, bodies = scheme.time_step, scheme.theta, model.bodies
    free = bodies.free
    v_free = moreau_jean.free_velocities(state.velocity, bodies.mass, inertia, free, model.gravity, model.load, h)
    v_free = planar_velocity(v_free, model.planar)
    middle = drifted(model, state, state.velocity, inertia, (1.0 - theta) * h, supports)
    fixed = free < 0
    ground = _support_velocity(model, middle, supports(state.time + h), theta * h, v_free, fixed)
    contacts = detect(middle, theta * h, v_free)
    problem = step_problem(model, middle, contacts, inertia, v_free, ground, scheme)
    impulses, report = solve(problem, contacts)
    after = v_free.copy()
    after[~fixed] = planar_velocity(report.velocity, model.planar)
    after[~fixed, :3] += ground
    before = np.where(fixed[:, None], v_free, state.velocity)
    end = drifted(model, middle, after.copy(), inertia, theta * h, supports)
    turned, loss = moreau_jean.conserve_spin(end.velocity, inertia, end.orientation, bodies.inertia, free)
    return Step(end, contacts, problem.arm, impulses, report, before, after, loss, turned)


def _support_velocity(model, middle, target, h, v_free, fixed):
    """Write the velocity that brings supports to their target into v_free; their common velocity [m/s] (3,)."""
    if not fixed.any():
        return np.zeros(3)
    v_free[fixed, :3] = ((model.bodies.centroid + target[:, :3] - middle.position) / h)[fixed]
    if target.shape[1] == 6:
        v_free[fixed, 3:] = _turn(middle.orientation[fixed], _turned(target[fixed, 3:])) / h
    return v_free[fixed, :3].mean(axis=0)


def _turned(rotation):
    """Orientations (n, 4) of rotation vectors (n, 3)."""
    start = np.zeros((len(rotation), 4))
    start[:, 0] = 1.0
    return rotated(start, np.ascontiguousarray(rotation), 1.0)


def _turn(p, q):
    """Rotation vectors (n, 3) in world axes that bring orientations p to q (n, 4)."""
    w = (p * q).sum(axis=1)
    v = p[:, :1] * q[:, 1:] - q[:, :1] * p[:, 1:] - np.cross(q[:, 1:], p[:, 1:])
    sine = np.linalg.norm(v, axis=1)
    angle = 2.0 * np.arctan2(sine, np.abs(w))
    factor = np.where(sine > 0.0, angle / np.maximum(sine, 1e-300), 2.0) * np.where(w < 0.0, -1.0, 1.0)
    return factor[:, None] * v


def drifted(model, state, velocity, inertia, duration, supports):
    """The state after moving with a constant velocity and spin for `duration` [s]; supports go where they are told,
    exactly. `inertia` (N, 3, 3) is that of the free bodies to which the angular velocities belong."""
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
        orientation[fixed] = _turned(target[fixed, 3:])
    return State(time, position, orientation, velocity)


def step_problem(model, state, contacts, inertia, v_free, ground, scheme):
    """The problem of the step from the intermediate state, in axes that move with velocity `ground` [m/s] (3,)."""
    moving = v_free.copy()
    moving[:, :3] -= ground
    axis = np.zeros(3) if model.planar is None else model.planar
    gaps = gap_rules(model, scheme)
    problem = moreau_jean.pose(model.bodies, contacts, state.position, axis, moving, inertia, gaps)
    if model.planar is not None:  # ground that moves across the plane takes all along
        problem = problem._replace(
            inertia=np.ascontiguousarray(planar_inertia(inertia, model.planar)),
            v_free=planar_velocity(problem.v_free, model.planar),
        )
    if scheme.level == "velocity":
        problem.bias[contacts.gap > 0.0, 0] = OUT_OF_REACH
    if bounces(model, scheme):
        _bounce(model, state, contacts, problem.arm, v_free, moving, scheme, problem.bias)
    if slows(model, scheme):
        problem = problem._replace(friction=friction(model, state, contacts, problem.arm, v_free, scheme))
    return problem


def gap_rules(model, scheme):
    """What `stepping.gap_bias` takes."""
    fall = float(np.linalg.norm(model.gravity))  # [m/s2]; where nothing has weight, one size per s2
    return fall, scheme.theta * scheme.time_step, RECOVERY, RECOVERY_SPEED, SLOP


def bounces(model, scheme):
    """Whether any contact has restitution."""
    return scheme.restitution > 0.0 or is_said(model, RESTITUTION)


def slows(model, scheme):
    """Whether any contact has another friction when it slides."""
    return scheme.kinetic != 1.0 or is_said(model, KINETIC)


def friction(model, state, contacts, arm, v_free, scheme):
    """Coefficients [-] (C,): the kinetic one where a contact slides as the step begins."""
    now = np.where((model.bodies.free < 0)[:, None], v_free, state.velocity)
    u = np.empty((len(contacts.gap), 3))
    moreau_jean.relative_to(contacts, arm, now, False, model.bodies.free, u)
    sliding = np.hypot(u[:, 1], u[:, 2]) > SLIDING
    kinetic = law_of_contacts(model, contacts, KINETIC)
    kinetic = np.where(np.isnan(kinetic), scheme.kinetic * contacts.friction, kinetic)
    return np.where(sliding, kinetic, contacts.friction)


def _bounce(model, state, contacts, arm, v_free, moving, scheme, b):
    """Newton's restitution where contacts close fast enough: writes into the bias b (C, 3)."""
    h, bodies = scheme.theta * scheme.time_step, model.bodies
    fall = float(np.linalg.norm(model.gravity))
    e = law_of_contacts(model, contacts, RESTITUTION)
    e = np.where(np.isnan(e), scheme.restitution, e)
    now = np.where((bodies.free < 0)[:, None], v_free, state.velocity)
    before, closing, driven = np.empty_like(b), np.empty_like(b), np.empty_like(b)
    moreau_jean.relative_to(contacts, arm, now, False, bodies.free, before)
    u, size = before[:, 0], bodies.size[contacts.body].min(axis=1)
    fast = (e > 0.0) & (-u > scheme.bounce_threshold * np.sqrt(0.2 * np.maximum(fall, size) * size))
    moreau_jean.relative_to(contacts, arm, v_free, False, bodies.free, closing)
    hits = fast & (contacts.gap + h * closing[:, 0] <= 0.0)
    moreau_jean.relative_to(contacts, arm, moving, True, bodies.free, driven)
    b[hits, 0] = (e * u + driven[:, 0])[hits]
