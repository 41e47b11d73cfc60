"""The verb `limit`: how far a structure is from collapse, and how it would collapse."""

import time

import numpy as np

from compas_nscd.errors import MaterialError, NotAvailableError, ProtocolError
from nscd_engine import (
    cone_program,
    contact_laws,
    detect,
    emit,
    ingest,
    limit_coulomb,
    limit_friction,
    limit_loads,
    limit_supports,
    newton,
    statics,
)
from nscd_engine.cone_program import Program, light_system, require_sure
from nscd_engine.model import FRICTION
from nscd_engine.problem import static_problem
from nscd_engine.solution import Warm, report
from nscd_engine.water import with_water

KINDS = ("loads", "acceleration", "tilt", "friction", "supports", "polar")


def run(request, monitor):
    """Answer the verb `limit`."""
    monitor.report("reading")
    model, settings = ingest.read_model(request), ingest.read_settings(request)
    asked = read_question(request, model)
    contact_laws.require_plain(model, ingest.part(request, "case"), "Limit analysis")
    began = time.perf_counter()
    detection = detect.detect(model, settings, monitor)
    detect.require_sound(model, detection, settings)
    _check_water(request, asked["kind"])
    model = with_water(model, ingest.part(request, "case"), detection.interfaces)
    start = time.perf_counter()
    question = _Question(request, model, detection, settings, asked, monitor)
    reply = getattr(question, "_" + asked["kind"], question._multiplier)()
    reply["time"] = {"detect_s": start - began, "solve_s": time.perf_counter() - start}
    reply.update(kind=asked["kind"], warnings=list(detection.warnings) + question.warnings)
    return reply


def read_question(request, model):
    """The checked part `limit` of a request: kind, directions (D, 3), loads (L,), motion (B, 6), coulomb."""
    given = request.get("limit")
    if not isinstance(given, dict) or given.get("kind") not in KINDS:
        raise ProtocolError("The request should have 'limit' with a kind of {}.".format(", ".join(KINDS)))
    asked = {"kind": given["kind"], "coulomb": given.get("coulomb", True) is True}
    if given["kind"] in ("acceleration", "tilt", "polar"):
        asked["directions"] = _directions(given, model, given["kind"] != "acceleration")
    if given["kind"] == "loads":
        asked["loads"] = ingest.array(given, "loads", np.uint8, (-1,)) != 0
    if given["kind"] == "supports":
        asked["motion"] = ingest.array(given, "motion", np.float64, (len(model.names), 6))
        if (asked["motion"][model.bodies.free >= 0] != 0.0).any() or not asked["motion"].any():
            raise ProtocolError("'motion' should move supports, and them alone.")
    return asked


def _check_water(request, kind):
    if kind in ("tilt", "supports") and request["case"].get("water") is not None:
        raise NotAvailableError(
            "The limit of a {} in water is not available.".format("tilt" if kind == "tilt" else "motion of supports"),
            remedy="Vary an acceleration or loads, or leave out the water.",
        )


def _directions(given, model, level):
    """Unit vectors (D, 3), square to gravity if they should be."""
    direction = ingest.array(given, "directions", np.float64, (-1, 3))
    size = np.linalg.norm(model.gravity)
    if level and size > 0.0:
        direction = direction - np.outer(direction @ model.gravity, model.gravity) / size**2
    length = np.linalg.norm(direction, axis=1)
    if not len(direction) or not (length > 1e-6).all():
        raise ProtocolError("A direction has no length, or none across gravity.")
    return direction / length[:, None]


def wrench_of(problem, velocity):
    """M v (N, 6): loads, of the velocities that they would give in one step."""
    spin = np.einsum("nij,nj->ni", problem.inertia, velocity[:, 3:])
    return np.hstack([problem.mass[:, None] * velocity[:, :3], spin])


