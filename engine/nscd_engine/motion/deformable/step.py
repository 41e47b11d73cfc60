"""One step of a motion with deformable blocks (docs/deformable.md): the velocities of their nodes at its end.

    A (v+ - v) = h (f - K d_theta - C d'_theta) + J^T gamma,   d+ = d + h ((1 - theta) d' + theta d'+)

Contacts are found between the blocks as rigid ones; the displacement of both faces is added to their gaps. Velocities
of the nodes are solved for in world axes, and then told apart into rigid motion and the rate of the deformation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import State
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.motion.energy import FRICTION, IMPACT, SCHEME, WORK
from nscd_engine.kernels.solvers.levers import gathered_levers
from nscd_engine.motion.deformable.matrix import StepMatrix
from nscd_engine.motion.deformable.solve import FOUND, anew, from_the_step_before
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.deformable.touching import Faces, Touching, add_gaps, opened
from nscd_engine.motion.moreau_jean import Drift, Scheme, step_problem
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.levers import Levers
from nscd_engine.solvers.solution import Report, Warm


@dataclass(frozen=True)
class Begun:
    """A step whose contacts are known. D deformable bodies, n nodes."""

    problem: Problem
    contacts: Contacts  # their gaps are those between deformed faces
    touch: Touching
    rotation: np.ndarray  # (D, 3, 3): of the bodies as the step begins
    load: np.ndarray  # [N] (n, 3): point loads without their resultants, in the axes of the bodies


class DeformableStep:
    """Takes steps of a motion with deformable blocks.

    Parameters
    ----------
    model : Model
    deformation : Deformation
        Its state goes on with every step.
    """

    def __init__(self, model: Model, deformation: Deformation) -> None:
        self.deformation = deformation
        self.bodies, self.faces = deformation.bodies, Faces(model, deformation)
        self.matrix = StepMatrix(deformation, int((model.bodies.free >= 0).sum()))
        self.losses = np.zeros(5)  # [J] of the last step, by the motion of the nodes (kernels.motion.energy)

    # -- contacts ------------------------------------------------------------------------------------------------------

    def begin(
        self, model: Model, state: State, moved: Drift, contacts: Contacts, inertia: np.ndarray, scheme: Scheme
    ) -> Begun:
        """The problem of the step from a state, with the gaps between deformed faces; parameters as of `step_problem`.

        Point loads of the model are those of the step.
        """
        deformation, here = self.deformation, rotation_matrices(moved.state.orientation)
        rotation = rotation_matrices(state.orientation)[self.bodies.blocks]
        position = moved.state.position
        found = len(contacts.gap)
        contacts, like = self.faces.between_corners(contacts, position, here)
        touch = self.faces.touching(contacts, position, here)
        lag = (1.0 - scheme.theta) * scheme.time_step
        shape = deformation.turned(here[self.bodies.blocks], deformation.displacement + lag * deformation.rate)
        gap = contacts.gap + opened(touch, contacts.frame, shape)[:, 0]
        closed = gap.copy()
        closed[touch.contact] = 0.0
        problem = step_problem(model, moved, contacts._replace(gap=closed), inertia, scheme)
        problem.friction[found:] = problem.friction[like]
        contacts = contacts._replace(gap=gap)
        add_gaps(problem, contacts, touch, model, scheme)
        return Begun(problem, contacts, touch, rotation, self._point_loads(model, rotation))

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
        problem, coulomb = begun.problem, settings.friction == "coulomb"
        rate = self._damped_rate(scheme.time_step)
        system = DeformableSystem(
            problem,
            self.matrix.assembled(problem, begun.rotation, scheme),
            self._levers(problem, begun.touch),
            self._force(begun, rate, scheme),
            warm.workspace,
            threads=settings.threads,
            before=warm.velocity,
        )
        if warm.impulses is None:
            impulses, velocity, residual = anew(system, np.zeros((len(problem.friction), 3)), coulomb)
        else:
            start = self._velocities(problem, warm.velocity, begun.rotation, rate)
            impulses, velocity, residual = from_the_step_before(system, warm.impulses, start, coulomb)
        rigid = self._finish(begun, impulses, velocity, rate, scheme)
        status = "converged" if residual <= FOUND else "stalled"
        return impulses, Report(rigid, system.iterations, system.factorizations, status, residual, 0.0, 0.0)

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

    def _velocities(self, problem: Problem, velocity: np.ndarray, rotation: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Velocities (T, 6) of the tiles for rigid ones (N, 6) and a rate; bodies without contacts move freely."""
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
