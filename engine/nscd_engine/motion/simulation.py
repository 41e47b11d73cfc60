"""The motion of a structure, step by step."""

from __future__ import annotations

import copy
import time
import weakref
from typing import Any, Callable, Optional, Tuple

import numpy as np

from nscd_engine.contacts.in_motion import Detector
from nscd_engine.core.model import Model
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import Snapshot, State, StepMemory, rest_state
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.kernels.contacts.key_matching import match
from nscd_engine.kernels.motion.moreau_jean import world_inertia
from nscd_engine.kernels.solvers import operators
from nscd_engine.laws.joint_state import Joints
from nscd_engine.laws.posing import Posed
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.deformable.step import Begun, DeformableStep
from nscd_engine.motion.moreau_jean import Drift, Scheme, Solved, Step, Supports, drift, end_step, step_problem
from nscd_engine.motion.resting_groups import RestingGroups
from nscd_engine.motion.restitution import bounces, rebound, without_gain
from nscd_engine.solvers import bonded_step, step_solver
from nscd_engine.solvers.classic import nlgs, spg
from nscd_engine.solvers.joint_rounds import solve_with_joints
from nscd_engine.solvers.solution import Report, Warm
from nscd_engine.solvers.workspace import Workspace

#: Speed over that of a fall for one step from which a motion begins with an impact [-]. Larger: the first step of an
#: impact is solved by Newton's method, slowly. Smaller: structures that stand do not begin at rest.
HIT = 3.0
#: Whether groups of blocks that rest sleep, and contacts that cannot have changed are used again. Without, a motion
#: takes longer and has the same bits.
SLEEPING = True
SOLVERS = {"newton": step_solver.solve, "nlgs": nlgs.solve, "spg": spg.solve}


