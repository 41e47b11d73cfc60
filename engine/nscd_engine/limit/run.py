"""The verb `limit`: how far a structure is from collapse, and how it would collapse."""

import time

import numpy as np

from compas_nscd.errors import MaterialError
from nscd_engine.contacts.at_rest import detect, require_sound
from nscd_engine.core.law_table import FRICTION
from nscd_engine.gate.fields import part
from nscd_engine.gate.limit import read_question, refuse_water
from nscd_engine.gate.loads import read_cables
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from nscd_engine.laws.cables import without_hanging
from nscd_engine.limit import least_friction, nonassociated, support_motion
from nscd_engine.limit.loads import split
from nscd_engine.limit.resistance import Resistance
from nscd_engine.loads.water import with_water
from nscd_engine.solvers import newton
from nscd_engine.solvers.cone_program import light_system, require_sure
from nscd_engine.solvers.solution import Warm, report
from nscd_engine.solvers.workspace import Workspace
from nscd_engine.statics.reply import contact_status, static
from nscd_engine.statics.verdict import judge


def run(request, monitor):
    """Answer the verb `limit`."""
    monitor.report("reading")
    model, settings = read_model(request), read_settings(request)
    asked = read_question(request, model)
    began = time.perf_counter()
    cables = read_cables(part(request, "case"), model)
    detection = without_hanging(detect(model, settings, monitor), cables)
    require_sound(model, detection, settings)
    refuse_water(request, asked["kind"])
    model, wet = with_water(model, part(request, "case"), detection.interfaces)
    start = time.perf_counter()
    question = _Question(request, model, detection, cables, settings, asked, monitor)
    reply = getattr(question, "_" + asked["kind"], question._multiplier)()
    reply["time"] = {"detect_s": start - began, "solve_s": time.perf_counter() - start}
    warnings = list(detection.warnings) + wet + question.resistance.warnings + question.warnings
    reply.update(kind=asked["kind"], warnings=warnings)
    return reply


