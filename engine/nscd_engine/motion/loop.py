"""The loop over time: steps, records, checkpoints, the end."""

import math
import time

import numpy as np

from compas_nscd.errors import CancelledError, EngineError
from nscd_engine.core.state import rest_state
from nscd_engine.gate.motion import read_probes
from nscd_engine.kernels.motion.compiled_steps import Watch
from nscd_engine.motion import checkpoint
from nscd_engine.motion.collapse_and_rest import Movements, Quiet
from nscd_engine.motion.compiled_steps import march
from nscd_engine.motion.energy import Energies
from nscd_engine.motion.moreau_jean import Scheme
from nscd_engine.motion.record import Recorder
from nscd_engine.motion.reply import gather
from nscd_engine.motion.simulation import Simulation

#: Recorded frames: so many a second, but so many in all at most, unless an interval is given.
FRAMES_PER_S, FRAMES = 50.0, 1000
#: Recorded for a frame beside what grows with the model, and for a contact [bytes].
FRAME_BYTES, CONTACT_BYTES = 2048, 56
#: Automatic step: halved from so many factorisations or so deep an overlap over the size on, doubled below; down to
#: these shares of the step that was asked for. A hard step is rarely helped by a much shorter one, an overlap is.
HARD, EASY, DEEP, HARD_LEAST, DEEP_LEAST = 25, 6, 1e-4, 4, 64
#: Time between two reports of progress [s]; and steps, since they may become harder than those before.
REPORT_S, MOST_AT_ONCE = 0.05, 250


