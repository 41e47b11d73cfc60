"""The loop over time: steps, frames, progress, the end."""

from __future__ import annotations

import time
from typing import Any, Dict, Optional

import numpy as np

from compas_nscd.errors import CancelledError, SettingsError
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import State, rest_state
from nscd_engine.laws.joint_state import Joints
from nscd_engine.loads.prescribed import Drive
from nscd_engine.motion.collapse_and_rest import Rest
from nscd_engine.motion.compiled_steps import CompiledSteps, suits
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.moreau_jean import SECTION_FROM, Scheme
from nscd_engine.motion.records import checkpoint
from nscd_engine.motion.records.frames import Frames
from nscd_engine.motion.scheme_loss import SchemeLoss
from nscd_engine.motion.simulation import NotFiniteError, Simulation, require_finite
from nscd_engine.motion.step_control import DEEP_PARTS, ROUNDING, StepControl
from nscd_engine.motion.summary import NOT_FINITE, Summary

#: Time between two reports of progress [s]. Longer: cancelling takes longer. Shorter: fewer compiled steps in a call.
REPORT_S = 0.05
#: Most compiled steps in a call [-]: later steps may take longer than those that the number is estimated from. More:
#: reports may be late. Fewer: more calls.
MOST_AT_ONCE = 250
#: Share of the shortest step that the time has to resolve [-]. Larger: steps are unequal by rounding. Smaller: motions
#: that have gone on for long are refused.
RESOLVED = 1e-3