class _Question:
    """One request: what all kinds of limits need, and a method for each."""

    def __init__(self, request, model, detection, settings, asked, monitor):
        self.request, self.model, self.detection, self.settings = request, model, detection, settings
        self.asked, self.monitor, self.warnings = asked, monitor, []
        self.problem = static_problem(model, detection.contacts)
        self.cache = {}

    def wrench(self, velocity):
        return wrench_of(self.problem, velocity)

    def _system(self, problem=None):
        return light_system(problem or self.problem, self.cache, self.monitor, self.settings.threads)

    def _multiplier(self):
        """Greatest multiplier of loads, of an acceleration or of a tilt; the least if it does not stand without."""
        asked = self.asked
        direction = asked["directions"][0] if "directions" in asked else None
        parts = limit_loads.split(
            self.request, self.model, self.detection.contacts, asked["kind"], direction, asked.get("loads")
        )
        dead, live = self.wrench(parts.dead), self.wrench(parts.live)
        system = self._system()
        most = require_sure(cone_program.solve(system, Program(dead, live), "greatest multiplier"))
        still = require_sure(cone_program.solve(system, Program(dead), "without what varies"))
        reply = {"limit": most.status, "associated": None, "coulomb": None, "lowest": None, "rounds": 0}
        if most.status != "infeasible" and still.status == "infeasible":
            least = require_sure(cone_program.solve(system, Program(dead, -live), "least multiplier"))
            reply["lowest"] = -least.multiplier if least.status == "solved" else None
        if most.status != "solved":
            return dict(reply, **self._as_given(parts.dead))
        reply["associated"] = most.multiplier
        if asked["coulomb"]:
            found = limit_coulomb.estimate(system, self.problem.friction, dead, live, most)
            if not found.settled:
                text = "The multiplier without dilatancy had not settled after {} rounds."
                self._warn("coulomb_unsettled", text.format(found.rounds))
            reply.update(coulomb=found.multiplier, rounds=found.rounds)
            reply["coulomb_velocity"] = self._blocks(found.answer.velocity)
        return dict(reply, **self._state(parts.dead + most.multiplier * parts.live, most))

    def _polar(self):
        """Greatest horizontal acceleration in every direction (D,) [g]: inf without limit, nan without equilibrium."""
        system, found = self._system(), []
        directions = self.asked["directions"]
        for k, direction in enumerate(directions):
            parts = limit_loads.split(self.request, self.model, self.detection.contacts, "acceleration", direction)
            program = Program(self.wrench(parts.dead), self.wrench(parts.live))
            phase = "direction {} of {}".format(k + 1, len(directions))
            self.monitor.report(phase, k / len(directions))
            answer = require_sure(cone_program.solve(system, program, phase))
            found.append({"unbounded": np.inf, "infeasible": np.nan}.get(answer.status, answer.multiplier))
            if k == 0 or found[-1] < np.nanmin(found[:-1], initial=np.inf):
                worst = answer, parts
        answer, parts = worst
        reply = {"limit": answer.status, "associated": None, "coulomb": None, "lowest": None, "rounds": 0}
        reply.update(directions=directions, direction_multipliers=np.array(found))
        if answer.status != "solved":
            return dict(reply, **self._as_given(parts.dead))
        reply["associated"] = answer.multiplier
        return dict(reply, **self._state(parts.dead + answer.multiplier * parts.live, answer))

    def _friction(self):
        """Least friction; Coulomb's law asks for the same, since nothing moves."""
        if not (self.problem.friction > 0.0).any():
            raise MaterialError("No joint has friction to vary.", remedy="Give the contact law a friction above zero.")
        dead = self.problem.v_free
        least = limit_friction.least_friction(self.problem, self.wrench(dead), self.monitor, self.settings.threads)
        mu = self.model.law[0, FRICTION] or 1.0
        reply = {"limit": "solved", "lowest": None, "rounds": 0}
        if least.factor is None:
            reply.update(limit="infeasible", associated=None, coulomb=None)
            return dict(reply, **self._as_given(dead))
        reply.update(associated=least.factor * mu, coulomb=least.factor * mu, factor=least.factor)
        answer = least.standing
        if least.falling is not None:
            answer = answer._replace(velocity=least.falling.velocity)
        friction = least.factor * self.problem.friction
        return dict(reply, **self._state(dead, answer, friction))

    def _supports(self):
        """Greatest part of given displacements of the supports before the structure falls."""
        case = self.request["case"]
        loads = [np.asarray(case[key]) for key in ("load_block", "load_point", "load_force")]
        found = limit_supports.follow(
            self.model, self.problem, self.detection.contacts, loads, self.asked["motion"], self._system, self.monitor
        )
        reply = {"limit": found.status, "associated": found.share, "coulomb": None, "lowest": None}
        reply["rounds"] = found.steps
        if found.status != "solved":
            return dict(reply, **self._as_given(self.problem.v_free))
        self.problem = found.problem
        bodies = self.model.bodies
        self.detection = limit_supports.moved_detection(self.detection, bodies, found.displacement, found.problem.frame)
        self.model = self.model._replace(bodies=bodies._replace(centroid=bodies.centroid + found.displacement[:, :3]))
        return dict(reply, displacement=found.displacement, **self._state(self._loads_at(found), found.answer))

    def _loads_at(self, found):
        """The loads of a displaced structure, as free velocities (N, 6)."""
        velocity = np.linalg.solve(self.problem.inertia, found.load[:, 3:, None])[:, :, 0]
        return np.hstack([found.load[:, :3] / self.problem.mass[:, None], velocity])

    def _warn(self, code, text):
        self.warnings.append({"code": code, "message": text, "blocks": []})

    def _blocks(self, velocity):
        """Velocities (N, 6) of the free bodies as those of all blocks (B, 6)."""
        free = self.model.bodies.free >= 0
        blocks = np.zeros((len(free), 6))
        blocks[free] = velocity
        return blocks

    def _state(self, v_free, answer, friction=None):
        """The structure at its limit in the form of a `static` reply: forces, and the mechanism as its velocity."""
        problem = self.problem._replace(v_free=v_free)
        contacts = self.detection.contacts
        if friction is not None:
            problem, contacts = problem._replace(friction=friction), contacts._replace(friction=friction)
        measured = report(problem, answer.force, self.settings, answer.iterations)
        state = emit.static(self.model, self.detection._replace(contacts=contacts), problem, answer.force, measured)
        speed = np.abs(answer.velocity).max(initial=0.0)
        state.update(velocity=self._blocks(answer.velocity / (speed or 1.0)), verdict="collapse", solver="limit")
        return state

    def _as_given(self, v_free):
        """The state where there is no limit: what `static` says of the loads that do not vary."""
        problem = self.problem._replace(v_free=v_free)
        impulses, found = newton.solve(problem, Warm(cache={}), self.settings, self.monitor)
        verdict = statics.judge(self.model, problem, found, self.settings, self.warnings)
        return dict(emit.static(self.model, self.detection, problem, impulses, found), verdict=verdict, solver="limit")
