"""The solver of one step of a motion, warm from the step before.

Newton's method on the primal takes what rests and what moves with few changes: the compliance acts on the change of the
impulses since the step before (method of multipliers over time), so that a structure at rest needs no iteration and
does not creep. Where blocks slide or hit in many places at once, the splitting method takes the steps, and where that
is not enough - a hammer on a wall - interior points. With Coulomb friction the opening mu |u_t| of De Saxce's form is
that of the velocities at hand; rounds within the step update it.
"""

import numpy as np

from nscd_engine.core.threads import Threads
from nscd_engine.kernels.linalg.cholesky import solve as solve_factored
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.kernels.solvers.admm_step import ALIKE, SEVERAL, WORST
from nscd_engine.kernels.solvers.hessian import inertial_gradient, subtract_impulses
from nscd_engine.solvers import admm, interior_point, newton
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.solution import Report, Warm

#: Compliance over trace(W_cc)/3 [-]. Larger: joints act as springs of stiffness 1 / (h^2 E) and ring, which costs more
#: iterations than it saves. Smaller: rounding of u / E shows.
EPS = 1e-6
#: Regularisations of the first step, and iterations in which what stands is solved exactly.
FIRST_EPS, FIRST_ITERATIONS = (1e-4, 1e-6), 60
#: Residual to which that is good enough: light blocks below heavy ones may not be had more exactly [-].
FIRST_RESIDUAL = 1e-6
#: Force out of balance over what the step brings to the block [-], the same over that at the start, and that of what is
#: at rest. Larger: a faint push is taken for none.
TOLERANCE, SHARE, AT_REST = 1e-4, 1e-2, 1e-6
#: The same for what friction and contact miss (natural map); a round more if it is above, so many at most; and what
#: they may miss if nothing is solved. Larger: what rests creeps.
RESIDUAL, MOST_ROUNDS, STILL = 1e-3, 4, 1e-8
#: Miss from which Coulomb friction has failed, and associated friction takes the step [-].
FAILED = 0.5
#: Friction used, over its limit, below which a contact is taken to stick on [-].
STUCK = 1.0 - 1e-6
#: Iterations of Newton's method before the splitting method takes over; steps for which it then stays, at first and
#: at most: twice as many every time that Newton's method cannot take over again.
PATIENCE, STAY, LONGEST_STAY = 8, 10, 80
#: Iterations of the splitting method, of several contacts, above which it is not tried.
UNREST = 8
#: Complementarity over that of the start to which the interior point method goes [-].
GAP = 1e-7


def solve(problem, warm, settings, monitor=None):
    """Impulses (C, 3) in the contact frames, and a Report.

    `warm.impulses` are those of the step before, 0 for new contacts; `warm.velocity` where to start.
    """
    coulomb = settings.friction == "coulomb"
    if warm.impulses is None:  # nothing to start from: exactly, so that what stands is at rest from the first step on
        if not warm.hit or len(problem.friction) < SEVERAL:
            impulses, report = newton.solve(
                problem, Warm(cache=warm.cache), settings._replace(eps=FIRST_EPS, max_iterations=FIRST_ITERATIONS)
            )
            if report.status == "converged" or report.residual <= FIRST_RESIDUAL:
                return impulses, report._replace(status="converged")
        warm.cache["hard"] = warm.cache["stay"] = STAY
        velocity = np.zeros_like(problem.v_free) if warm.velocity is None else warm.velocity
        warm = warm._replace(impulses=np.zeros((len(problem.friction), 3)), velocity=velocity)
    touched = np.zeros(len(problem.mass), bool)
    touched[problem.body[problem.body >= 0]] = True
    warm = warm._replace(velocity=np.where(touched[:, None], warm.velocity, problem.v_free))  # nothing holds the others
    impulses, velocity, residual, iterations, factorizations = _take(problem, warm, settings, coulomb)
    status = "converged" if residual <= WORST else "stalled"
    return impulses, Report(velocity, iterations, factorizations, status, residual, 0.0, 0.0)


def _take(problem, warm, settings, coulomb):
    """Impulses (C, 3), velocities (N, 6), what they miss, iterations and factorisations, by the method that is likely
    to do."""
    cache, system = warm.cache, None
    hard = cache.get("hard", 0)
    if hard == 0:
        found = _at_rest(problem, warm, coulomb)
        if found is not None:
            return found + (0, 0)
        system = _system(problem, warm, settings)
        found = _newton(system, warm.impulses, warm.velocity, coulomb)
        if found is not None:
            return found + (system.iterations, system.factorizations)
        hard = cache["stay"] = STAY
    gamma, velocity, residual, iterations = admm.take(problem, warm, coulomb, Threads(settings.threads))
    found, factorizations = (gamma, velocity, residual), 1
    cache["hard"] = hard - 1
    if hard == 1:
        better = None
        if iterations <= UNREST or len(problem.friction) < SEVERAL or not alike(problem.mass):
            system = _system(problem, warm, settings)
            better = _newton(system, gamma, velocity, coulomb)
        if better is None:
            cache["hard"] = cache["stay"] = min(2 * cache["stay"], LONGEST_STAY)
        found = better or found
    if not found[2] <= WORST:
        system = system or _system(problem, warm, settings)
        other = _interior(system, warm.impulses, warm.velocity, coulomb)
        found = found if found[2] <= other[2] else other
    if system is not None:
        iterations, factorizations = iterations + system.iterations, factorizations + system.factorizations
    return found + (iterations, factorizations)


