"""Statics of joints with strength or stiffness, of cables and of construction stages.

Two nested iterations about the step problem of docs/methods.md, section 1:

- elastic joints: the displacements in equilibrium, by steps from rest. Each step starts from the displacements of the
  one before; inertia resists only the change, which dies out within two or three steps;
- rounds: brittle contacts that reach their strength lose it, cables beyond their strength pull with it, joints of which
  a part is beyond its cap of compression are capped. The rest is solved again until nothing changes. Joints
  below their caps need no platens.
"""

from __future__ import annotations

import functools
from typing import Callable, NamedTuple, Optional

import numpy as np

from nscd_engine.contacts.at_rest import Detection
from nscd_engine.core.loads import OUT_OF_REACH, Cables, CarriedForces
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.laws import cables as cable_rows
from nscd_engine.laws import mohr_coulomb, posing
from nscd_engine.laws.point_laws import block_stiffness, point_law, with_bond_stiffness
from nscd_engine.solvers import newton
from nscd_engine.solvers.solution import Report, Warm
from nscd_engine.statics.stages import carried_over, with_stage_stiffness

#: Compliance of the softest half of the joints over their mobility [-]. Larger: more steps until inertia has died out.
#: Smaller: lost in the regularisation of the solvers.
SOFTNESS = 1e-4
#: Least tolerance of a residual [-]. Smaller: rounding keeps the solver from reaching it.
FINEST = 1e-13
#: Most steps until elastic joints are in equilibrium [-]. Fewer: soft joints on stiff ones are not in balance.
MOST_STEPS = 40
#: Change of the displacements over free fall at which they are in equilibrium [-]. Larger: forces are out of balance by
#: it. Smaller: rounding keeps the steps going.
AT_REST = 1e-9
#: Factor on compliances where steps converge slowly [-], and how often at most: a step is longer by the root of it.
LONGER, MOST_LONGER = 0.1, 4
#: Change over the free velocity below which only rounding is left [-]. Larger: light blocks under heavy loads seem to
#: move. Smaller: all steps are taken.
ROUNDING = 1e-12


class LawState(NamedTuple):
    """Joints and cables at the end of the rounds. C contacts, N free bodies, K cables."""

    cone_impulses: np.ndarray  # [N s] (C, 3): in the cones that the solver sees; they tell open, stick and slide
    friction: np.ndarray  # [-] (C,)
    broken: np.ndarray  # (C,) bool: the bond is lost
    displacement: Optional[np.ndarray]  # [m, rad] (N, 6) of elastic joints; None if all are rigid
    cable_force: Optional[np.ndarray]  # [N] (K,); None without cables
    at_rest: Callable[[], posing.Posed]  # the problem from rest, as the solver of friction alone takes it
    softness: float  # [1/s2] displacements are velocities of that problem over it; 0 if nothing is elastic


class _Balance(NamedTuple):
    """Solution of one round; cables are rows behind the C contacts."""

    impulses: np.ndarray  # [N s] (C + K, 3)
    cone_impulses: np.ndarray  # [N s] (C, 3)
    displacement: Optional[np.ndarray]  # [m, rad] (N, 6); None if no law is elastic
    report: Report
    posed: Problem  # of the last step, as the solver of friction alone takes it
    at_rest: Callable[[], posing.Posed]  # the same of the first step
    softness: float  # [1/s2]


