"""The balance of deformable bodies at rest (docs/deformable.md): the limit of the step.

Rounds of the method of multipliers: the compliance of a contact acts on the change of its impulse since the round
before, and inertia on the change of the displacement, so that the effect of both vanishes. What is left is elasticity,
contact and friction. With Coulomb friction the rounds also renew the bounds of friction.
"""

from __future__ import annotations

from typing import Callable, NamedTuple

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.kernels.solvers import residuals
from nscd_engine.solvers import interior_point
from nscd_engine.solvers.deformable_system import DeformableSystem

#: Compliance of a contact over that of the nodes beside it [-]. Larger: more rounds. Smaller: rounding shows.
EPS = 1e-6
#: The same in rounds that renew the bounds of friction [-]: the first bounds are those of another law, and are reached
#: by steps. Smaller: Newton's method takes many iterations. Larger: more rounds.
COULOMB_EPS = (1e-1, 1e-2, 1e-3, 1e-4)
#: Complementarity over that at the start at which Newton's method takes over from interior points [-]. Larger: more
#: Newton iterations. Smaller: more of interior points.
GAP = 1e-9
#: Imbalance at which a round ends [-].
BALANCED = 1e-11
#: The same on the way to the first bounds of friction [-].
ROUGH = 1e-6
#: Iterations of Newton's method in a round [-].
PATIENCE = 40
#: Residual at which forces are exact enough [-]. Smaller: where more contacts are closed than forces can be told apart,
#: rounds go on for little.
EXACT = 1e-9
#: Rounds with associated friction [-]: each takes off two to five digits. With Coulomb's as many as it needs, at most:
MOST_ROUNDS, MOST_COULOMB_ROUNDS = 4, 60
#: Rounds in a row without a smaller residual after which the bounds of friction will not settle [-].
MOST_SLOW_ROUNDS = 15
#: Rounds that Newton's method may leave unfinished [-]. More: structures whose bounds do not settle take long.
MOST_LOST = 4
#: Residual up to which a solution counts as found [-].
FOUND = 1e-6
#: Speed over the free one up to which inertia has died out [-].
AT_REST = 1e-9


class Balance(NamedTuple):
    """Solution of the elastic problem. T tiles, C contacts."""

    displacement: np.ndarray  # [m] (T, 6): of nodes, or of rigid bodies [m, rad]
    impulses: np.ndarray  # [N s] (C, 3)
    residual: float  # natural map over the free impulse [-]
    drift: float  # speed that is left over the free one [-]: large if the structure does not come to rest
    iterations: int
    factorizations: int
    status: str  # converged, stalled; associated: Coulomb friction was asked for, and its rounds did not settle


def solve(system: DeformableSystem, inertia: Callable[[np.ndarray], np.ndarray], settings: Settings) -> Balance:
    """The balance.

    Parameters
    ----------
    system : DeformableSystem
        Whose force is that of weight and loads.
    inertia : callable
        M v (T, 6) of a velocity v (T, 6).
    settings : Settings
    """
    load = system.force
    system.regularise(EPS)
    interior_point.descend(system, GAP)
    system.descend(BALANCED, PATIENCE)
    found = _rounds(system, load, inertia, coulomb=False)
    if settings.friction != "coulomb" or system.residual(True) <= EXACT:
        return found
    _take_bounds(system)
    bounded = _rounds(system, load, inertia, coulomb=True)
    if bounded.status == "converged":
        return bounded
    return found._replace(iterations=bounded.iterations, factorizations=bounded.factorizations, status="associated")


def _rounds(
    system: DeformableSystem, load: np.ndarray, inertia: Callable[[np.ndarray], np.ndarray], coulomb: bool
) -> Balance:
    """Rounds until the residual is small and nothing moves, from a solution of the regularised problem."""
    fall = residuals.free_velocity(system.problem) or 1.0
    eps, most = (COULOMB_EPS[-1], MOST_COULOMB_ROUNDS) if coulomb else (EPS, MOST_ROUNDS)
    before, best, slow, lost = np.zeros_like(load), np.inf, 0, 0
    for _ in range(most):
        residual = system.residual(coulomb)
        drift = float(np.abs(system.velocity() - before).max(initial=0.0)) / fall
        slow, best = (0, residual) if residual < best else (slow + 1, best)
        if (residual <= EXACT and drift <= AT_REST) or slow == MOST_SLOW_ROUNDS or lost == MOST_LOST:
            break
        before = system.velocity()
        if coulomb:
            system.bound_friction(_bounds(system))
        system.set_force(load + inertia(before))
        system.regularise(eps, system.work.gamma.copy())
        lost += not system.descend(BALANCED, PATIENCE)
    status = "converged" if residual <= FOUND and drift <= AT_REST else "stalled"
    counts = system.iterations, system.factorizations
    return Balance(system.velocity(), system.impulses(), residual, drift, *counts, status)


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
