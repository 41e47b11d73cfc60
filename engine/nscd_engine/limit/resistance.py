"""Resistance of a structure in the cone program: friction, strength of joints, cables, crushing.

Limits are those of rigid and ductile joints. Strength is the shifted cones and discs of `laws.mohr_coulomb`; a disc of
shear is a cone whose normal force acts on no body and is capped by its radius. Cables are contacts without friction,
capped by their strength. Stiffness and prestress do not change a limit. A viscous joint carries no lasting shear.
"""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional

import numpy as np

from compas_nscd.errors import NotAvailableError
from nscd_engine.contacts.at_rest import Detection
from nscd_engine.core import law_table
from nscd_engine.core.loads import Cables
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.kernels.solvers import operators
from nscd_engine.laws import cables as cable_rows
from nscd_engine.laws import crushing, point_laws, posing
from nscd_engine.laws.fibres import law_points
from nscd_engine.laws.mohr_coulomb import PointLaw, shear_discs
from nscd_engine.laws.torsion import Torsion
from nscd_engine.solvers import cone_program
from nscd_engine.solvers.cone_program import Answer, Program, light_system
from nscd_engine.solvers.problem import static_problem
from nscd_engine.solvers.workspace import Workspace

#: Growth of a limit with finer cells of crushed joints, over it, at which cells are fine enough [-]. Smaller: more
#: rounds. Larger: a lower bound that is too low.
PRECISION = 2e-5
#: Most rounds of finer cells [-]; a warning if they do not suffice.
MOST_ROUNDS = 25
#: Motion of a tie over the greatest of a contact from which the ties give way [-]. Smaller: rounding counts as motion.
TIE_MOVES = 1e-3