class LawSolver:
    """Solver of static problems with laws beyond friction.

    Parameters
    ----------
    model : Model
    detection : Detection
        With the contacts that its laws need (laws.fibres).
    area : array (C,)
        Of the contacts [m2].
    cables : Cables or None
    carried : CarriedForces or None
        Of the stage before.
    solve : callable
        Solver of problems with friction alone.

    Attributes
    ----------
    contacts : Contacts
        Of the problem to be solved: those of the detection, then the cables.
    """

    def __init__(
        self,
        model: Model,
        detection: Detection,
        area: np.ndarray,
        cables: Optional[Cables],
        carried: Optional[CarriedForces],
        solve: Callable,
    ):
        contacts, per_interface = detection.contacts, np.diff(detection.interfaces.contact_start)
        self.interface = np.repeat(np.arange(len(per_interface)), per_interface)  # (C,) of each contact
        self.law = point_law(model, detection.law[self.interface], contacts.friction, area)
        self.is_elastic = carried is not None or cables is not None or bool(np.isfinite(self.law.stiffness).any())
        self.law = with_bond_stiffness(self.law, area, block_stiffness(model))
        self.gravity = float(np.linalg.norm(model.gravity)) or np.inf  # [m/s2]; inf: nothing has weight
        self.contacts, self.count = contacts, len(area)
        self.cables, self.plain_solve = cables, solve
        self.start_force, self.lost = np.zeros((self.count, 3)), np.zeros(self.count, bool)
        if carried is not None:
            self.start_force, self.lost = carried_over(carried, model, contacts)
            self.law = with_stage_stiffness(self.law, area)
        if cables is not None:
            self.contacts = Contacts(*map(np.concatenate, zip(contacts, cable_rows.at_rest(cables, model))))
            self.start_force = np.concatenate([self.start_force, np.zeros((len(cables.length), 3))])
            self.start_force[self.count :, 0] = cables.prestress

    def solve(
        self, problem: Problem, warm: Warm, settings: Settings, monitor: Optional[Monitor] = None
    ) -> tuple[np.ndarray, Report, LawState]:
        """Impulses (C, 3) of the contacts, a Report, and the state of joints and cables.

        The problem is that of `contacts`, cables included.
        """
        broken, capped = self.lost.copy(), np.zeros(self.count, bool)
        yielding = np.zeros(len(problem.friction) - self.count, bool)
        strength = np.inf if self.cables is None else self.cables.strength
        iterations, displacement = 0, None
        while True:
            law = mohr_coulomb.without_bond(self.law, broken)
            law = law._replace(compression=np.where(capped, law.compression, np.inf))
            found = self._balance(problem, law, yielding, warm, settings, monitor)
            iterations += found.report.iterations
            # Once every elastic cable yields nothing is elastic: the displacements of the round before are the last.
            displacement = displacement if found.displacement is None else found.displacement
            impulses, cable_force = found.impulses[: self.count], found.impulses[self.count :, 0]
            breaks = law.brittle & ~broken & mohr_coulomb.breaks(law, impulses, found.cone_impulses)
            yields = ~yielding & (cable_force > strength)
            beyond = ~capped & (impulses[:, 0] > self.law.compression)
            if not breaks.any() and not yields.any() and not beyond.any():
                break
            broken |= breaks
            yielding |= yields
            capped |= np.isin(self.interface, self.interface[beyond])
        follow = functools.partial(_branch, found, settings, monitor) if self.plain_solve is newton.solve else None
        cable_force = None if self.cables is None else cable_force
        state = LawState(
            found.cone_impulses, self.law.friction, broken, displacement, cable_force, found.at_rest, found.softness
        )
        return impulses, found.report._replace(iterations=iterations, follow=follow), state

    def _balance(self, problem, law, yielding, warm, settings, monitor):
        """Equilibrium with the laws as they are: one step if all is rigid, else steps until nothing moves."""
        if self.cables is not None:
            law = cable_rows.extended(law, self.cables, yielding)
        softness, bodies = self._softness(problem, law), len(problem.mass)
        displaced, last_size, longer = None, np.inf, 0
        fall = residuals.free_velocity(problem) or 1.0
        heavy = min(1.0, self.gravity / fall)  # free fall over the free velocity: small if loads are many weights
        for _ in range(MOST_STEPS if softness else 1):
            start = np.zeros((1, 6)) if displaced is None else displaced
            bias = problem.bias - (softness / law.stiffness)[:, [0, 1, 1]] * self.start_force
            bias[self.count :, 0] += np.where(yielding, OUT_OF_REACH, 0.0)
            moved = problem._replace(v_free=problem.v_free + start[:bodies], bias=bias)
            platens = None if displaced is None else displaced[bodies:]
            posed = posing.pose(moved, law, 1.0, softness, platen_velocity=platens)
            finer = _finer(settings, moved, posed, heavy)
            found, report = self.plain_solve(posed.problem, Warm(None, displaced, warm.workspace), finer, monitor)
            if report.residual <= settings.tolerance:  # the finer one may be below rounding
                report = report._replace(status="converged")
            displaced = report.velocity
            change = displaced - start
            size, slow = np.abs(change[:, :3]).max(initial=0.0) / fall, False
            if size <= max(AT_REST * heavy, ROUNDING):
                break
            if size > 0.5 * last_size:
                if size <= AT_REST or (size > 1e-3 and longer == MOST_LONGER):
                    break
                slow = longer < MOST_LONGER
            if slow:  # a joint that is nearly open is soft: inertia resists less in a longer step
                softness, displaced, longer = LONGER * softness, LONGER * displaced, longer + 1
            last_size = size
        velocity, displacement = displaced[:bodies], None
        if softness:
            velocity = change[:bodies]
            displacement = displaced[:bodies] / softness if self.is_elastic else None
        impulses, report = posing.joined(posed, found), report._replace(velocity=velocity)
        at_rest = functools.partial(posing.pose, problem._replace(bias=bias), law, 1.0, softness)
        return _Balance(impulses, found[: self.count], displacement, report, posed.problem, at_rest, softness)

    def _softness(self, problem, law):
        """Compliance times stiffness; 0 if nothing is elastic."""
        elastic = np.isfinite(law.stiffness)
        if not elastic.any():
            return 0.0
        w = operators.mobility(problem, operators.inverse_inertia(problem))
        soft = 1.0 / (law.stiffness * w[:, None])
        return SOFTNESS / float(np.median(soft[elastic]))


def _branch(found, settings, monitor):
    """What is reached from the unloaded state, for the last step of a balance; None if that step moves."""
    report = newton.solve(found.posed, Warm(), settings, monitor)[1]
    return report.follow() if report.follow else None


def _finer(settings, problem, posed, heavy):
    """Settings with a tolerance that refers to weights: not to the forces that press platens on joints, nor to loads
    of many weights, 1 / `heavy` of them.
    """
    share = heavy
    if len(posed.platen):
        external, pressed = (np.abs(each.mass[:, None] * each.v_free[:, :3]).max() for each in (problem, posed.problem))
        share *= min(external / pressed if external > 0.0 else 1.0, 1.0)
    return settings if share == 1.0 else settings._replace(tolerance=max(settings.tolerance * share, FINEST))
