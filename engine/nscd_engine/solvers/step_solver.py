"""The solver of one step of a motion, started from the step before (docs/methods.md, section 5.4).

Newton's method on the primal problem takes steps in which blocks rest or few contacts change. The compliance acts on
the change of the impulses since the step before (method of multipliers over time), so that a structure at rest needs no
iteration and does not creep. Where blocks slide or hit in many places at once, ADMM takes the steps; where that is not
enough, as when a hammer hits a wall, interior points. With Coulomb friction De Saxce's opening mu |u_t| is that of the
current velocities; rounds within the step update it.
"""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.kernels.solvers.admm_step import FEW, MANY, MASS_RATIO, WORST
from nscd_engine.solvers import admm, interior_point, newton, tresca
from nscd_engine.solvers.primal.starts import predict
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.solution import Report, Warm

#: Compliance over the mobility of a contact [-]. Larger: joints act as springs of stiffness 1 / (h^2 E) and vibrate,
#: which costs more iterations than it saves. Smaller: the rounding of u / E shows.
EPS = 1e-6
#: Regularisations of the first step, which is solved exactly [-].
FIRST_EPS = (1e-4, 1e-6)
#: Most iterations of the exact first step [-]. Larger: structures that do not stand take longer before ADMM starts.
FIRST_ITERATIONS = 60
#: The same two if the masses are not similar: a light block below a heavy one holds a small share of what acts on it.
UNLIKE_EPS, UNLIKE_ITERATIONS = (1e-4, 1e-6, 1e-8), 500
#: Contacts up to which later steps of such masses are solved as exactly, where Newton's method from the step before has
#: failed [-]. Larger: large models take long. Smaller: light blocks between heavy ones walk when they are shaken.
MOST_EXACT = 2000
#: Contacts times iterations of an exact step in which something moves, and of its branch from the unloaded state [-].
#: Larger: large models that do not stand spend minutes on their first step in vain. Smaller: friction of moving models
#: begins on another branch.
MOVING_VISITS = 1000000
#: Residual at which the first step is exact enough [-]: light blocks below heavy ones may not be solved further.
FIRST_RESIDUAL = 1e-6
#: Imbalance of a block over the external impulse of the step on it [-]. Larger: blocks drift. Smaller: more iterations.
TOLERANCE = 1e-4
#: The same over the imbalance at the start of the step [-].
SHARE = 1e-2
#: Imbalance of a block at rest over the external impulse of the step on it [-]. Larger: a faint push is not seen.
AT_REST = 1e-6
#: Residual of a contact over the external impulse of the step at which Newton's method stops [-]. Larger: blocks creep.
RESIDUAL = 1e-3
#: Most rounds within a step [-].
MOST_ROUNDS = 4
#: Residual of a contact with which the impulses of the step before are kept [-]. Larger: resting blocks creep.
STILL = 1e-8
#: Imbalance of a block at the start, over the external impulse of the step on it, from which Newton's method is not
#: tried if there are MANY contacts [-]: it would end in vain, and an iteration takes as long as several of ADMM.
#: Larger: time is lost. Smaller: steps that it would solve exactly are rough.
HOPELESS = 100.0
#: Residual from which Coulomb friction has failed, and associated friction takes the step [-].
FAILED = 0.5
#: Iterations of Newton's method before ADMM takes over [-]. Larger: steps that slide take longer.
PATIENCE = 8
#: Steps that ADMM then takes before Newton's method is tried again [-]. Smaller: time is lost in vain trials. Larger:
#: blocks that come to rest do so later.
METHOD_HOLD = 10
#: The same at most [-]: the hold doubles every time that Newton's method fails again.
LONGEST_METHOD_HOLD = 80
#: Iterations of ADMM above which Newton's method is not tried again [-]: too many contacts change.
UNREST = 8
#: Complementarity over that at the start at which the interior point method stops [-].
GAP = 1e-7

#: Impulses [N s] (C, 3), velocities [m/s, rad/s] (N, 6), residual over the external impulse of the step [-].
Found = Tuple[np.ndarray, np.ndarray, float]


