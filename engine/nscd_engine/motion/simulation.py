"""The motion of a structure, step by step."""

import time
from functools import partial

import numpy as np

from nscd_engine.contacts.in_motion import Detector
from nscd_engine.core.state import rest_state
from nscd_engine.kernels.contacts.key_matching import match
from nscd_engine.kernels.motion.moreau_jean import world_inertia
from nscd_engine.kernels.solvers.admm_step import is_admm_step
from nscd_engine.motion import compiled_steps
from nscd_engine.motion.moreau_jean import step
from nscd_engine.solvers import bonded_step, nlgs, spg, step_solver
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.workspace import Workspace

#: Speed over that of a fall for one step from which a motion begins with a hit [-].
HIT = 3.0
SOLVERS = {"newton": step_solver.solve, "nlgs": nlgs.solve, "spg": spg.solve}


class Simulation:
    """A structure in motion: its state, and what is kept from step to step.

    Parameters
    ----------
    model : Model
    scheme : Scheme
    settings : Settings
    supports : callable, optional
        Displacement of the supports [m] (B, 3), or with a rotation vector (B, 6), at a time [s]; else they stay.
    state : State, optional
        Where to start; at rest as the blocks came otherwise.
    joints : Joints, optional
        Those whose laws are more than friction.
    """

    def __init__(self, model, scheme, settings, supports=None, state=None, joints=None):
        still = np.zeros((len(model.names), 3))
        self.model, self.scheme, self.settings = model, scheme, settings
        self.supports = supports or (lambda t: still)
        self.state = rest_state(model) if state is None else state
        self.detector = Detector(model)
        self.joints = joints
        self.detect = Timed(self._contacts)
        self.solver = Timed(SOLVERS[settings.solver])
        self.workspace = Workspace()
        self.key = None  # of the contacts of the last step
        self.impulses = None  # [N s] (C, 3): of the last step
        self.impulse_step = None  # [s] its length
        self.relative = None  # [m/s, rad/s] (N, 6): velocities against the supports after the last step
        self.earlier = None  # [m/s, rad/s] (N, 6): the same, of the step before that
        self.inertia = world_inertia(self.state.orientation, model.bodies.inertia, model.bodies.free)
        self.marches = compiled_steps.suits(model, scheme, settings, joints)
        self.alike = step_solver.has_similar_masses(model.bodies.mass[model.bodies.free >= 0])

    def advance(self, model=None, scheme=None):
        """One step; `model` and `scheme` may vary in gravity, loads and length. A Step."""
        self.scheme = scheme or self.scheme
        model = self.model if model is None else model
        solve = partial(self._solve, model)
        done = step(model, self.detect, self.state, self.supports, solve, self.scheme, self.inertia)
        self.state, self.inertia = done.state, done.inertia
        self.key, self.impulses, self.impulse_step = done.contacts.key, done.impulses, self.scheme.time_step
        self.earlier, self.relative = self.relative, done.report.velocity
        return done

    def may_march(self):
        """Whether the next step can be one of a march."""
        ready = self.marches and self.impulses is not None
        return ready and is_admm_step(len(self.impulses), self.workspace.method_hold_steps, self.alike)

    def _contacts(self, state, time_step, velocity):
        contacts = self.detector.update(state, time_step, velocity)
        return contacts if self.joints is None else self.joints.update(contacts, state)

    def _solve(self, model, problem, contacts):
        joints, scheme = self.joints, self.scheme
        start = self._matched(contacts.key)
        if joints is None or joints.idle:
            warm = Warm(start, self.relative, self.workspace, self.before_that())
            warm = self._first(model, problem, warm) if start is None else warm
            return self.solver(problem, warm, self.settings)
        posed = joints.pose(problem, scheme.time_step, scheme.theta)
        start = None if start is None else joints.warm(posed, start, scheme.time_step)
        warm = Warm(start, self.relative, self.workspace)
        if self.settings.solver == "newton":
            found, report = bonded_step.solve(self.solver, posed.problem, warm, self.settings)
        else:
            found, report = self.solver(posed.problem, warm, self.settings)
        return joints.keep(posed, found, scheme.time_step), report

    def before_that(self):
        """Velocities (N, 6) against the supports of the step before the last, if the last was as long as this one is;
        those of the last otherwise."""
        same = self.earlier is not None and self.impulse_step == self.scheme.time_step
        return self.earlier if same else self.relative

    def _first(self, model, problem, warm):
        """For the first step: velocities against the supports before it, and whether they are those of a hit."""
        free = model.bodies.free >= 0
        fall = self.scheme.time_step * (model.gravity + model.load[free, :3] / problem.mass[:, None])
        velocity = problem.v_free.copy()
        velocity[:, :3] -= fall
        hit = np.abs(velocity[:, :3]).max(initial=0.0) > HIT * np.abs(fall).max(initial=0.0)
        return warm._replace(velocity=velocity, impact=bool(hit))

    def _matched(self, key):
        """Impulses of the last step for the contacts of this one, 0 for new ones."""
        if self.impulses is None:
            return None
        return match(self.key, key, self.impulses, self.scheme.time_step / self.impulse_step)


class Timed:
    """A function that counts the time spent in it."""

    def __init__(self, function):
        self.function = function
        self.seconds = 0.0

    def __call__(self, *arguments):
        begin = time.perf_counter()
        result = self.function(*arguments)
        self.seconds += time.perf_counter() - begin
        return result
