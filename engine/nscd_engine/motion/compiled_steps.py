"""Many steps in one compiled call (kernels/motion/compiled_steps), of dry blocks on which nothing varies in time."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from nscd_engine.contacts.in_motion import MARGINS
from nscd_engine.core import later
from nscd_engine.core.model import Model
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import Snapshot, State, StepMemory
from nscd_engine.core.structs import Contacts
from nscd_engine.kernels.motion import compiled_steps as kernel
from nscd_engine.kernels.motion.energy import External
from nscd_engine.kernels.motion.moreau_jean import world_inertia
from nscd_engine.kernels.solvers.admm_step import is_admm_step
from nscd_engine.laws.joint_state import Joints
from nscd_engine.linalg.symbolic import analyse
from nscd_engine.loads.prescribed import Drive
from nscd_engine.motion.moreau_jean import TWISTING, Scheme, gap_rules, slows
from nscd_engine.motion.restitution import bounces
from nscd_engine.motion.simulation import Simulation
from nscd_engine.solvers import step_solver
from nscd_engine.solvers.admm import MOST_WHOLE

NO_PAIRS = np.zeros((0, 2), np.int64)


def suits(model: Model, scheme: Scheme, settings: Settings, joints: Optional[Joints], drive: Drive) -> bool:
    """Whether steps of such a motion can be compiled ones."""
    plain = joints is None and model.planar is None and settings.solver == "newton"
    euler = scheme.theta == 1.0 and scheme.level == "position"
    small = (model.bodies.free >= 0).sum() <= MOST_WHOLE  # a step of more is worth several threads
    steady = not drive.varies and drive.columns == 3
    return bool(plain and euler and small and steady) and not bounces(model, scheme) and not slows(model, scheme)


class CompiledSteps:
    """Takes steps of a simulation that `suits`.

    Parameters
    ----------
    simulation : Simulation
        Its detector and its solver's memory are used; its state is passed as a snapshot.
    drive : Drive
    """

    def __init__(self, simulation: Simulation, drive: Drive) -> None:
        model, scheme = simulation.model, simulation.scheme
        self.model, self.drive, self.time_step = model, drive, scheme.time_step
        self.detector, self.workspace = simulation.detector, simulation.workspace
        self.coulomb = simulation.settings.friction == "coulomb"
        self.gaps = gap_rules(model, scheme)
        self.twist = kernel.Twist(scheme.section_from, TWISTING)
        self.external = External(model.gravity, model.load, scheme.time_step)
        self.supports = np.flatnonzero(model.bodies.free < 0)
        self.alike = step_solver.has_similar_masses(model.bodies.mass[model.bodies.free >= 0])

    def possible(self, snapshot: Snapshot) -> bool:
        """Whether the next step can be a compiled one."""
        last = snapshot.last
        if last is None or later.is_awaited(kernel.take_steps):
            return False
        return is_admm_step(len(last.impulses), snapshot.methods["method_hold_steps"], self.alike)

    def take(self, snapshot: Snapshot, times: np.ndarray, watch: kernel.Watch) -> Tuple[int, Snapshot, Contacts]:
        """Take steps that end at `times` (n,) [s], as many as ADMM can; `watch` is updated in place.

        Returns their number, the snapshot after them and the contacts of the last of them.
        """
        course = self._course(snapshot, times)
        carried, detector = self._carried(snapshot), snapshot.detector
        hold, count = snapshot.methods["method_hold_steps"], len(carried.relative)
        done, why = 0, kernel.DONE
        memory = self.workspace.admm_arrays(self.workspace.symbolic or analyse(count, NO_PAIRS))
        while done < len(times) and why not in (kernel.UNSOLVED, kernel.NEWTON):
            inputs = self._inputs(detector), kernel.SolverInput(memory, self.coulomb, hold - done, self.alike)
            rest = watch._replace(probed=watch.probed[done:])
            earlier = why
            steps, why, carried, poses, body = kernel.take_steps(
                self.model.bodies, _rest_of(course, done), carried, *inputs, rest
            )
            done += steps
            detector = detector._replace(pairs=carried.pairs)
            if why == kernel.BOXES:
                detector = self._boxes_drawn(detector, poses)
                carried = carried._replace(pairs=detector.pairs)
            elif why == kernel.GRAPH:
                if earlier == kernel.GRAPH and not steps:
                    break  # the pairs differ again after they have been analysed
                memory = self.workspace.admm_arrays(self.workspace.factor_structure(body, count))
        after = snapshot._replace(detector=detector)
        return done, self._after(after, carried, times[:done]) if done else after, carried.contacts

    def _course(self, snapshot, times):
        # this order of indices, or the kernel is compiled for another one too
        moved = self.drive.displacements(times)[:, self.supports]
        place = np.ascontiguousarray(self.model.bodies.centroid[self.supports] + moved)
        scale = self.time_step / snapshot.last.duration
        return kernel.Course(
            self.external, self.gaps, self.twist, times, self.supports, place, self.drive.grounds(times), scale
        )

    def _inputs(self, detector):
        own = self.detector
        return kernel.DetectorInput(
            own.parts, own.scratch, detector.home, detector.room, detector.friction, MARGINS, own.fall(self.time_step)
        )

    def _boxes_drawn(self, detector, poses):
        self.detector.restore(detector)
        self.detector.draw_boxes(poses, self.time_step)
        return self.detector.snapshot()

    def _carried(self, snapshot):
        """What the first step takes over; of the contacts of the last one only their keys are used."""
        state, last, no = snapshot.state, snapshot.last, np.zeros((0, 3))
        body, frame = np.zeros((0, 2), np.int32), np.zeros((0, 3, 3))
        contacts = Contacts(body, no, frame, no[:, 0], no[:, 0], last.key)
        inertia = world_inertia(state.orientation, self.model.bodies.inertia, self.model.bodies.free)
        earlier = last.earlier_for(self.time_step)
        return kernel.Carried(
            state.position, state.orientation, state.velocity, inertia, last.relative, earlier, last.impulses,
            contacts, snapshot.detector.pairs,
        )  # fmt: skip

    def _after(self, snapshot, carried, times):
        """The snapshot after steps that ended at `times`."""
        state = State(float(times[-1]), carried.position, carried.orientation, carried.velocity)
        last = StepMemory(carried.contacts.key, carried.impulses, self.time_step, carried.relative, carried.earlier)
        hold = max(snapshot.methods["method_hold_steps"] - len(times), 0)
        return snapshot._replace(state=state, last=last, methods=dict(snapshot.methods, method_hold_steps=hold))


def _rest_of(course, done):
    """The course without its first steps."""
    scale = course.scale if done == 0 else 1.0
    rows = {key: getattr(course, key)[done:] for key in ("times", "place", "ground")}
    return course._replace(scale=scale, **rows)
