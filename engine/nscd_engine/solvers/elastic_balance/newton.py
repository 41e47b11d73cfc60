"""The balance of deformable bodies by Newton's method (docs/deformable.md): the limit of the step.

Rounds of the method of multipliers: the compliance of a contact acts on the change of its impulse since the round
before, and inertia on the change of the displacement, so that the effect of both vanishes. What is left is elasticity,
contact and friction. With Coulomb friction the rounds also renew the bounds of friction.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.kernels.solvers import residuals
from nscd_engine.solvers import interior_point
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.elastic_balance.balance import AT_REST, Balance, momentum, status_of

#: Compliance of a contact over that of the nodes beside it, for interior points [-]. Larger: their impulses are a worse
#: centre of the rounds. Smaller: rounding stops them.
INTERIOR_EPS = 1e-7
#: The same in the rounds about these impulses, at first and after a slow round [-]. Larger: more rounds. Smaller: more
#: iterations in each, and rounding shows.
EPS, FINER_EPS = 1e-4, 1e-6
#: Residual after a round over that before it from which the round was slow [-].
SLOW = 0.2
#: The same in rounds that renew the bounds of friction [-]: the first bounds are those of another law, and are reached
#: by steps. Smaller: Newton's method takes many iterations. Larger: more rounds.
COULOMB_EPS = (1e-1, 1e-2, 1e-3, 1e-4)
#: Complementarity over that at the start at which Newton's method takes over from interior points [-]. Larger: more
#: Newton iterations. Smaller: more of interior points.
GAP = 1e-9
#: Imbalance at which a round ends, at least, and over the residual before it [-].
BALANCED, ENOUGH = 1e-11, 1e-2
#: The same of the first round, and on the way to the first bounds of friction [-].
FIRST, ROUGH = 1e-8, 1e-6
#: Iterations of Newton's method in a round [-].
PATIENCE = 40
#: Residual at which forces are exact enough [-]. Smaller: where more contacts are closed than forces can be told apart,
#: rounds go on for little.
EXACT = 1e-9
#: Rounds with associated friction [-]: each takes off one to three digits. With Coulomb's as many as it needs, at most:
MOST_ROUNDS, MOST_COULOMB_ROUNDS = 8, 60
#: Rounds in a row without a smaller residual after which the bounds of friction will not settle [-].
MOST_SLOW_ROUNDS = 15
#: Rounds that Newton's method may leave unfinished [-]. More: structures whose bounds do not settle take long.
MOST_LOST = 4


def solve(system: DeformableSystem, mass: np.ndarray, settings: Settings) -> Balance:
    """The balance.

    Parameters
    ----------
    system : DeformableSystem
        Whose force is that of weight and loads.
    mass : array (T, 6, 6)
        Blocks of M.
    settings : Settings
    """
    load = system.force
    system.regularise(INTERIOR_EPS)
    impulses = interior_point.descend(system, GAP)
    system.move_to(system.velocity(), impulses)
    system.regularise(EPS, impulses)
    system.descend(FIRST, PATIENCE)
    found = _rounds(system, load, mass, coulomb=False)
    if settings.friction != "coulomb" or system.residual(True) <= EXACT:
        return found
    _take_bounds(system)
    bounded = _rounds(system, load, mass, coulomb=True)
    if bounded.status == "converged":
        return bounded
    return found._replace(iterations=bounded.iterations, factorizations=bounded.factorizations, status="associated")


def _rounds(system: DeformableSystem, load: np.ndarray, mass: np.ndarray, coulomb: bool) -> Balance:
    """Rounds until the residual is small and nothing moves, from a solution of the regularised problem."""
    fall = residuals.free_velocity(system.problem) or 1.0
    eps, most = (COULOMB_EPS[-1], MOST_COULOMB_ROUNDS) if coulomb else (EPS, MOST_ROUNDS)
    before, best, slow, lost, residual = np.zeros_like(load), np.inf, 0, 0, np.inf
    for _ in range(most):
        last, residual = residual, system.residual(coulomb)
        drift = float(np.abs(system.velocity() - before).max(initial=0.0)) / fall
        slow, best = (0, residual) if residual < best else (slow + 1, best)
        if (residual <= EXACT and drift <= AT_REST) or slow == MOST_SLOW_ROUNDS or lost == MOST_LOST:
            break
        before = system.velocity()
        if coulomb:
            system.bound_friction(_bounds(system))
        elif residual > SLOW * last:
            eps = FINER_EPS
        system.set_force(load + momentum(mass, before))
        system.regularise(eps, system.work.gamma.copy())
        lost += not system.descend(max(BALANCED, ENOUGH * residual), PATIENCE)
    counts = system.iterations, system.factorizations
    return Balance(system.velocity(), system.impulses(), residual, drift, *counts, status_of(residual, drift))


def _take_bounds(system: DeformableSystem) -> None:
    """Move from associated friction to friction that is bounded by mu times its normal impulses."""
    system.bound_friction(_bounds(system))
    for eps in COULOMB_EPS:
        system.regularise(eps)
        system.descend(ROUGH, PATIENCE)


def _bounds(system: DeformableSystem) -> np.ndarray:
    """mu times the normal impulses [N s] (C,): friction of Tresca's law, of which Coulomb's is the fixed point.

    De Saxce's opening, which rigid blocks take, does not converge here: sliding that dilates presses elastic blocks
    with forces far beyond those that act.
    """
    return system.problem.friction * np.maximum(system.work.gamma[:, 0], 0.0)
