"""Limit analysis: a method for each kind of limit, and the structure at its limit as a static reply."""

from __future__ import annotations

from typing import Optional

import numpy as np

from compas_nscd.errors import MaterialError
from nscd_engine.contacts.at_rest import Detection
from nscd_engine.core.law_table import FRICTION
from nscd_engine.core.loads import Cables
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.gate.limit import LimitQuestion
from nscd_engine.limit import from_zero, least_friction, nonassociated, support_motion
from nscd_engine.limit.loads import scaled_acceleration, scaled_point_loads, scaled_tilt
from nscd_engine.limit.resistance import Cones, Resistance
from nscd_engine.solvers import newton
from nscd_engine.solvers.cone_program import Answer, light_system, require_sure
from nscd_engine.solvers.solution import Warm, report
from nscd_engine.solvers.workspace import Workspace
from nscd_engine.statics.reply import contact_status, of_blocks, static_reply
from nscd_engine.statics.solve import Solution
from nscd_engine.statics.verdict import judge

#: Most solutions until no joint relies on more torsion than it resists [-]; a warning if they do not suffice.
MOST_TORSION_ROUNDS = 15


UNSETTLED = "The multiplier without dilatancy had not settled after {} rounds."


class LimitAnalysis:
    """One limit analysis.

    Parameters
    ----------
    model : Model
    detection : Detection
    cables : Cables or None
    settings : Settings
    monitor : Monitor
    """

    def __init__(
        self, model: Model, detection: Detection, cables: Optional[Cables], settings: Settings, monitor: Monitor
    ):
        self.model, self.detection, self.settings, self.monitor = model, detection, settings, monitor
        self.resistance = self._new_resistance(cables)
        self._warnings: list = []

    def _new_resistance(self, cables):
        section = self.settings.torsion != "corners"
        return Resistance(self.model, self.detection, cables, self.monitor, self.settings.threads, section)

    @property
    def warnings(self) -> list:
        """Warnings [{"code", "message", "blocks"}] of the analysis."""
        return self.resistance.warnings + self._warnings

    def answer(self, question: LimitQuestion) -> dict:
        """The reply without time, kind and warnings."""
        kinds = {"polar": self._polar, "friction": self._friction, "supports": self._supports}
        return kinds.get(question.kind, self._multiplier)(question)

    # -- kinds of limits -------------------------------------------------------------------------------------------

    def _multiplier(self, question):
        """Greatest multiplier of loads, of an acceleration or of a tilt; the least if it does not stand without."""
        contacts = self.detection.contacts
        if question.kind == "loads":
            parts = scaled_point_loads(self.model, contacts, question.loads)
        else:
            scaled = scaled_tilt if question.kind == "tilt" else scaled_acceleration
            parts = scaled(self.model, contacts, question.directions[0])
        most = self._solve_twisting(*parts, phase="greatest multiplier")
        reply = {"limit": most.status, "associated": None, "coulomb": None, "lowest": None, "rounds": 0}
        still = self._solve(parts.dead, phase="dead loads alone")
        if most.status == "solved":
            reply.update(self._state(parts.dead + most.multiplier * parts.live, most), associated=most.multiplier)
        if question.rounds and most.status != "infeasible":
            unbounded = most.status == "unbounded"
            if self.resistance.is_plain and still.status == "solved" and (unbounded or most.multiplier > 0.0):
                reply.update(self._from_zero(parts, most, question.rounds))
            elif most.status == "solved":
                reply.update(self._without_dilatancy(parts, most, question.rounds))
        if most.status != "infeasible" and still.status == "infeasible":
            least = self._solve(parts.dead, -parts.live, phase="least multiplier")
            reply["lowest"] = -least.multiplier if least.status == "solved" else None
        return reply if most.status == "solved" else dict(reply, **self._dead_loads_alone(parts.dead))

    def _without_dilatancy(self, parts, most, rounds):
        found = nonassociated.estimate(self.resistance, parts.dead, parts.live, most, rounds)
        if not found.settled:
            self._warn("coulomb_unsettled", UNSETTLED.format(found.rounds))
        velocity = of_blocks(self.model.bodies, found.answer.velocity)
        return {"coulomb": found.multiplier, "rounds": found.rounds, "coulomb_velocity": velocity}

    def _from_zero(self, parts, most, rounds):
        """The multiplier at which the structure moves when loaded from zero; a warning where the load has no limit."""
        limit = most.multiplier if most.status == "solved" else np.inf
        problem = self.resistance.cones.problem
        found = from_zero.multiplier(problem, parts, self.settings, self.monitor, limit, rounds)
        text = "Blocks wedged between supports balance any multiple of the load. "
        if found is None:
            self._warn("arching", text + "It arches between rigid supports, which take whatever thrust it needs.")
            return {}
        if not found.settled:
            self._warn("coulomb_unsettled", UNSETTLED.format(found.trials))
        if most.status == "unbounded":
            text += "Nothing produces the clamping that this needs: loaded from zero, they come free at {:.5g}."
            self._warn("wedged", text.format(found.multiplier))
        velocity = of_blocks(self.model.bodies, most.velocity if found.velocity is None else found.velocity)
        return {"coulomb": found.multiplier, "rounds": found.trials, "coulomb_velocity": velocity}

    def _polar(self, question):
        """Greatest horizontal acceleration in every direction (D,) [g]: inf without limit, nan without equilibrium."""
        found, directions = [], question.directions
        for k, direction in enumerate(directions):
            parts = scaled_acceleration(self.model, self.detection.contacts, direction)
            phase = "direction {} of {}".format(k + 1, len(directions))
            self.monitor.report(phase, k / len(directions))
            answer = self._solve_twisting(*parts, phase=phase)
            found.append({"unbounded": np.inf, "infeasible": np.nan}.get(answer.status, answer.multiplier))
            if k == 0 or found[-1] < np.nanmin(found[:-1], initial=np.inf):
                worst = answer, parts, self.resistance.cones
        answer, parts, cones = worst
        reply = {"limit": answer.status, "associated": None, "coulomb": None, "lowest": None, "rounds": 0}
        reply.update(directions=directions, direction_multipliers=np.array(found))
        if answer.status != "solved":
            return dict(reply, **self._dead_loads_alone(parts.dead))
        reply["associated"] = answer.multiplier
        return dict(reply, **self._state(parts.dead + answer.multiplier * parts.live, answer, cones))

    def _friction(self, question):
        """Least friction; it is the same for Coulomb friction, since nothing moves."""
        if not (self.resistance.cones.friction > 0.0).any():
            raise MaterialError("No joint has friction to vary.", remedy="Give the contact law a friction above zero.")
        dead = self.resistance.cones.problem.v_free
        least = least_friction.least_friction(self.resistance, dead)
        mu = self.model.law[0, FRICTION] or 1.0
        reply = {"limit": "solved", "lowest": None, "rounds": 0}
        if least.factor is None:
            self.resistance.scale_friction(1.0)
            reply.update(limit="infeasible", associated=None, coulomb=None)
            return dict(reply, **self._dead_loads_alone(dead))
        reply.update(associated=least.factor * mu, coulomb=least.factor * mu, factor=least.factor)
        if least.is_wide:
            text = "Rounding hides the least friction: it falls with {:.6g} and stands with {:.6g}; between is unknown."
            self._warn("friction_bracket", text.format(least.below * mu, least.factor * mu))
        answer = least.standing
        if least.falling is not None:
            answer = answer._replace(velocity=least.falling.velocity)
        return dict(reply, **self._state(dead, answer, least.cones))

    def _supports(self, question):
        """Greatest share of given displacements of the supports at which the structure stands."""
        self.resistance.require_friction_alone("The limit of moving supports")
        cones, workspace, model = self.resistance.cones, Workspace(), self.model

        def new_system(problem):
            return light_system(problem, workspace, self.monitor, self.settings.threads)

        contacts = self.detection.contacts
        found = support_motion.follow(model, cones.problem, contacts, question.motion, new_system, self.monitor)
        reply = {"limit": found.status, "associated": found.share, "coulomb": None, "lowest": None}
        reply["rounds"] = found.steps
        if found.status != "solved":
            return dict(reply, **self._dead_loads_alone(cones.problem.v_free))
        bodies = model.bodies
        detection = support_motion.moved_detection(self.detection, bodies, found.displacement, found.problem.frame)
        cones = cones._replace(detection=detection, posed=cones.posed._replace(problem=found.problem))
        moved = model._replace(bodies=bodies._replace(centroid=bodies.centroid + found.displacement[:, :3]))
        spin = np.linalg.solve(found.problem.inertia, found.load[:, 3:, None])[:, :, 0]
        loads = np.hstack([found.load[:, :3] / found.problem.mass[:, None], spin])  # as free velocities
        return dict(reply, displacement=found.displacement, **self._state(loads, found.answer, cones, moved))

    # -- the state that is replied ---------------------------------------------------------------------------------

    def _state(self, v_free, answer: Answer, cones: Optional[Cones] = None, model: Optional[Model] = None):
        """The structure at its limit as a `static` reply: forces, and the mechanism as its velocity.

        `cones` and `model` are those of the limit, if they differ from the last and the given ones.
        """
        cones, model = cones or self.resistance.cones, model or self.model
        problem = cones.problem._replace(v_free=v_free + cones.back)
        measured = report(problem, answer.force, self.settings, answer.iterations)
        force, cable_force = cones.real(answer.force)
        state = static_reply(model, cones.detection, Solution(problem, force, measured))
        count = len(force)
        state["contact_status"] = contact_status(answer.force[:count], cones.law.friction[:count])
        if self.resistance.cables is not None:
            state["cable_force"] = cable_force
        speed = np.abs(answer.velocity).max(initial=0.0)
        velocity = of_blocks(model.bodies, answer.velocity / (speed or 1.0))
        return dict(state, velocity=velocity, verdict="collapse", solver="limit")

    def _dead_loads_alone(self, v_free):
        """The state where there is no limit: the `static` reply under the dead loads."""
        if not self.resistance.is_plain:
            answer = self._solve(v_free, phase="dead loads alone")
            if answer.status == "infeasible":  # its forces balance nothing
                return self._state(v_free, answer._replace(force=_unloaded(self.resistance.cones)))
            return dict(self._state(v_free, answer._replace(velocity=0.0 * answer.velocity)), verdict="stable")
        problem = self.resistance.cones.problem._replace(v_free=v_free)
        impulses, found = newton.solve(problem, Warm(workspace=Workspace()), self.settings, self.monitor)
        verdict, doubts = judge(self.model, problem, found, self.settings)
        self._warnings += doubts
        reply = static_reply(self.model, self.detection, Solution(problem, impulses, found))
        return dict(reply, verdict=verdict, solver="limit")

    def _solve_twisting(self, *loads, phase):
        """As `_solve`, until no joint relies on more torsion than it resists."""
        for _ in range(MOST_TORSION_ROUNDS):
            answer = self._solve(*loads, phase=phase)
            if not self.resistance.reduce_torsion(answer):
                return answer
        text = "Joints that twist had not settled after {} solutions: some rely on more torsion than they resist."
        self._warn("torsion_unsettled", text.format(MOST_TORSION_ROUNDS))
        return answer

    def _solve(self, *loads, phase):
        return require_sure(self.resistance.solve(*loads, phase=phase))

    def _warn(self, code, text):
        self._warnings.append({"code": code, "message": text, "blocks": []})


def _unloaded(cones):
    """Forces in the cones (R, 3) of contacts and cables at zero force."""
    force = np.zeros((len(cones.posed.pressed), 3))
    force[:, 0] = cones.posed.pressed
    return force
