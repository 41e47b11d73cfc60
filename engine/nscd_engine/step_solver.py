"""The solver of one step of a motion: Newton's method on the primal, warm from the step before.

The compliance acts on the change of the impulses since the step before (method of multipliers over time): a structure
at rest needs no iteration and does not creep. Where blocks slide or hit in many places at once, Newton's method is slow
and the interior point method takes the step. With Coulomb friction the opening mu |u_t| of De Saxce's form is that of
the velocities at hand; rounds within the step update it.
"""

import numpy as np

from . import interior_point, newton
from .kernels import measures
from .kernels.assembly import inertial_gradient, subtract_impulses
from .kernels.cholesky import solve as solve_factored
from .solution import Report
from .system import System

#: Compliance over trace(W_cc)/3 [-]. Larger: joints act as springs of stiffness 1 / (h^2 E) and ring, which costs more
#: iterations than it saves. Smaller: rounding of u / E shows.
EPS = 1e-6
#: Regularisations of the first step.
FIRST_EPS = (1e-4, 1e-6)
#: Force out of balance, over that of a block that changes its velocity as gravity does in the step [-].
TOLERANCE = 1e-4
#: The same for what friction and contact miss (natural map); a round more if it is above, so many at most.
RESIDUAL, MOST_ROUNDS = 1e-3, 4
#: The same where blocks slide or hit in many places, and a round is dear [-].
ROUGH = 5e-2
#: Miss from which Coulomb friction has failed, and associated friction takes the step [-].
FAILED = 0.5
#: Friction used, over its limit, below which a contact is taken to stick on [-].
STUCK = 1.0 - 1e-6
#: Iterations of Newton's method before the interior point method takes over; steps for which it then stays.
PATIENCE, STAY = 8, 10
#: Complementarity over that of the start to which the interior point method goes [-], and the iterations of Newton's
#: method that try, at the end of its stay, to find the very point from which the next step can start.
GAP, POLISH = 1e-7, 30


def solve(problem, warm, settings, monitor=None):
    """Impulses (C, 3) in the contact frames, and a Report.

    `warm.impulses` are those of the step before, 0 for new contacts; `warm.velocity` where to start.
    """
    coulomb = settings.friction == "coulomb"
    if warm.impulses is None:  # nothing to start from: exactly, so that what stands is at rest from the first step on
        impulses, report = newton.solve(problem, warm, settings._replace(eps=FIRST_EPS))
        if report.status == "converged":
            return impulses, report
        warm = warm._replace(impulses=np.zeros((len(problem.friction), 3)), velocity=np.zeros_like(problem.v_free))
    system = System(problem, warm.cache)
    centre = warm.impulses[system.pairs.contact]
    system.base[:] = warm.velocity
    # What the step brings: the impulse of weight and loads, in which tolerances are measured; not that of the travel.
    brought = problem.mass * np.sqrt(((problem.v_free - warm.velocity)[:, :3] ** 2).sum(axis=1))
    share = float(brought.max(initial=0.0)) / system.scale or 1.0
    system.aim(EPS, centre, system.opening() if coulomb else None)
    if system.size <= TOLERANCE * share:  # at rest: the impulses of the step before hold
        gamma, velocity = system.work.gamma, system.velocity()
        residual = _miss(system, gamma, velocity, coulomb) / share
    if system.size > TOLERANCE * share or residual > RESIDUAL:
        _predict(system, centre)
        gamma, velocity, residual = _rounds(system, centre, share, warm.cache, coulomb)
    if residual > FAILED and coulomb:  # the opening runs away; without it the problem is convex and gains no energy
        system.base[:], system.work.v[:] = warm.velocity, 0.0
        gamma, velocity, residual = _rounds(system, centre, share, warm.cache, False)
    status = "converged" if residual <= ROUGH else "stalled"
    impulses = _ungrouped(gamma, system.pairs.contact)
    return impulses, Report(velocity, system.iterations, system.factorizations, status, residual, 0.0, 0.0)


def _rounds(system, centre, share, cache, coulomb):
    """Solve until impulses and opening fit: impulses (C, 3) in grouped order, velocities (N, 6), what they miss."""
    for _ in range(MOST_ROUNDS):
        system.aim(EPS, centre, system.opening() if coulomb else None)
        gamma, velocity = _reach(system, TOLERANCE * share, cache)
        residual = _miss(system, gamma, velocity, coulomb) / share
        if residual <= (ROUGH if cache.get("hard", 0) else RESIDUAL):
            break
        centre = gamma.copy()
        system.base[:], system.work.v[:] = velocity, 0.0
    return gamma, velocity, residual


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


def _reach(system, tolerance, cache):
    """Impulses (C, 3) in grouped order and velocities (N, 6), by the method that is likely to be faster.

    The velocities of Newton's method belong to its impulses through u / E, and are the start of the next step; they are
    in balance with them to the tolerance only.
    """
    hard = cache.get("hard", 0)
    if hard == 0:
        if system.descend(tolerance, PATIENCE):
            return system.work.gamma, system.velocity()
        hard = STAY
    cache["hard"] = hard - 1
    gamma = interior_point.descend(system, GAP)
    if hard == 1 and system.descend(tolerance, POLISH):
        return system.work.gamma, system.velocity()
    return gamma, measures.velocity_after(system.problem, _ungrouped(gamma, system.pairs.contact), system.inverse)


def _ungrouped(gamma, order):
    impulses = np.empty_like(gamma)
    impulses[order] = gamma
    return impulses


def _miss(system, gamma, velocity, coulomb):
    """Natural map over the free impulse."""
    impulses = _ungrouped(gamma, system.pairs.contact)
    u = measures.relative_velocity(system.problem, velocity)
    return measures.natural_map(system.problem, impulses, u, system.w, coulomb)