def alike(mass):
    """Whether masses (N,) are so alike that the splitting method may take any step of them."""
    return bool(mass.max(initial=0.0) <= ALIKE * mass.min(initial=np.inf))


def _at_rest(problem, warm, coulomb):
    """The impulses and velocities of the step before, and what they miss, if they hold on; else None."""
    impulses, velocity = warm.impulses, warm.velocity
    own, greatest = residuals.brought(problem, velocity)
    unit = residuals.balance_unit(problem, own, greatest)
    if not residuals.out_of_balance(problem, impulses, velocity, unit) <= AT_REST:
        return None
    w = operators.mobility(problem, operators.inverse_inertia(problem))
    u = operators.relative_velocity(problem, velocity)
    miss = residuals.worst_miss(problem, impulses, u, w, coulomb, own)
    return (impulses, velocity, miss) if miss <= STILL else None


def _system(problem, warm, settings):
    """The problem as Newton's method and interior points see it."""
    system = System(problem, warm.cache, threads=settings.threads)
    system.refer_to_step(warm.velocity)
    return system


def _newton(system, impulses, velocity, coulomb):
    """Impulses (C, 3), velocities (N, 6) and what they miss, from those given; None if that takes too long.

    The velocities belong to the impulses through u / E, and are the start of the next step; they are in balance with
    them to the tolerance only.
    """
    centre = impulses[system.pairs.contact]
    system.move_to(velocity, centre)
    system.aim(EPS, centre, system.opening() if coulomb else None)
    if system.size <= AT_REST:
        found = _measured(system, coulomb)
        if found[2] <= RESIDUAL:
            return found
    tolerance = min(TOLERANCE, SHARE * system.size)
    _predict(system, centre)
    for _ in range(MOST_ROUNDS):
        system.aim(EPS, centre, system.opening() if coulomb else None)
        if not system.descend(tolerance, PATIENCE):
            break
        found = _measured(system, coulomb)
        if found[2] <= RESIDUAL:
            return found
        centre = system.work.gamma.copy()
    return _roughly(system, coulomb)


def _roughly(system, coulomb):
    """What is at hand, if it is good enough for the heaviest: rounding does not allow more for light blocks between
    heavy ones; else None."""
    impulses, velocity = system.impulses(), system.velocity()
    unit = np.full(len(velocity), system.greatest)
    if not residuals.out_of_balance(system.problem, impulses, velocity, unit) <= TOLERANCE:
        return None
    miss = _miss(system, impulses, velocity, coulomb)
    return (impulses, velocity, miss) if miss <= RESIDUAL else None


def _miss(system, impulses, velocity, coulomb):
    """What impulses (C, 3) miss of the natural map, over the greatest that the step brings to a body [-]."""
    u = operators.relative_velocity(system.problem, velocity)
    return residuals.greatest_miss(system.problem, impulses, u, system.w, coulomb) / system.greatest


def _interior(system, impulses, velocity, coulomb):
    """As `_newton`, by interior points; if the opening runs away, with associated friction, which gains no energy."""
    start = impulses[system.pairs.contact]
    for friction in (True, False) if coulomb else (False,):
        system.move_to(velocity, start)
        for _ in range(MOST_ROUNDS):
            system.aim(EPS, system.work.gamma.copy(), system.opening() if friction else None)
            gamma = interior_point.descend(system, GAP)
            impulses = system.ungrouped(gamma)
            velocity = operators.velocity_after(system.problem, impulses, system.inverse)
            found = impulses, velocity, _miss(system, impulses, velocity, friction)
            system.move_to(velocity, gamma)
            if found[2] <= WORST:
                break
        if found[2] <= FAILED:
            break
    return found


def _predict(system, centre):
    """Move to the velocities at which every contact that carried keeps its point, and every other is open.

    While blocks turn, velocities of the step before do not fit the contacts of this one: they are off by w^2 r h, which
    is little, but far more than the compliance has room for, and contacts would seem to be in states that they are not.
    """
    pairs, work = system.pairs, system.work
    system.aim(EPS, centre)
    before, size = system.velocity(), system.size
    normal, tangent = centre[:, 0], np.hypot(centre[:, 1], centre[:, 2])
    closed = normal > 0.0
    stuck = closed & (tangent < STUCK * pairs.friction * normal)
    stiff = 1.0 / work.e[:, 0]
    work.G[:] = 0.0
    work.G[:, 0] = np.where(closed, stiff, 0.0)
    work.G[:, 3] = work.G[:, 5] = np.where(stuck, stiff, 0.0)
    y = work.target / work.e[:, [0, 1, 1]]
    work.gamma[:] = np.where(stuck[:, None], y, centre)
    work.gamma[:, 0] = np.where(closed, y[:, 0], 0.0)
    inertial_gradient(system.shifted, work.v, work.g)
    subtract_impulses(pairs, work.gamma, 0, len(pairs.slot), work.g)
    if system.factorise():
        solve_factored(system.sym, work.factor, work.g, work.d)
        work.v[:] = -work.d
        system.iterations += 1
    system.rebase()
    if not system.size < size:  # too much has changed
        system.base[:], work.v[:] = before, 0.0


def _measured(system, coulomb):
    """Impulses and velocities at hand, with what they miss of the natural map over what the step brings."""
    impulses, velocity = system.impulses(), system.velocity()
    u = operators.relative_velocity(system.problem, velocity)
    return impulses, velocity, residuals.worst_miss(system.problem, impulses, u, system.w, coulomb, system.own)
