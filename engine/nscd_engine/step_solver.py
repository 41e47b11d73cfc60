"""The solver of one step of a motion, warm from the step before.

Newton's method on the primal takes what rests and what moves with few changes: the compliance acts on the change of the
impulses since the step before (method of multipliers over time), so that a structure at rest needs no iteration and
does not creep. Where blocks slide or hit in many places at once, the splitting method takes the steps, and where that
is not enough - a hammer on a wall - interior points. With Coulomb friction the opening mu |u_t| of De Saxce's form is
that of the velocities at hand; rounds within the step update it.
"""

import numpy as np

from . import interior_point, newton, splitting
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
#: The same where blocks slide or hit in many places: what a contact may miss by at worst [-].
ROUGH = 0.2
#: Miss from which Coulomb friction has failed, and associated friction takes the step [-].
FAILED = 0.5
#: Friction used, over its limit, below which a contact is taken to stick on [-].
STUCK = 1.0 - 1e-6
#: Iterations of Newton's method before the splitting method takes over; steps for which it then stays, at first and
#: at most: twice as many every time that Newton's method cannot take over again.
PATIENCE, STAY, LONGEST_STAY = 8, 10, 80
#: What the splitting method may leave in the mean: so much for every contact, which for a few is next to nothing, and
#: so much at most [-].
SPLIT, ROUGHEST_SPLIT = 1e-5, 5e-3
#: Its iterations: so many contacts visited, but between these two; and those if a contact then misses too much.
VISITS, SPLITTINGS, MORE_SPLITTINGS = 10000, (30, 200), 200
#: Complementarity over that of the start to which the interior point method goes [-].
GAP = 1e-7


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
    system = System(problem, warm.cache, threads=settings.threads)
    centre = warm.impulses[system.pairs.contact]
    # What the step brings: the impulse of weight and loads, in which tolerances are measured; not that of the travel.
    brought = problem.mass * np.sqrt(((problem.v_free - warm.velocity)[:, :3] ** 2).sum(axis=1))
    share = float(brought.max(initial=0.0)) / system.scale or 1.0
    gamma, velocity, residual = _take(system, centre, warm, share, coulomb)
    status = "converged" if residual <= ROUGH else "stalled"
    impulses = system.ungrouped(gamma)
    return impulses, Report(velocity, system.iterations, system.factorizations, status, residual, 0.0, 0.0)


def _take(system, centre, warm, share, coulomb):
    """Impulses (C, 3) in grouped order, velocities (N, 6) and what they miss, by the method that is likely to do."""
    cache = warm.cache
    hard = cache.get("hard", 0)
    if hard == 0:
        found = _newton(system, centre, warm.velocity, share, coulomb)
        if found is not None:
            return found
        cache["hard"] = hard = cache["stay"] = STAY
    gamma, velocity, residual = _split(system, centre, warm.velocity, share, coulomb)
    cache["hard"] = hard - 1
    if hard == 1:
        found = _newton(system, gamma, velocity, share, coulomb)
        if found is not None:
            return found
        cache["hard"] = cache["stay"] = min(2 * cache["stay"], LONGEST_STAY)
    if residual > ROUGH:
        found = _interior(system, centre, share, coulomb)
        if found[2] < residual:
            return found
    return gamma, velocity, residual


def _newton(system, centre, velocity, share, coulomb):
    """As `_take`, or None if that takes too long.

    The velocities belong to the impulses through u / E, and are the start of the next step; they are in balance with
    them to the tolerance only.
    """
    system.move_to(velocity, centre)
    system.aim(EPS, centre, system.opening() if coulomb else None)
    if system.size <= TOLERANCE * share:  # at rest: the impulses of the step before hold
        residual = _miss(system, system.work.gamma, system.velocity(), coulomb) / share
        if residual <= RESIDUAL:
            return system.work.gamma, system.velocity(), residual
    _predict(system, centre)
    for _ in range(MOST_ROUNDS):
        system.aim(EPS, centre, system.opening() if coulomb else None)
        if not system.descend(TOLERANCE * share, PATIENCE):
            return None
        residual = _miss(system, system.work.gamma, system.velocity(), coulomb) / share
        if residual <= RESIDUAL:
            return system.work.gamma, system.velocity(), residual
        centre = system.work.gamma.copy()
    return None


def _split(system, centre, velocity, share, coulomb):
    """As `_take`, by the splitting method."""
    gamma, v, count = centre, velocity, max(len(centre), 1)
    tolerance = share * min(SPLIT * count, ROUGHEST_SPLIT)
    most = min(max(VISITS // count, SPLITTINGS[0]), SPLITTINGS[1])
    for most in (most, MORE_SPLITTINGS):
        gamma, v = splitting.descend(system, gamma, v, coulomb, tolerance, most)
        residual = _miss(system, gamma, v, coulomb) / share
        if residual <= ROUGH:
            break
    return gamma, v, residual


def _interior(system, centre, share, coulomb):
    """As `_take`, by interior points; if the opening runs away, with associated friction, which gains no energy."""
    for friction in (True, False) if coulomb else (False,):
        impulses = centre
        for _ in range(MOST_ROUNDS):
            system.aim(EPS, impulses, system.opening() if friction else None)
            impulses = interior_point.descend(system, GAP)
            velocity = measures.velocity_after(system.problem, system.ungrouped(impulses), system.inverse)
            residual = _miss(system, impulses, velocity, friction) / share
            system.move_to(velocity, impulses)
            if residual <= ROUGH:
                break
        if residual <= FAILED:
            break
    return impulses, velocity, residual


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


def _miss(system, gamma, velocity, coulomb):
    """Natural map over the free impulse."""
    impulses = system.ungrouped(gamma)
    u = measures.relative_velocity(system.problem, velocity)
    return measures.natural_map(system.problem, impulses, u, system.w, coulomb)