class Simulation:
    """A structure in motion.

    Parameters
    ----------
    model : Model
    scheme : Scheme
    settings : Settings
    supports : Supports, optional
        Prescribed displacements; without it supports do not move.
    state : State, optional
        Where to start; blocks as given, at rest, otherwise.
    joints : Joints, optional
        Those whose laws are more than friction.
    deformation : Deformation, optional
        Of the deformable blocks.
    """

    def __init__(
        self,
        model: Model,
        scheme: Scheme,
        settings: Settings,
        supports: Optional[Supports] = None,
        state: Optional[State] = None,
        joints: Optional[Joints] = None,
        deformation: Optional[Deformation] = None,
    ) -> None:
        still = np.zeros((len(model.names), 3))
        self.model, self.scheme, self.settings = model, scheme, settings
        self.supports = supports or (lambda t: still)
        self.joints, self.deformation = joints, deformation
        self.deforming = None if deformation is None else DeformableStep(model, deformation, joints)
        self.detector = Detector(model, SLEEPING, settings.threads)
        self.groups = RestingGroups(model.bodies.free, SLEEPING)
        self._solved: Optional[Solved] = None  # of the last step, if groups that sleep may use it
        self.workspace = Workspace()
        self.state = rest_state(model) if state is None else state
        if deformation is not None:  # faces that touch as drawn have no gap; in the state given they may overlap
            self.detector.update(rest_state(model), scheme.theta * scheme.time_step)
        self.inertia = self._world_inertia()  # [kg m2] (N, 3, 3): of the free bodies in the state
        self.last: Optional[StepMemory] = None
        self.detect = Timed(self._detect)
        self.solve = Timed(self._solve)
        self._may_rest = not bounces(model, scheme)  # what bounces is corrected for all contacts at once
        self.solve_deforming = Timed(self._solve_deforming)

    # -- a step ----------------------------------------------------------------------------------------------------

    def advance(self, model: Optional[Model] = None, time_step: Optional[float] = None) -> Step:
        """Take one step.

        Parameters
        ----------
        model : Model, optional
            With the gravity and the loads of this step; those of the simulation otherwise.
        time_step : float, optional
            [s]; that of the scheme otherwise.

        Notes
        -----
        kernels/motion/compiled_steps takes the same step in compiled code, for dry blocks and ADMM. A change here is
        made there too; tests/nscd_engine/motion/test_compiled_steps.py compares the bits of both.
        """
        model = self.model if model is None else model
        scheme = self.scheme if time_step is None else self.scheme._replace(time_step=time_step)
        moved = drift(model, self.state, self.inertia, self.supports, scheme)
        require_finite(moved.state, moved.v_free)  # detection would take NaN for a place
        contacts = self.detect(moved.state, scheme.theta * scheme.time_step, moved.v_free)
        if self.deforming is not None:
            return self._advance_deforming(self.deforming, model, moved, contacts, scheme)
        asleep = self.groups.asleep(self.detector.steady, contacts.body, self.state.velocity, moved.ground)
        if self._solved is not None and asleep.all():
            return self._end(model, moved, self._solved._replace(contacts=contacts), scheme)
        problem = step_problem(model, moved, contacts, self.inertia, scheme)
        bounce = rebound(model, moved, contacts, problem.arm, scheme) if bounces(model, scheme) else None
        if bounce is not None:
            problem.bias[bounce.hits, 0] = bounce.bias[bounce.hits]
        impulses, report = self.solve(model, problem, contacts, scheme, asleep)
        if bounce is not None and bounce.meets.any() and (self.joints is None or self.joints.idle):
            impulses, velocity = without_gain(model, moved, contacts, problem, bounce.meets, impulses)
            report = report._replace(velocity=velocity)
        solved = Solved(contacts, problem.arm, impulses, report)
        self._solved = solved if self.groups.resting.all() else None
        return self._end(model, moved, solved, scheme)

    def _advance_deforming(
        self, deforming: DeformableStep, model: Model, moved: Drift, contacts: Contacts, scheme: Scheme
    ) -> Step:
        """The rest of a step with deformable blocks, from its contacts."""
        begun = deforming.begin(model, self.state, moved, contacts, self.inertia, scheme)
        impulses, report = self.solve_deforming(deforming, model, begun, scheme)
        solved = Solved(begun.contacts, begun.problem.arm, impulses, report)
        return self._end(model, moved, solved, scheme)._replace(elastic=deforming.losses)

    def _end(self, model: Model, moved: Drift, solved: Solved, scheme: Scheme) -> Step:
        """The end of a step, which becomes the state."""
        contacts, _, impulses, report = solved
        done = end_step(model, self.state, moved, solved, self.inertia, self.supports, scheme)
        require_finite(done.state, impulses, report.velocity, *self._joint_forces())
        earlier = None if self.last is None else self.last.relative
        self.last = StepMemory(contacts.key, impulses, scheme.time_step, report.velocity, earlier)
        self.state, self.inertia = done.state, done.inertia
        return done

    def _joint_forces(self) -> Tuple[np.ndarray, ...]:
        """Forces [N] of joints and cables after the step."""
        if self.joints is None:
            return ()
        cables = self.joints.cables
        return (self.joints.force, self.joints.force_disc) + (() if cables is None else (cables.force,))

    def _detect(self, state: State, time_step: float, velocity: np.ndarray) -> Contacts:
        contacts = self.detector.update(state, time_step, velocity)
        if self.joints is None or self.deforming is not None:  # joints of deformed blocks are found by their step
            return contacts
        return self.joints.update(contacts, state, self.state)

    def _solve(
        self, model: Model, problem: Problem, contacts: Contacts, scheme: Scheme, asleep: np.ndarray
    ) -> Tuple[np.ndarray, Report]:
        joints, solver = self.joints, SOLVERS[self.settings.solver]
        warm = self._warm(model, problem, contacts, scheme.time_step)
        if joints is None and warm.impulses is not None and self.settings.solver == "newton" and self._may_rest:
            return self.groups.solve(solver, problem, warm, self.settings, asleep)
        if joints is None or joints.idle:
            return solver(problem, warm, self.settings)
        length = scheme.time_step, scheme.theta
        return solve_with_joints(joints, problem, warm.impulses, *length, self._solve_posed)

    def _solve_posed(self, posed: Posed, start: Optional[np.ndarray]) -> Tuple[np.ndarray, Report, np.ndarray]:
        """A `SolvePosed` of rigid blocks."""
        problem, solver = posed.problem, SOLVERS[self.settings.solver]
        begin = Warm(start, None if self.last is None else self.last.relative, self.workspace)
        if self.settings.solver == "newton":
            found, report = bonded_step.solve(solver, problem, begin, self.settings)
        else:
            found, report = solver(problem, begin, self.settings)
        return found, report, operators.relative_velocity(problem, report.velocity)

    def _solve_deforming(
        self, deforming: DeformableStep, model: Model, begun: Begun, scheme: Scheme
    ) -> Tuple[np.ndarray, Report]:
        warm = self._warm(model, begun.problem, begun.contacts, scheme.time_step)
        return deforming.solve(begun, warm, scheme, self.settings)

    def _warm(self, model, problem, contacts, h):
        """The start of the solver: impulses of the last step for the same contacts, 0 for new ones, and velocities."""
        last = self.last
        if last is None:
            return self._first(model, problem, h)
        impulses = match(last.key, contacts.key, last.impulses, h / last.duration)
        return Warm(impulses, last.relative, self.workspace, last.earlier_for(h))

    def _first(self, model, problem, h):
        """The start of the first step: velocities relative to the supports, and whether they are those of an impact."""
        free = model.bodies.free >= 0
        fall = h * (model.gravity + model.load[free, :3] / problem.mass[:, None])
        velocity = problem.v_free.copy()
        velocity[:, :3] -= fall
        hit = np.abs(velocity[:, :3]).max(initial=0.0) > HIT * np.abs(fall).max(initial=0.0)
        return Warm(None, velocity, self.workspace, impact=bool(hit))

    # -- going on later --------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Everything that the next step takes over from this one."""
        return Snapshot(
            self.state,
            self.last,
            self.detector.snapshot(),
            self.workspace.snapshot(),
            None if self.joints is None else copy.deepcopy(self.joints.snapshot()),
            None if self.deformation is None else self.deformation.snapshot(),
        )

    def restore(self, saved: Snapshot) -> None:
        """Go on from a snapshot of a simulation of the same model."""
        self.state, self.last = saved.state, saved.last
        self.groups.forget()
        self.inertia = self._world_inertia()
        self.detector.restore(saved.detector)
        self.workspace.restore(saved.methods)
        if self.joints is not None and saved.joints is not None:
            self.joints.restore(saved.joints)
        if self.deformation is not None and saved.deformation is not None:
            self.deformation.restore(saved.deformation)

    def _world_inertia(self):
        bodies = self.model.bodies
        return world_inertia(self.state.orientation, bodies.inertia, bodies.free)


class NotFiniteError(ArithmeticError):
    """A step has led to a state that is not finite."""


def require_finite(state: State, *arrays: np.ndarray) -> None:
    """Raise NotFiniteError if a number of a state, or of further arrays, is NaN or infinite."""
    for array in (state.position, state.orientation, state.velocity, *arrays):
        if not np.isfinite(array).all():
            raise NotFiniteError("The state at {:g} s is not finite.".format(state.time))


class Timed:
    """A method that sums the time spent in it.

    It does not hold its object, which holds it: the arrays of a motion would wait for a collection of cycles, and
    thousands of motions would gather before one.
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = weakref.WeakMethod(method)
        self.seconds = 0.0

    def __call__(self, *arguments: Any) -> Any:
        """Result of the method."""
        method = self.method()
        assert method is not None, "its object lives while it is called"
        begin = time.perf_counter()
        result = method(*arguments)
        self.seconds += time.perf_counter() - begin
        return result