class Cones(NamedTuple):
    """C contacts, K cables, D discs of shear: R rows."""

    detection: Detection  # with a contact for each cell where compression is capped
    law: PointLaw  # of contacts and cables
    posed: posing.Posed  # problem of all rows
    back: np.ndarray  # [m/s] (N, 6): constant forces -a n of shifted cones, as free velocities
    cap: np.ndarray  # [N] (R,): greatest normal force, inf where there is none
    friction: np.ndarray  # [-] (R,): opening over slip; 0 for discs

    @property
    def problem(self) -> Problem:
        """Problem of all rows."""
        return self.posed.problem

    @property
    def contacts(self) -> int:
        """Number of contacts C."""
        return len(self.detection.contacts.gap)

    def real(self, force: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Forces of the contacts [N] (C, 3) and of the cables [N] (K,) from those in the cones (R, 3)."""
        force = force.copy()
        force[len(self.law.friction) :, 0] = 0.0
        found = posing.joined(self.posed, force)
        return found[: self.contacts], found[self.contacts :, 0]


class Resistance:
    """Cone programs on the resistance of a structure; `cones` are those of the last answer.

    Parameters
    ----------
    model : Model
    detection : Detection
    cables : Cables or None
    monitor : Monitor
    threads : int
    torsion : bool, optional
        Whether dry joints resist no more torsion than uniform pressure gives.
    """

    def __init__(
        self,
        model: Model,
        detection: Detection,
        cables: Optional[Cables],
        monitor: Monitor,
        threads: int,
        torsion: bool = False,
    ):
        self.model, self.cables = model, cables
        self.monitor, self.threads, self.workspace = monitor, threads, Workspace()
        self.torsion = Torsion(model, detection) if torsion else None
        self.detection, self.area = law_points(model, detection, (law_table.COHESION,), "corners")
        cells = crushing.Cells(model, self.detection, self.area)
        self.cells = cells if len(cells.joints) else None
        self.factor = 1.0  # [-] on all coefficients of friction
        self.warned: dict = {}  # warnings by their code
        self._pose()
        self._warn_of_brittle()

    @property
    def is_plain(self) -> bool:
        """Whether friction alone holds the structure."""
        return self.cables is None and self.cells is None and point_laws.is_plain(self.model)

    @property
    def warnings(self) -> list:
        """Warnings [{"code", "message", "blocks"}] so far."""
        return list(self.warned.values())

    def require_friction_alone(self, what: str) -> None:
        """Refuse strength, caps and cables."""
        law = self.cones.law
        if self.cables is not None or self.cells is not None or law.cohesion.any():
            raise NotAvailableError(
                "{} of joints with strength, or with cables, is not available.".format(what),
                remedy="Give the joints friction alone (kind coulomb), or vary loads, an acceleration or a tilt.",
            )

    def scale_friction(self, factor: float) -> None:
        """Multiply all coefficients of friction by a factor."""
        self.factor = factor
        self._pose()

    def solve(
        self,
        dead: np.ndarray,
        live: Optional[np.ndarray] = None,
        cost: Optional[Callable] = None,
        phase: str = "limit analysis",
        tolerance: float = cone_program.TOLERANCE,
    ) -> Answer:
        """Answer of the cone program, with cells cut until they are fine enough.

        Parameters
        ----------
        dead, live : array (N, 6)
            Loads as free velocities; without `live` there is no multiplier.
        cost : callable, optional
            Of a detection: costs (C, 3) on the forces of its contacts. The value of the answer lacks their `offset`.
        phase : str, optional
            For the monitor.
        tolerance : float, optional
            Of the cone program [-].
        """
        for _ in range(MOST_ROUNDS):
            weights = None if cost is None else self._weights(cost(self.cones.detection))
            answer = self.solve_with(dead, live, weights, phase, tolerance)
            stands = answer.status == "solved" and live is None and cost is None
            if self.cells is None or stands or answer.status in ("unbounded", "unsure"):
                break
            cells, missing = self._cut(answer)
            falls = float((self.wrench(dead) * answer.velocity).sum()) - self.dissipated(answer)
            if missing <= (0.99 * falls if answer.status == "infeasible" else PRECISION * self._size(answer)):
                break
            self.cells.refine(cells)
            self._pose()
        else:
            text = "Joints that are crushed were not followed to the end: the limit may be greater by {:.1e} of it."
            self._warn("crushing_unsettled", text.format(missing / self._size(answer)))
        return self._without_ties(answer)

    def reduce_torsion(self, answer: Answer) -> bool:
        """Reduce the friction of joints that rely on more torsion than they resist; whether there are any."""
        if self.torsion is None or answer.status != "solved":
            return False
        force, _ = self.cones.real(answer.force)
        if not self.torsion.update(self.cones.detection.interfaces, force, self.factor):
            return False
        reduced = self.torsion.reduced()
        self.detection, self.area = law_points(self.model, reduced, (law_table.COHESION,), "corners")
        if self.cells is not None:
            self.cells.given = self.detection
        self._pose()
        return True

    def solve_with(
        self,
        dead: np.ndarray,
        live: Optional[np.ndarray],
        weights: Optional[np.ndarray],
        phase: str,
        tolerance: float = cone_program.TOLERANCE,
    ) -> Answer:
        """Answer for the present cones; costs `weights` (R, 3) on the forces in them."""
        live = None if live is None else self.wrench(live)
        program = Program(self.wrench(dead + self.cones.back), live, weights, cap=self.cones.cap)
        return cone_program.solve(self.system, program, phase, tolerance)

    def wrench(self, velocity: np.ndarray) -> np.ndarray:
        """Loads M v (N, 6) of free velocities (N, 6)."""
        problem = self.cones.problem
        spin = np.einsum("nij,nj->ni", problem.inertia, velocity[:, 3:])
        return np.hstack([problem.mass[:, None] * velocity[:, :3], spin])

    def offset(self, cost: np.ndarray) -> float:
        """Value of a cost (C, 3) on the constant forces, which the value of an answer lacks."""
        return -float(cost[:, 0] @ self.cones.law.tension[: len(cost)])

    # -- the cones -------------------------------------------------------------------------------------------------

    def _pose(self):
        detection, area = (self.detection, self.area) if self.cells is None else self.cells.placed()
        contacts = detection.contacts
        rows = np.repeat(detection.law, np.diff(detection.interfaces.contact_start))
        law = self._point_law(rows, contacts.friction, area)
        most = law.compression
        if self.cables is not None:
            contacts = Contacts(*map(np.concatenate, zip(contacts, cable_rows.at_rest(self.cables, self.model))))
            law = cable_rows.extended(law, self.cables, np.zeros(len(self.cables.length), bool))
            most = np.append(most, self.cables.strength)
        disc, radius = shear_discs(law)
        problem = _with_discs(static_problem(self.model, contacts), law, disc)
        pressed = np.append(law.tension, np.zeros(len(disc)))
        push = np.zeros((len(pressed), 3))
        push[:, 0] = -pressed
        still = problem._replace(v_free=np.zeros_like(problem.v_free))
        back = operators.velocity_after(still, push, operators.inverse_inertia(problem))
        friction, cap = np.append(law.friction, np.zeros(len(disc))), np.append(most + law.tension, radius)
        posed = posing.Posed(problem, pressed, disc, np.zeros(0, int))
        self.cones = Cones(detection, law, posed, back, cap, friction)
        self.system = light_system(problem, self.workspace, self.monitor, self.threads)
        self.tied = np.flatnonzero((self.model.law[rows, law_table.TIED] > 0.0) & (area > 0.0))

    def _point_law(self, rows, friction, area):
        """Laws of the contacts with scaled friction; tension is at most that of the apex of the new cone."""
        law = point_laws.point_law(self.model, rows, friction, area)
        friction = self.factor * np.where(np.isfinite(law.viscosity), 0.0, law.friction)
        apex = law.cohesion / np.where(friction > 0.0, friction, 1.0)
        tension = np.where(friction > law.friction, np.minimum(law.tension, apex), law.tension)
        return law._replace(friction=friction, tension=tension)

    def _weights(self, cost):
        """Costs of the rows (R, 3); the shear of a disc has the cost of its contact."""
        disc = cost[self.cones.posed.disc]
        disc[:, 0] = 0.0
        cables = np.zeros((len(self.cones.law.friction) - len(cost), 3))
        return np.concatenate([cost, cables, disc])

    # -- crushing, ties and bonds ----------------------------------------------------------------------------------

    def _cut(self, answer):
        """Cells cut for a mechanism, and the power that it would dissipate more in continuous joints."""
        cones, cells = self.cones, self.cells
        start = cones.detection.interfaces.contact_start
        first = start[cells.joints]

        def sums(values):
            return np.array([values[a:b].sum() for a, b in zip(first, start[cells.joints + 1])])

        force, pressure = sums(answer.force[:, 0]), sums(cones.cap) / cones.detection.interfaces.area[cells.joints]
        least = 0.01 * PRECISION * self._size(answer) / max(len(first), 1)
        found, missing = cells.cut(answer.velocity, cones.friction[first], pressure, force, least)
        return found, float(missing.sum())

    def dissipated(self, answer: Answer) -> float:
        """Power of rows that yield at their caps, and of tension, in a mechanism."""
        capped = np.isfinite(self.cones.cap)
        constant = float((self.wrench(self.cones.back) * answer.velocity).sum())
        return float(self.cones.cap[capped] @ answer.crushing[capped]) - constant

    def _size(self, answer):
        return max(abs(answer.value), 1e-3 * abs(self.dissipated(answer)))

    def _without_ties(self, answer):
        """The answer; `unbounded` if ties would give way."""
        if answer.status != "solved" or not len(self.tied):
            return answer
        moves = np.linalg.norm(answer.opening, axis=1)
        if moves[self.tied].max() <= TIE_MOVES * moves.max():
            return answer
        text = "Only ties would give way, at {:g} times all weights and loads: this counts as no limit."
        self._warn("ties", text.format(point_laws.TIE))
        return answer._replace(status="unbounded")

    def _warn_of_brittle(self):
        cones = self.cones
        brittle = np.flatnonzero((cones.law.brittle & (cones.law.cohesion > 0.0))[: cones.contacts])
        if len(brittle):
            text = (
                "Joints that break (brittle, mortar, damage) count with their full strength, all at once: "
                "the limit is an upper bound, and the range of forces the widest."
            )
            body = np.unique(cones.detection.contacts.body[brittle])
            self._warn("brittle_limit", text, [self.model.names[i] for i in body])

    def _warn(self, code, text, blocks=()):
        self.warned[code] = {"code": code, "message": text, "blocks": list(blocks)}


def _with_discs(problem, law, disc):
    """The problem with rigid joints, friction of the law, and a row more for each disc, whose normal force acts on no
    body.
    """
    rows = np.append(np.arange(len(problem.friction)), disc)
    values = {key: getattr(problem, key)[rows] for key in ("body", "arm", "frame", "bias", "compliance")}
    values["frame"][len(problem.friction) :, 0] = 0.0
    return Problem(
        mass=problem.mass,
        inertia=problem.inertia,
        v_free=problem.v_free,
        friction=np.append(law.friction, np.ones(len(disc))),
        **values,
    )