def solve(
    problem: Problem, warm: Warm, settings: Settings, monitor: Optional[Monitor] = None
) -> Tuple[np.ndarray, Report]:
    """Impulses (C, 3) in the contact frames, and a Report.

    `warm.impulses` are those of the step before, 0 for new contacts, None in the first step; `warm.velocity` is the
    start.
    """
    coulomb = settings.friction == "coulomb"
    if warm.impulses is None:  # exact first step: a standing structure rests from the beginning
        if not warm.impact or len(problem.friction) < FEW:
            exact = _exactly(problem, warm, settings, coulomb)
            if exact is not None:
                return exact
        warm.workspace.hold_method(METHOD_HOLD)
        velocity = np.zeros_like(problem.v_free) if warm.velocity is None else warm.velocity
        warm = warm._replace(impulses=np.zeros((len(problem.friction), 3)), velocity=velocity)
    touched = np.zeros(len(problem.mass), bool)
    touched[problem.body[problem.body >= 0]] = True
    start = np.where(touched[:, None], warm.velocity, problem.v_free)  # bodies without contacts move freely
    found, iterations, factorizations = _take_step(problem, warm._replace(velocity=start), settings, coulomb)
    impulses, velocity, residual = found
    status = "converged" if residual <= WORST else "stalled"
    return impulses, Report(velocity, iterations, factorizations, status, residual, 0.0, 0.0)


def _exactly(problem: Problem, warm: Warm, settings: Settings, coulomb: bool) -> Optional[Tuple[np.ndarray, Report]]:
    """Impulses (C, 3) and a Report of the step solved as a static analysis is; None if that fails."""
    alike = has_similar_masses(problem.mass)
    eps, most = (FIRST_EPS, FIRST_ITERATIONS) if alike else (UNLIKE_EPS, UNLIKE_ITERATIONS)
    exact, moving = settings._replace(eps=eps, max_iterations=most), MOVING_VISITS // max(len(problem.friction), 1)
    impulses, report = newton.solve(problem, Warm(workspace=warm.workspace), exact, most_moving=min(most, moving))
    if coulomb:
        branch = report.follow() if report.follow else None
        if branch is None and moving >= tresca.PATIENCE:  # a first round that may not end does not help
            branch = newton.from_nothing(problem, exact._replace(max_iterations=moving))
        if branch is not None and branch.settled:  # later steps bound friction by these impulses
            if not branch.moves and len(problem.friction) >= MANY:  # exact enough to rest
                exact = exact._replace(tolerance=max(settings.tolerance, STILL))
            released, found = newton.release(problem, branch, exact)
            if found.status == "converged" or (branch.moves and report.follow):
                impulses, report = released, found
    if report.status == "converged" or report.residual <= FIRST_RESIDUAL:
        return impulses, report._replace(status="converged")
    return None


def _take_step(problem: Problem, warm: Warm, settings: Settings, coulomb: bool) -> Tuple[Found, int, int]:
    """Solution, iterations and factorisations, by the method that the steps before suggest."""
    workspace, system = warm.workspace, None
    if workspace.method_hold_steps == 0:
        found = _at_rest(problem, warm, coulomb)
        if found is not None:
            return found, 0, 0
        system = _system(problem, warm, settings)
        found = by_newton(system, warm.impulses, warm.velocity, coulomb)
        if found is not None:
            return found, system.iterations, system.factorizations
        if len(problem.friction) <= MOST_EXACT and not has_similar_masses(problem.mass):
            exact = _exactly(problem, warm, settings, coulomb)
            if exact is not None:
                impulses, report = exact
                return (impulses, report.velocity, report.residual), report.iterations, report.factorizations
        workspace.hold_method(METHOD_HOLD)
    gamma, velocity, residual, iterations = admm.solve_step(problem, warm, coulomb, Threads(settings.threads))
    found, factorizations = (gamma, velocity, residual), 1
    workspace.count_steps()
    if workspace.method_hold_steps == 0:
        better = None
        if iterations <= UNREST or len(problem.friction) < FEW or not has_similar_masses(problem.mass):
            system = _system(problem, warm, settings)
            better = by_newton(system, gamma, velocity, coulomb)
        if better is None:
            workspace.hold_method(min(2 * workspace.method_hold_length, LONGEST_METHOD_HOLD))
        found = better or found
    if not found[2] <= WORST:
        system = system or _system(problem, warm, settings)
        other = _by_interior_points(system, warm.impulses, warm.velocity, coulomb)
        found = found if found[2] <= other[2] else other
    if system is not None:
        iterations, factorizations = iterations + system.iterations, factorizations + system.factorizations
    return found, iterations, factorizations


def has_similar_masses(mass: np.ndarray) -> bool:
    """Whether the ratio of the masses (N,) is at most MASS_RATIO, so that ADMM may take any step."""
    return bool(mass.max(initial=0.0) <= MASS_RATIO * mass.min(initial=np.inf))


def _at_rest(problem: Problem, warm: Warm, coulomb: bool) -> Optional[Found]:
    """The impulses and velocities of the step before, if they solve this step too; else None."""
    impulses, velocity = warm.impulses, warm.velocity
    own, greatest = residuals.external_impulses(problem, velocity)
    unit = residuals.balance_unit(problem, own, greatest)
    if not residuals.out_of_balance(problem, impulses, velocity, unit) <= AT_REST:
        return None
    w = operators.mobility(problem, operators.inverse_inertia(problem))
    u = operators.relative_velocity(problem, velocity)
    residual = residuals.worst_relative_residual(problem, impulses, u, w, coulomb, own)
    return (impulses, velocity, residual) if residual <= STILL else None