class Follower:
    """One motion with all that watches it."""

    def __init__(self, model, settings, motion, drive, warnings, joints=None, contacts=0):
        self.model, self.motion, self.drive = model, motion, drive
        h = motion["time_step"]
        scheme = Scheme(h, motion["theta"], motion["restitution"], level=motion["level"], kinetic=motion["kinetic"])
        start = rest_state(model)
        start.velocity[:] = np.where((model.bodies.free >= 0)[:, None], drive.velocity, 0.0)
        self.simulation = Simulation(model, scheme, settings, drive.displacement, start, joints)
        self.energies, self.movements, self.quiet = Energies(model), Movements(model), Quiet(model)
        self.probes = read_probes(motion, len(model.names))
        self.interval = motion["interval"] or max(h, 1.0 / FRAMES_PER_S, motion["duration"] / FRAMES)
        frames = int(math.ceil(motion["duration"] / max(self.interval, h))) + 2
        self.cables = None if joints is None else joints.cables
        count = 0 if self.cables is None else len(self.cables.force)
        per_frame = FRAME_BYTES + 8 * 13 * len(model.names) + 8 * count + CONTACT_BYTES * contacts * motion["forces"]
        per_frame += 32 * len(self.probes) * max(int(self.interval / h), 1)
        self.head = {
            "solver": settings.solver,
            "friction": settings.friction,
            "blocks": len(model.names),
            "free_blocks": int((model.bodies.free >= 0).sum()),
            "time_step": h,
            "centroid": model.bodies.centroid,
            "mass": model.bodies.mass,
            "probe_block": np.asarray(self.probes, np.int32),
            "warnings": warnings,
        }
        if self.cables is not None:
            self.head["cable_body"] = self.cables.cables.body
        self.rows = []  # of the probes since the last frame
        self.steps = self.iterations = self.iterations_max = self.contacts_max = self.unconverged = 0
        self.phase = 0  # time since a multiple of the step that was asked for, in shortest steps, if steps vary
        self.deepest = 0.0
        self.begun_at = 0.0
        self.clock = time.perf_counter()
        self.last = None  # contacts and impulses (C, 3) of the last step
        self.plain = not drive.varies and drive.columns == 3 and not motion["adaptive"]
        self.pace, self.together = 1.0, 0.0  # [s] wall time of a step among many, and of all of them
        if motion["restart"] is not None:
            self._resume(checkpoint.restore(self.simulation, motion["restart"]))
        self.recorder = Recorder(motion.get("record"), self.head, per_frame, frames)

    def _resume(self, extra):
        e, m, q = self.energies, self.movements, self.quiet
        e.total = np.array(extra["energies"])
        m.most, m.settled = extra["most"], extra["settled"]
        m.moved_at, m.fallen_at = np.array(extra["moved_at"]), np.array(extra["fallen_at"])
        q.since, q.early, q.late = extra["quiet"]
        if self.motion["adaptive"] and extra["asked"] == self.motion["time_step"]:
            self.phase = extra["phase"]
            self.simulation.scheme = self.simulation.scheme._replace(time_step=extra["time_step"])
        self.begun_at = self.simulation.state.time

    def _kept(self):
        e, m, q = self.energies, self.movements, self.quiet
        # infinity cannot be sent as a number, but in arrays it can
        return {
            "energies": e.total,
            "most": m.most,
            "settled": m.settled,
            "moved_at": m.moved_at,
            "fallen_at": m.fallen_at,
            "quiet": [q.since, q.early, q.late],
            "phase": self.phase,
            "asked": self.motion["time_step"],
            "time_step": self.simulation.scheme.time_step,
        }

    # -- the loop --------------------------------------------------------------------------------------------------

    def follow(self, monitor):
        """Step until the end; "duration", "rest" or "cancelled". What fails leaves the frames before it."""
        begin = reported = self.clock = time.perf_counter()
        end, driven = self.begun_at + self.motion["duration"], self.drive.until()
        next_frame = self.begun_at + self.interval
        ended = "duration"
        self._frame()
        try:
            while self.simulation.state.time < end - 1e-6 * self.motion["time_step"]:
                now = time.perf_counter()
                if now - reported > REPORT_S:
                    reported = now
                    self._report(monitor, end, now - begin)
                elif monitor.cancelled:
                    self._report(monitor, end, now - begin)
                times = self._ahead(end, next_frame, driven)
                if not len(times) or self._march(times) < len(times):
                    self._step(end)
                t = self.simulation.state.time
                if t >= next_frame - 1e-6 * self.motion["time_step"]:
                    self._frame()
                    next_frame += self.interval * max(math.ceil((t - next_frame) / self.interval + 1e-6), 1)
                if self.motion["quiet"] and t > driven and self.quiet.add(self.simulation.state):
                    ended = "rest"
                    break
        except CancelledError:
            ended = "cancelled"
        self._frame()
        return ended

    def _report(self, monitor, end, wall):
        t = self.simulation.state.time
        share = (t - self.begun_at) / (end - self.begun_at)
        text = "moving, {:.3f} of {:.3f} s after {:.0f} s".format(t, end, wall)
        if self.steps > 1:  # the first loads what has not been used yet
            text += ", {:.0f} s left".format(wall * (1.0 - share) / share)
        monitor.report(text, share)

    def _ahead(self, end, next_frame, driven):
        """Ends (n,) [s] of the steps that may follow each other unseen: up to the next frame, to where rest is looked
        for, or as many as can be done between two reports."""
        simulation, times, t = self.simulation, [], self.simulation.state.time
        h = simulation.scheme.time_step
        if self.plain and simulation.may_march():
            most = min(1 + int(REPORT_S / self.pace), MOST_AT_ONCE)
            while len(times) < most and t < next_frame - 1e-6 * h and end - t > (1.0 - 1e-6) * h:
                t += h
                times.append(t)
                if self.motion["quiet"] and t > driven:
                    break
        return np.array(times)

    def _march(self, times):
        """Steps that end at `times`; how many of them were possible so."""
        m, simulation, begin = self.movements, self.simulation, time.perf_counter()
        ways = np.array([m.settled, m.most, self.deepest])
        counts = np.array([self.iterations, self.iterations_max, self.contacts_max])
        probed = np.empty((len(times), len(self.probes), 3))
        watch = Watch(self.energies.total, m.moved_at, m.fallen_at, ways, counts, self.probes, probed)
        done, contacts = march(simulation, self.drive, times, watch)
        m.settled, m.most, self.deepest = ways.tolist()
        self.iterations, self.iterations_max, self.contacts_max = counts.tolist()
        self.steps += done
        if len(self.probes):
            self.rows += list(zip(times.tolist(), probed, self.drive.grounds(times)))[:done]
        spent = time.perf_counter() - begin
        self.together += spent
        if done:
            self.last, self.pace = (contacts, simulation.impulses), spent / done
        return done

    def _step(self, end):
        simulation, scheme = self.simulation, self.simulation.scheme
        left = end - simulation.state.time
        # The sum of the steps rounds: a last step that is as long as the others but for that is as long.
        h = scheme.time_step if left > (1.0 - 1e-6) * scheme.time_step else left
        before = simulation.state
        model = (
            self.model._replace(
                gravity=self.drive.gravity(before.time, h),
                load=self.drive.load(before, h),
            )
            if self.drive.varies
            else self.model
        )
        done = simulation.advance(model, scheme._replace(time_step=h))
        simulation.scheme = scheme
        if not np.isfinite(done.after).all():
            raise EngineError("The motion is not finite any more at {:g} s.".format(before.time))
        self._watch(done, before, model, h)
        if self.motion["adaptive"]:
            self._adapt(done)

    def _watch(self, done, before, model, h):
        report, gap = done.report, done.contacts.gap
        self.steps += 1
        self.iterations += report.iterations
        self.iterations_max = max(self.iterations_max, report.iterations)
        self.contacts_max = max(self.contacts_max, len(gap))
        self.unconverged += report.status != "converged"
        self.deepest = max(self.deepest, float(-gap.min(initial=0.0)))
        self.energies.add(done, before.position, model, h)
        ground = self.drive.ground(done.state.time)
        self.movements.add(done.state, ground)
        if len(self.probes):
            way = done.state.position[self.probes] - self.model.bodies.centroid[self.probes]
            self.rows.append((done.state.time, way, ground))
        self.last = done.contacts, done.impulses

    def _adapt(self, done):
        """Choose the next step. Steps are halves of halves, and a longer one begins only at a multiple of itself: all
        multiples of the step that was asked for are met, so that a run may end there and another go on."""
        scheme, least = self.simulation.scheme, self.motion["time_step"] / DEEP_LEAST
        overlap = -done.contacts.gap / self.model.bodies.size[done.contacts.body].min(axis=1)
        parts = int(round(scheme.time_step / least))
        self.phase = (self.phase + parts) % DEEP_LEAST
        if overlap.max(initial=0.0) > DEEP or (done.report.factorizations > HARD and parts > DEEP_LEAST // HARD_LEAST):
            parts = max(parts // 2, 1)
        elif done.report.factorizations < EASY and self.phase % (2 * parts) == 0:
            parts = min(2 * parts, DEEP_LEAST)
        self.simulation.scheme = scheme._replace(time_step=parts * least)

    # -- what is recorded ------------------------------------------------------------------------------------------

    def _frame(self):
        state = self.simulation.state
        frame = {
            "time": state.time,
            "position": state.position,
            "orientation": state.orientation,
            "velocity": state.velocity,
            "ground": self.drive.ground(state.time),
            "energies": self.energies.row(self.simulation),
            "probe_times": np.array([row[0] for row in self.rows]),
            "probe_displacement": np.array([row[1] for row in self.rows]).reshape(len(self.rows), len(self.probes), 3),
            "probe_ground": np.array([row[2] for row in self.rows]).reshape(-1, 3),
        }
        self.rows = []
        if self.cables is not None:
            frame["cable_forces"] = self.cables.force
        if self.motion["forces"]:
            frame.update(self._forces())
        self.recorder.add(dict(frame, told=self._told("broken off")))
        self.recorder.keep_checkpoint(self._checkpoint)

    def _forces(self):
        if self.last is None:
            return {
                "contact_body": np.zeros((0, 2), np.int32),
                "contact_point": np.zeros((0, 3)),
                "contact_force": np.zeros((0, 3)),
            }
        contacts, impulses = self.last
        force = np.einsum("ckx,ck->cx", contacts.frame, impulses) / self.simulation.impulse_step
        pressed = impulses.any(axis=1)
        return {
            "contact_body": contacts.body[pressed],
            "contact_point": contacts.point[pressed],
            "contact_force": force[pressed],
        }

    def _checkpoint(self):
        return checkpoint.save(self.simulation, self._kept())

    def _told(self, ended):
        """Verdict and numbers by now."""
        steps, wall = max(self.steps, 1), time.perf_counter() - self.clock
        simulated = self.simulation.state.time - self.begun_at
        return {
            "verdict": "collapse" if self.movements.fallen else "stable",
            "simulated_s": simulated,
            "ended": ended,
            "steps": self.steps,
            "iterations_mean": self.iterations / steps,
            "iterations_max": self.iterations_max,
            "contacts_max": self.contacts_max,
            "unconverged": self.unconverged,
            "max_displacement": self.movements.most,
            "penetration_max": self.deepest,
            "collapse_time": self.movements.collapse_time(),
            "first_to_move": self.movements.first(),
            "time": {
                "detect_s": self.simulation.detect.seconds,
                "solve_s": self.simulation.solver.seconds,
                "together_s": self.together,
                "total_s": wall,
                "per_step_ms": 1e3 * wall / steps,
                "real_time_factor": wall / simulated if simulated > 0.0 else 0.0,
            },
        }

    def reply(self, ended):
        """The answer to the request."""
        told = self._told(ended)
        if self.simulation.joints is not None:
            told.update(self.simulation.joints.reply())
        return gather(self.head, self.recorder.frames(), told, self._checkpoint())
