"""The solver of one step of a motion: Newton's method on the primal, warm from the step before.

The compliance acts on the change of the impulses since the step before (method of multipliers over time): a structure
at rest needs no iteration and does not creep. Where blocks slide or hit in many places at once, Newton's method is slow
and the interior point method takes the step. With Coulomb friction the opening mu |u_t| of De Saxce's form is that of
the velocities at hand; rounds within the step update it.
"""

import numpy as np

from . import interior_point, newton
from .kernels import measures
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
        return newton.solve(problem, warm, settings._replace(eps=FIRST_EPS))
    system = System(problem, warm.cache)
    order = system.pairs.contact
    centre = warm.impulses[order]
    system.base[:] = warm.velocity
    # What the step brings: the impulse of weight and loads, in which tolerances are measured; not that of the travel.
    brought = problem.mass * np.sqrt(((problem.v_free - warm.velocity)[:, :3] ** 2).sum(axis=1))
    share = float(brought.max(initial=0.0)) / system.scale or 1.0
    status, residual = "stalled", np.inf
    for _ in range(MOST_ROUNDS):
        system.aim(EPS, centre, system.opening() if coulomb else None)
        gamma, velocity = _reach(system, TOLERANCE * share, warm.cache)
        residual = _miss(system, gamma, velocity, coulomb) / share
        if residual <= RESIDUAL:
            status = "converged"
            break
        centre = gamma.copy()
        system.base[:], system.work.v[:] = velocity, 0.0
    return _ungrouped(gamma, order), Report(
        velocity, system.iterations, system.factorizations, status, residual, 0.0, 0.0
    )


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