def _system(problem: Problem, warm: Warm, settings: Settings) -> System:
    """The problem as Newton's method and interior points take it, measured by the external impulses of the step."""
    return System(problem, warm.workspace, threads=settings.threads, before=warm.velocity)


def by_newton(system: System, impulses: np.ndarray, velocity: np.ndarray, coulomb: bool) -> Optional[Found]:
    """Solution by Newton's method from given impulses (C, 3) and velocities (N, 6); None if that takes too long.

    The velocities belong to the impulses through u / E, and are the start of the next step; they are in balance with
    them only to the tolerance.
    """
    centre = impulses[system.grouped.contact]
    system.move_to(velocity, centre)
    system.regularise(EPS, centre, system.opening() if coulomb else None)
    if system.size <= AT_REST:
        found = _measured(system, coulomb)
        if found[2] <= RESIDUAL:
            return found
    tolerance = min(TOLERANCE, SHARE * system.size)
    predict(system, centre, EPS)
    if system.size > HOPELESS and len(impulses) >= MANY:
        return None
    if coulomb:
        centre = _bound_by_the_step_before(system, centre, tolerance)
    for _ in range(MOST_ROUNDS):
        system.regularise(EPS, centre, system.opening() if coulomb else None)
        if not system.descend(tolerance, PATIENCE):
            break
        found = _measured(system, coulomb)
        if found[2] <= RESIDUAL:
            return found
        centre = system.work.gamma.copy()
    return _measured_by_heaviest(system, coulomb)


def _bound_by_the_step_before(system: System, centre: np.ndarray, tolerance: float) -> np.ndarray:
    """Move to the solution with friction bounded by the normal impulses that exist; its impulses (C, 3), grouped.

    The bounds are at first those of `centre`, the impulses of the step before, and then renewed (docs/methods.md,
    section 3.3). Without them blocks between others would be clamped by forces that nothing creates.
    """
    start = system.velocity()
    bound = system.grouped.friction * centre[:, 0]
    for _ in range(MOST_ROUNDS):
        system.bound_friction(bound)
        system.regularise(EPS, centre)
        if not system.descend(tolerance, PATIENCE):
            system.move_to(start, centre)
            break
        renewed = system.friction_bounds()
        change = np.abs(renewed - bound).max(initial=0.0)
        bound = renewed
        if change <= RESIDUAL * system.greatest:
            break
    system.bound_friction(None)
    return system.work.gamma.copy()


def _measured(system: System, coulomb: bool) -> Found:
    """Current impulses and velocities; residual of a contact over the external impulse of its bodies."""
    impulses, velocity = system.impulses(), system.velocity()
    found = system.problem, impulses, system.slip(velocity), system.mobility()
    return impulses, velocity, residuals.worst_relative_residual(*found, coulomb, system.own)


def _measured_by_heaviest(system: System, coulomb: bool) -> Optional[Found]:
    """Current impulses and velocities, if they are exact enough for the heaviest body; else None.

    Rounding does not allow more for light blocks between heavy ones.
    """
    impulses, velocity = system.impulses(), system.velocity()
    if not system.imbalance(impulses, velocity) <= TOLERANCE:
        return None
    residual = greatest_residual(system, impulses, velocity, coulomb)
    return (impulses, velocity, residual) if residual <= RESIDUAL else None


def greatest_residual(system: System, impulses: np.ndarray, velocity: np.ndarray, coulomb: bool) -> float:
    """Greatest residual of a contact over the greatest external impulse of a body [-]."""
    found = system.problem, impulses, system.slip(velocity), system.mobility()
    return residuals.greatest_residual(*found, coulomb) / system.greatest


def _by_interior_points(system: System, impulses: np.ndarray, velocity: np.ndarray, coulomb: bool) -> Found:
    """As `by_newton`, by interior points; if the opening diverges, with associated friction, which gains no energy."""
    start = impulses[system.grouped.contact]
    for friction in (True, False) if coulomb else (False,):
        system.move_to(velocity, start)
        for _ in range(MOST_ROUNDS):
            system.regularise(EPS, system.work.gamma.copy(), system.opening() if friction else None)
            gamma = interior_point.descend(system, GAP)
            impulses = system.ungrouped(gamma)
            velocity = operators.velocity_after(system.problem, impulses, system.inverse)
            found = impulses, velocity, greatest_residual(system, impulses, velocity, friction)
            system.move_to(velocity, gamma)
            if found[2] <= WORST:
                break
        if found[2] <= FAILED:
            break
    return found