class Loop:
    """One motion.

    Parameters
    ----------
    model : Model
    settings : Settings
    options : dict
        Of the motion, as `gate.motion.read_options` gives them.
    drive : Drive
    joints : Joints, optional
        Those whose laws are more than friction.
    deformation : Deformation, optional
        Of the deformable blocks.
    start : State, optional
        At rest; blocks as given otherwise.
    """

    def __init__(
        self,
        model: Model,
        settings: Settings,
        options: Dict[str, Any],
        drive: Drive,
        joints: Optional[Joints] = None,
        deformation: Optional[Deformation] = None,
        start: Optional[State] = None,
    ) -> None:
        self.options, self.drive = options, drive
        given = {key: options[key] for key in ("time_step", "theta", "restitution", "level", "kinetic")}
        scheme = Scheme(section_from=SECTION_FROM[settings.torsion], **given)
        start = start or rest_state(model)
        start.velocity[:] = np.where((model.bodies.free >= 0)[:, None], drive.velocity, 0.0)
        self.control = StepControl(options["time_step"], options["adaptive"])
        self.loss = SchemeLoss(model)
        self.simulation = Simulation(model, scheme, settings, drive.displacement, start, joints, deformation)
        self.summary, self.rest = Summary(model), Rest(model)
        fixed = not options["adaptive"] and deformation is None
        compiled = fixed and suits(model, scheme, settings, joints, drive)
        self.compiled = CompiledSteps(self.simulation, drive) if compiled else None
        self._pace = 1.0  # [s] wall time of a compiled step
        if options["restart"] is not None:
            self._restore(options["restart"])
        self.begin = self.simulation.state.time  # [s]
        _require_progress(self.begin, options["time_step"])
        self.end = self.begin + options["duration"]  # [s]
        self._driven = drive.until()  # [s] time from which nothing is prescribed any more

    # -- going on later --------------------------------------------------------------------------------------------

    def checkpoint(self) -> np.ndarray:
        """The checkpoint (n,) uint8."""
        extra: Dict[str, Any] = {}
        for owner in (self.summary, self.rest, self.control, self.loss):
            extra.update(owner.snapshot())
        return checkpoint.save(self.simulation, extra)

    def _restore(self, saved):
        extra = checkpoint.restore(self.simulation, saved)
        for owner in (self.summary, self.rest, self.control, self.loss):
            owner.restore(extra)

    # -- the loop --------------------------------------------------------------------------------------------------

    def run(self, frames: Frames, monitor: Monitor) -> str:
        """Take steps until the end: "duration", "rest", "cancelled", or "not_finite" if the next step has no finite
        solution. After an error the frames before it are left.
        """
        begin = reported = time.perf_counter()
        self.summary.start(self.begin)
        self._write(frames)
        try:
            while self.simulation.state.time < self.end - ROUNDING * self.options["time_step"]:
                now = time.perf_counter()
                if now - reported > REPORT_S or monitor.cancelled:
                    reported = now
                    self._report(monitor, now - begin)
                if not self._compiled_steps(frames):
                    self._step(frames)
                t = self.simulation.state.time
                if frames.due(t):
                    self._write(frames)
                    frames.plan(t)
                if self._may_rest(t) and self.rest.add(self.simulation.state):
                    return self._ended("rest", frames)
        except CancelledError:
            return self._ended("cancelled", frames)
        except NotFiniteError:
            return NOT_FINITE  # the last frame is the last good one: joints and energies may not be finite any more
        return self._ended("duration", frames)

    def _ended(self, why, frames):
        self._write(frames)
        return why

    def _may_rest(self, t):
        """Whether the motion ends if the structure is at rest at t [s]."""
        return self.options["quiet"] and t > self._driven

    def _report(self, monitor, wall):
        t = self.simulation.state.time
        share = (t - self.begin) / (self.end - self.begin)
        text = "moving, {:.3f} of {:.3f} s after {:.0f} s".format(t, self.end, wall)
        if self.summary.steps > 1:  # the first step loads kernels, or compiles them
            monitor.compiling = False
            text += ", {:.0f} s left".format(wall * (1.0 - share) / share)
        monitor.report(text, share)

    def _write(self, frames):
        simulation, summary = self.simulation, self.summary
        ground = self.drive.ground(simulation.state.time)
        energies = summary.energies.row(simulation.state, simulation.inertia)
        frames.write(simulation, ground, energies, summary.data("broken off", simulation, self.rest), self.checkpoint)

    # -- steps -----------------------------------------------------------------------------------------------------

    def _compiled_steps(self, frames):
        """Take compiled steps up to the next frame; False if the next step is for `_step`."""
        if self.compiled is None:
            return False
        snapshot = self.simulation.snapshot()
        times = self._times_ahead(frames.next) if self.compiled.possible(snapshot) else ()
        if not len(times):
            return False
        begin = time.perf_counter()
        probed = np.empty((len(times), len(frames.probes), 3))
        steps, snapshot, contacts = self.compiled.take(snapshot, times, self.summary.watch(frames.probes, probed))
        require_finite(snapshot.state)
        self.simulation.restore(snapshot)
        if len(frames.probes):
            frames.add_steps(times[:steps].tolist(), probed[:steps], self.drive.grounds(times[:steps]))
        spent = time.perf_counter() - begin
        self.summary.add_compiled(steps, spent)
        if steps:
            frames.set_contacts(contacts, snapshot.last.impulses)
            self.summary.set_contacts(contacts, snapshot.last.impulses, self.drive.ground(snapshot.state.time))
            self._pace = spent / steps
        return steps == len(times)

    def _times_ahead(self, next_frame):
        """Ends (n,) [s] of the steps that may be taken in one call: up to the next frame, the next check for rest, or
        as many as fit between two reports.
        """
        times, t, h = [], self.simulation.state.time, self.options["time_step"]
        most = min(1 + int(REPORT_S / self._pace), MOST_AT_ONCE)
        while len(times) < most and t < next_frame - ROUNDING * h and self.end - t > (1.0 - ROUNDING) * h:
            t += h
            times.append(t)
            if self._may_rest(t):
                break
        return np.array(times)

    def _step(self, frames):
        simulation, start = self.simulation, self.simulation.state
        h = self.control.length(self.end - start.time)
        model = self.drive.model_in_step(start, h)
        done = simulation.advance(model, h)
        ground = self.drive.ground(done.state.time)
        self.summary.add(done, start, model, h, ground)
        displacement = done.state.position[frames.probes] - model.bodies.centroid[frames.probes]
        frames.add_steps([done.state.time], displacement[None], ground[None])
        frames.set_contacts(done.contacts, done.impulses)
        if self.control.adaptive:
            loss = self.loss.rate(done, simulation.scheme._replace(time_step=h))
            self.control.adapt(done, model.bodies.size, loss)


def _require_progress(begin, time_step):
    """Refuse a step [s] that is lost in the rounding of the time [s]: the motion would never end."""
    if begin + RESOLVED * time_step / DEEP_PARTS == begin:
        raise SettingsError(
            "A step of {:g} s is too short for a motion that goes on from {:g} s.".format(time_step, begin),
            remedy="Take a longer step, or begin anew.",
        )
