"""One step of a motion with deformable blocks (docs/deformable.md): the velocities of their nodes at its end.

    A (v+ - v) = h (f - K d_theta - C d'_theta) + J^T gamma,   d+ = d + h ((1 - theta) d' + theta d'+)

Contacts are found between the blocks as rigid ones; the displacement of both faces is added to their gaps. Velocities
of the nodes are solved for in world axes, and then told apart into rigid motion and the rate of the deformation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional, Tuple

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import State
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.motion.energy import FRICTION, IMPACT, SCHEME, WORK
from nscd_engine.kernels.solvers.levers import gathered_levers
from nscd_engine.laws.joint_state import Joints
from nscd_engine.laws.posing import Posed, without_laws
from nscd_engine.motion.deformable.attached import Attached
from nscd_engine.motion.deformable.matrix import StepMatrix
from nscd_engine.motion.deformable.solve import EXACT_WITH_LAWS, FOUND, anew, from_the_step_before
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.deformable.touching import Faces, Touching, add_gaps, opened
from nscd_engine.motion.moreau_jean import Drift, Scheme, step_problem
from nscd_engine.motion.restitution import bounces, factors, of_supports, rebound
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.joint_rounds import solve_with_joints
from nscd_engine.solvers.levers import Levers
from nscd_engine.solvers.solution import Report, Warm
from nscd_engine.solvers.step_solver import RESIDUAL, Found


@dataclass(frozen=True)
class Bounce:
    """Contacts of blocks that hit each other. C contacts."""

    meets: np.ndarray  # (C,) bool
    driven: np.ndarray  # [m/s] (C, 3): velocities of b relative to a that supports have


@dataclass(frozen=True)
class Begun:
    """A step whose contacts are known. C contacts, D deformable bodies, n nodes."""

    problem: Problem
    contacts: Contacts  # their gaps are those between deformed faces
    touch: Touching
    rotation: np.ndarray  # (D, 3, 3): of the bodies as the step begins
    load: np.ndarray  # [N] (n, 3): point loads without their resultants, in the axes of the bodies
    bounce: Optional[Bounce] = None  # None: no contact has restitution


class DeformableStep:
    """Takes steps of a motion with deformable blocks.

    Parameters
    ----------
    model : Model
    deformation : Deformation
        Its state goes on with every step.
    joints : Joints, optional
        Those whose laws are more than friction.
    """

    def __init__(self, model: Model, deformation: Deformation, joints: Optional[Joints] = None) -> None:
        self.deformation, self.joints = deformation, joints
        self.bodies, self.faces = deformation.bodies, Faces(model, deformation)
        self.attached = None if joints is None else Attached(joints, self.faces)
        self.matrix = StepMatrix(deformation, int((model.bodies.free >= 0).sum()))
        self.losses = np.zeros(5)  # [J] of the last step, by the motion of the nodes (kernels.motion.energy)

    # -- contacts ------------------------------------------------------------------------------------------------------

    def begin(
        self, model: Model, state: State, moved: Drift, contacts: Contacts, inertia: np.ndarray, scheme: Scheme
    ) -> Begun:
        """The problem of the step from a state, with the gaps between deformed faces; parameters as of `step_problem`.

        Point loads of the model are those of the step.
        """
        deformed, here = self.deformation, rotation_matrices(moved.state.orientation)
        rotation = rotation_matrices(state.orientation)[self.bodies.blocks]
        shape = deformed.displacement + (1.0 - scheme.theta) * scheme.time_step * deformed.rate
        contacts, like, held = self._contacts(contacts, state, moved, here, shape)
        detected = len(contacts.gap) - held
        touch = self._touching(contacts, moved, here, detected)
        turned = deformed.turned(here[self.bodies.blocks], shape)
        mine = (touch.row >= 0).any(axis=1) & (np.arange(len(contacts.gap)) < detected)
        gap = contacts.gap + np.where(mine, opened(touch, contacts.frame, turned)[:, 0], 0.0)
        problem = step_problem(model, moved, contacts._replace(gap=np.where(mine, 0.0, gap)), inertia, scheme)
        problem.friction[detected - len(like) : detected] = problem.friction[like]
        if self.attached is not None:
            self.attached.set_arms(problem.arm[detected:], here)
        contacts = contacts._replace(gap=gap)
        add_gaps(problem, contacts, mine, model, scheme)
        begun = Begun(problem, contacts, touch, rotation, self._point_loads(model, rotation))
        return self._with_restitution(begun, model, moved, scheme) if bounces(model, scheme) else begun

    def _contacts(
        self, contacts: Contacts, state: State, moved: Drift, rotation: np.ndarray, shape: np.ndarray
    ) -> Tuple[Contacts, np.ndarray, int]:
        """Contacts: detected ones, those at nodes between them, points of joints, cables. A detected contact (k,) of
        the patch of each node, and the number of the last two.

        `rotation` (B, 3, 3) and `shape` (n, 3) [m] are those at which contacts are detected.
        """
        joints, attached = self.joints, self.attached
        if joints is not None and attached is not None:
            arms = attached.arms(shape), attached.arms(self.deformation.displacement)
            contacts = joints.update(contacts, moved.state, state, arms)
        held = 0 if joints is None else joints.held
        last = len(contacts.gap) - held
        first, behind = (Contacts(*(field[rows] for field in contacts)) for rows in (slice(last), slice(last, None)))
        between, like = self.faces.between_corners(first, moved.state.position, rotation)
        if joints is not None:
            joints.add_contacts(first, like)
        return Contacts(*map(np.concatenate, zip(first, between, behind))), like, held

    def _touching(self, contacts: Contacts, moved: Drift, rotation: np.ndarray, detected: int) -> Touching:
        """The nodes that move the contacts, of which the last are points of joints and cables."""
        first = Contacts(*(field[:detected] for field in contacts))
        touch = self.faces.touching(first, moved.state.position, rotation)
        return touch if self.attached is None else touch.then(self.attached.touching())

    def _with_restitution(self, begun: Begun, model: Model, moved: Drift, scheme: Scheme) -> Begun:
        """The step with the law of impact as the bias of the contacts that hit."""
        contacts, problem, state = begun.contacts, begun.problem, self.deformation
        rate = opened(begun.touch, contacts.frame, state.turned(begun.rotation, state.rate))[:, 0]
        found = rebound(model, moved, contacts, problem.arm, scheme, rate)
        problem.bias[found.hits, 0] = found.bias[found.hits]
        return replace(begun, bounce=Bounce(found.meets, of_supports(model, moved, contacts, problem.arm)))

    def _point_loads(self, model: Model, rotation: np.ndarray) -> np.ndarray:
        """Point loads [N] (n, 3) on the nodes without their resultants, in the axes of the bodies."""
        loads, row = model.point_loads, np.full(len(model.names), -1)
        row[self.bodies.blocks] = np.arange(len(self.bodies.blocks))
        nodal = np.zeros_like(self.deformation.arm)
        mine = np.flatnonzero(row[loads.block] >= 0)
        if not len(mine):
            return nodal
        owner = row[loads.block[mine]]
        node, weight = self.faces.locator.locate(owner, loads.point[mine])
        force = np.einsum("kji,kj->ki", rotation[owner], loads.force[mine])
        np.add.at(nodal, self.deformation.first[owner][:, None] + node, weight[:, :, None] * force[:, None])
        return self.deformation.without_resultant(nodal)

    # -- solution ------------------------------------------------------------------------------------------------------

    def solve(self, begun: Begun, warm: Warm, scheme: Scheme, settings: Settings) -> Tuple[np.ndarray, Report]:
        """Impulses (C, 3) in the contact frames, and a Report with the rigid parts of the velocities.

        The deformation goes on to the end of the step.
        """
        joints, rate = self.joints, self._damped_rate(scheme.time_step)
        plain = joints is None or joints.idle
        velocity = None if warm.impulses is None else self._velocities(begun, warm.velocity, rate)
        force = self._force(begun, rate, scheme)

        def solve_posed(posed: Posed, start: Optional[np.ndarray]) -> Tuple[np.ndarray, Report, np.ndarray]:
            system = self._system(begun, posed, force, warm, scheme, settings)
            found = _found(system, start, velocity, settings.friction == "coulomb", plain)
            if begun.bounce is not None and plain:
                found = _without_gain(system, found, begun.bounce)
            status = "converged" if found[2] <= FOUND else "stalled"
            counts = system.iterations, system.factorizations
            return found[0], Report(found[1], *counts, status, found[2], 0.0, 0.0), system.slip(found[1])

        if joints is None or plain:
            impulses, report, _ = solve_posed(without_laws(begun.problem), warm.impulses)
        else:
            length = scheme.time_step, scheme.theta
            impulses, report = solve_with_joints(joints, begun.problem, warm.impulses, *length, solve_posed)
        return impulses, report._replace(velocity=self._finish(begun, impulses, report.velocity, rate, scheme))

    def _system(
        self, begun: Begun, posed: Posed, force: np.ndarray, warm: Warm, scheme: Scheme, settings: Settings
    ) -> DeformableSystem:
        """The problem with the laws of its contacts; `force` (T, 6) [N s] is without what presses their cones."""
        problem = posed.problem
        matrix = self.matrix.assembled(problem, begun.rotation, scheme)
        levers = self._levers(problem, begun.touch.then_again(posed.disc))
        system = DeformableSystem(
            problem, matrix, levers, force, warm.workspace, threads=settings.threads, before=warm.velocity
        )
        if posed.pressed.any():
            pressed = np.zeros((len(posed.pressed), 3))
            pressed[:, 0] = posed.pressed
            back = force.copy()
            system.subtract_impulses(pressed, back)
            system.set_force(back)
        return system

    def _damped_rate(self, h: float) -> np.ndarray:
        """The rate (n, 3) after the damping that goes with the mass; rigid motion is not braked."""
        return self.deformation.rate * np.exp(-h * self.deformation.damping[:, :1])

    def _levers(self, problem: Problem, touch: Touching) -> Levers:
        """How the tiles move the contacts."""
        axis = np.zeros(3) if self.bodies.planar is None else self.bodies.planar
        nodes = touch.row, self.matrix.slot[touch.node], touch.weight
        return Levers(*gathered_levers(problem, self.matrix.rigid, *nodes, axis))

    def _force(self, begun: Begun, rate: np.ndarray, scheme: Scheme) -> np.ndarray:
        """b = A v_free [N s] (T, 6)."""
        problem, state, h = begun.problem, self.deformation, scheme.time_step
        before = state.damping[:, 1:] + scheme.theta * h  # what the rate before the step adds to the displacement
        displacement = state.displacement + (1.0 - scheme.theta) * before * rate
        nodal = state.momentum(self._own_field(problem.v_free, begun.rotation) + rate)
        nodal += h * (begun.load - state.elastic_force(displacement))
        force = np.zeros((self.matrix.tiles, 6))
        rigid = self.matrix.rigid >= 0
        at, v = self.matrix.rigid[rigid], problem.v_free[rigid]
        force[at, :3] = problem.mass[rigid, None] * v[:, :3]
        force[at, 3:] = np.einsum("nij,nj->ni", problem.inertia[rigid], v[:, 3:])
        force.reshape(-1, 3)[self.matrix.slot] = state.turned(begun.rotation, nodal)
        return force

    def _own_field(self, velocity: np.ndarray, rotation: np.ndarray) -> np.ndarray:
        """Velocities (n, 3) of the nodes in the axes of the bodies, for rigid velocities (N, 6) in world axes."""
        mine = velocity[self.bodies.free].reshape(-1, 2, 3)
        own = np.einsum("dji,dkj->dki", rotation, mine)
        return self.deformation.field(own[:, 0], own[:, 1])

    def _velocities(self, begun: Begun, velocity: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Velocities (T, 6) of the tiles for rigid ones (N, 6) and a rate; bodies without contacts move freely."""
        problem, rotation = begun.problem, begun.rotation
        touched = np.zeros(len(problem.mass), bool)
        touched[problem.body[problem.body >= 0]] = True
        velocity = np.where(touched[:, None], velocity, problem.v_free)
        tiles = np.zeros((self.matrix.tiles, 6))
        rigid = self.matrix.rigid >= 0
        tiles[self.matrix.rigid[rigid]] = velocity[rigid]
        nodal = self.deformation.turned(rotation, self._own_field(velocity, rotation) + rate)
        tiles.reshape(-1, 3)[self.matrix.slot] = nodal
        return tiles

    # -- end of the step -----------------------------------------------------------------------------------------------

    def _finish(
        self, begun: Begun, impulses: np.ndarray, velocity: np.ndarray, before: np.ndarray, scheme: Scheme
    ) -> np.ndarray:
        """Go on to the end of the step with velocities (T, 6) of the tiles; the rigid ones (N, 6).

        `before` is the damped rate (n, 3).
        """
        state, rotation = self.deformation, begun.rotation
        nodal = velocity.reshape(-1, 3)[self.matrix.slot]
        parts = state.split(state.turned_back(rotation, nodal))
        rigid = np.empty((len(begun.problem.mass), 6))
        is_rigid = self.matrix.rigid >= 0
        rigid[is_rigid] = velocity[self.matrix.rigid[is_rigid]]
        rigid[self.bodies.free, :3] = np.einsum("dij,dj->di", rotation, parts.linear)
        rigid[self.bodies.free, 3:] = np.einsum("dij,dj->di", rotation, parts.spin)
        mean = (1.0 - scheme.theta) * before + scheme.theta * parts.rate
        moved = state.split(state.displacement + scheme.time_step * mean).rate
        self.losses = self._losses(begun, impulses, (before, parts.rate), moved, scheme)
        state.displacement, state.rate = moved, parts.rate
        return rigid

    def _losses(
        self,
        begun: Begun,
        impulses: np.ndarray,
        rates: Tuple[np.ndarray, np.ndarray],
        moved: np.ndarray,
        scheme: Scheme,
    ) -> np.ndarray:
        """Losses and work [J] (5,) of the step by the motion of the nodes beside that of their bodies.

        Damping, and what the time integration takes from the elastic vibration, is loss of the scheme.
        """
        state, h, theta = self.deformation, scheme.time_step, scheme.theta
        before, after = rates
        middle, mean = 0.5 * (before + after), (1.0 - theta) * before + theta * after
        slip = opened(begun.touch, begun.contacts.frame, state.turned(begun.rotation, middle))
        losses = np.zeros(5)
        losses[IMPACT] = -np.vdot(impulses[:, 0], slip[:, 0])
        losses[FRICTION] = -np.vdot(impulses[:, 1:], slip[:, 1:])
        losses[WORK] = h * np.vdot(begun.load, middle)
        # K d_theta . d'_mean - K d_mean . d'_theta, both displacements counted from the mean of begin and end
        pull = (theta - 0.5) * (moved - state.displacement) + state.damping[:, 1:] * mean
        losses[SCHEME] = h * np.vdot(state.elastic_force(pull), middle)
        if theta != 0.5:
            between = 0.5 * (state.displacement + moved)
            losses[SCHEME] -= h * np.vdot(state.elastic_force(between), mean - middle)
        if state.damping[:, 0].any():
            braked = np.vdot(state.rate, state.momentum(state.rate)) - np.vdot(before, state.momentum(before))
            losses[SCHEME] += 0.5 * braked
        return losses


def _found(
    system: DeformableSystem, start: Optional[np.ndarray], velocity: Optional[np.ndarray], coulomb: bool, plain: bool
) -> Found:
    """Solution from impulses (C, 3) and velocities (T, 6) of the step before; both None in the first step.

    `plain` are contacts with friction alone.
    """
    if start is None or velocity is None:
        return anew(system, np.zeros((len(system.problem.friction), 3)), coulomb)
    return from_the_step_before(system, start, velocity, coulomb, RESIDUAL if plain else EXACT_WITH_LAWS)


def _without_gain(system: DeformableSystem, found: Found, bounce: Bounce) -> Found:
    """A solution with impulses reduced where those of blocks that hit together do work (motion.restitution)."""
    impulses, velocity, residual = found
    if not bounce.meets.any():
        return found
    free = system.free_velocity()
    u = (system.slip(each) + bounce.driven for each in (free, velocity))
    of_contact, of_body = factors(system.problem, bounce.meets, impulses, *u)
    velocity = free + of_body[system.matrix.tile_body][:, None] * (velocity - free)
    return of_contact[:, None] * impulses, velocity, residual