class _Question:
    """One request: what all kinds of limits need, and a method for each."""

    def __init__(self, request, model, detection, cables, settings, asked, monitor):
        self.request, self.model, self.detection, self.settings = request, model, detection, settings
        self.asked, self.monitor, self.warnings = asked, monitor, []
        self.resistance = Resistance(model, detection, cables, monitor, settings.threads)

    def _solve(self, *loads, phase):
        return require_sure(self.resistance.solve(*loads, phase=phase))

    def _multiplier(self):
        """Greatest multiplier of loads, of an acceleration or of a tilt; the least if it does not stand without."""
        asked = self.asked
        direction = asked["directions"][0] if "directions" in asked else None
        parts = split(self.request, self.model, self.detection.contacts, asked["kind"], direction, asked.get("loads"))
        most = self._solve(*parts, phase="greatest multiplier")
        reply = {"limit": most.status, "associated": None, "coulomb": None, "lowest": None, "rounds": 0}
        if most.status == "solved":
            reply.update(self._state(parts.dead + most.multiplier * parts.live, most), associated=most.multiplier)
            if asked["coulomb"]:
                reply.update(self._without_dilatancy(parts, most))
        still = self._solve(parts.dead, phase="without what varies")
        if most.status != "infeasible" and still.status == "infeasible":
            least = self._solve(parts.dead, -parts.live, phase="least multiplier")
            reply["lowest"] = -least.multiplier if least.status == "solved" else None
        return reply if most.status == "solved" else dict(reply, **self._as_given(parts.dead))

    def _without_dilatancy(self, parts, most):
        found = nonassociated.estimate(self.resistance, parts.dead, parts.live, most, self.asked["coulomb"])
        if not found.settled:
            text = "The multiplier without dilatancy had not settled after {} rounds."
            self._warn("coulomb_unsettled", text.format(found.rounds))
        velocity = self._blocks(found.answer.velocity)
        return {"coulomb": found.multiplier, "rounds": found.rounds, "coulomb_velocity": velocity}

    def _polar(self):
        """Greatest horizontal acceleration in every direction (D,) [g]: inf without limit, nan without equilibrium."""
        found, directions = [], self.asked["directions"]
        for k, direction in enumerate(directions):
            parts = split(self.request, self.model, self.detection.contacts, "acceleration", direction)
            phase = "direction {} of {}".format(k + 1, len(directions))
            self.monitor.report(phase, k / len(directions))
            answer = self._solve(*parts, phase=phase)
            found.append({"unbounded": np.inf, "infeasible": np.nan}.get(answer.status, answer.multiplier))
            if k == 0 or found[-1] < np.nanmin(found[:-1], initial=np.inf):
                worst = answer, parts, self.resistance.cones
        answer, parts, cones = worst
        reply = {"limit": answer.status, "associated": None, "coulomb": None, "lowest": None, "rounds": 0}
        reply.update(directions=directions, direction_multipliers=np.array(found))
        if answer.status != "solved":
            return dict(reply, **self._as_given(parts.dead))
        reply["associated"] = answer.multiplier
        return dict(reply, **self._state(parts.dead + answer.multiplier * parts.live, answer, cones))

    def _friction(self):
        """Least friction; Coulomb's law asks for the same, since nothing moves."""
        if not (self.resistance.cones.friction > 0.0).any():
            raise MaterialError("No joint has friction to vary.", remedy="Give the contact law a friction above zero.")
        dead = self.resistance.cones.problem.v_free
        least = least_friction.least_friction(self.resistance, dead)
        mu = self.model.law[0, FRICTION] or 1.0
        reply = {"limit": "solved", "lowest": None, "rounds": 0}
        if least.factor is None:
            self.resistance.scale_friction(1.0)
            reply.update(limit="infeasible", associated=None, coulomb=None)
            return dict(reply, **self._as_given(dead))
        reply.update(associated=least.factor * mu, coulomb=least.factor * mu, factor=least.factor)
        if least.is_wide:
            text = "Rounding hides the least friction: it falls with {:.6g} and stands with {:.6g}; between is unknown."
            self._warn("friction_bracket", text.format(least.below * mu, least.factor * mu))
        answer = least.standing
        if least.falling is not None:
            answer = answer._replace(velocity=least.falling.velocity)
        return dict(reply, **self._state(dead, answer, least.cones))

    def _supports(self):
        """Greatest part of given displacements of the supports before the structure falls."""
        case = self.request["case"]
        self.resistance.require_friction_alone("The limit of moving supports")
        cones, workspace = self.resistance.cones, Workspace()
        loads = [np.asarray(case[key]) for key in ("load_block", "load_point", "load_force")]

        def new_system(problem):
            return light_system(problem, workspace, self.monitor, self.settings.threads)

        found = support_motion.follow(
            self.model, cones.problem, self.detection.contacts, loads, self.asked["motion"], new_system, self.monitor
        )
        reply = {"limit": found.status, "associated": found.share, "coulomb": None, "lowest": None}
        reply["rounds"] = found.steps
        if found.status != "solved":
            return dict(reply, **self._as_given(cones.problem.v_free))
        bodies = self.model.bodies
        detection = support_motion.moved_detection(self.detection, bodies, found.displacement, found.problem.frame)
        cones = cones._replace(detection=detection, posed=cones.posed._replace(problem=found.problem))
        self.model = self.model._replace(bodies=bodies._replace(centroid=bodies.centroid + found.displacement[:, :3]))
        spin = np.linalg.solve(found.problem.inertia, found.load[:, 3:, None])[:, :, 0]
        loads = np.hstack([found.load[:, :3] / found.problem.mass[:, None], spin])  # as free velocities
        return dict(reply, displacement=found.displacement, **self._state(loads, found.answer, cones))

    def _warn(self, code, text):
        self.warnings.append({"code": code, "message": text, "blocks": []})

    def _blocks(self, velocity):
        """Velocities (N, 6) of the free bodies as those of all blocks (B, 6)."""
        free = self.model.bodies.free >= 0
        blocks = np.zeros((len(free), 6))
        blocks[free] = velocity
        return blocks

    def _state(self, v_free, answer, cones=None):
        """The structure at its limit in the form of a `static` reply: forces, and the mechanism as its velocity."""
        cones = cones or self.resistance.cones
        problem = cones.problem._replace(v_free=v_free + cones.back)
        measured = report(problem, answer.force, self.settings, answer.iterations)
        force, cable_force = cones.real(answer.force)
        state = static(self.model, cones.detection, problem, force, measured)
        count = len(force)
        state["contact_status"] = contact_status(answer.force[:count], cones.law.friction[:count])
        if self.resistance.cables is not None:
            state["cable_force"] = cable_force
        speed = np.abs(answer.velocity).max(initial=0.0)
        state.update(velocity=self._blocks(answer.velocity / (speed or 1.0)), verdict="collapse", solver="limit")
        return state

    def _as_given(self, v_free):
        """The state where there is no limit: what `static` says of the loads that do not vary."""
        if not self.resistance.is_plain:
            answer = self._solve(v_free, phase="without what varies")
            if answer.status == "infeasible":  # its forces balance nothing
                return self._state(v_free, answer._replace(force=_unloaded(self.resistance.cones)))
            return dict(self._state(v_free, answer._replace(velocity=0.0 * answer.velocity)), verdict="stable")
        problem = self.resistance.cones.problem._replace(v_free=v_free)
        impulses, found = newton.solve(problem, Warm(), self.settings, self.monitor)
        verdict = judge(self.model, problem, found, self.settings, self.warnings)
        return dict(static(self.model, self.detection, problem, impulses, found), verdict=verdict, solver="limit")


def _unloaded(cones):
    """Forces in the cones (R, 3) of contacts and cables that carry nothing."""
    force = np.zeros((len(cones.posed.pressed), 3))
    force[:, 0] = cones.posed.pressed
    return force
