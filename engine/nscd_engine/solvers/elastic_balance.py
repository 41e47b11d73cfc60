"""The balance of deformable bodies at rest (docs/deformable.md): the limit of the step.

Rounds of the method of multipliers: the compliance of a contact acts on the change of its impulse since the round
before, and inertia on the change of the displacement, so that the effect of both vanishes. What is left is elasticity,
contact and friction.
"""

from __future__ import annotations

from typing import Callable, NamedTuple

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.kernels.solvers import residuals
from nscd_engine.solvers import interior_point
from nscd_engine.solvers.de_saxce import Opening
from nscd_engine.solvers.deformable_system import DeformableSystem

#: Compliance of a contact over that of the nodes beside it [-]. Larger: more rounds. Smaller: rounding shows.
EPS = 1e-6
#: Complementarity over that at the start at which Newton's method takes over from interior points [-]. Larger: more
#: Newton iterations. Smaller: more of interior points.
GAP = 1e-9
#: Imbalance at which a round ends [-].
BALANCED = 1e-11
#: Iterations of Newton's method in a round [-].
PATIENCE = 40
#: Residual at which forces are exact enough [-]. Smaller: where more contacts are closed than forces can be told apart,
#: rounds go on for little.
EXACT = 1e-9
#: Rounds with associated friction [-]: each takes off two to five digits. With Coulomb's as many as it needs, at most:
MOST_ROUNDS, MOST_COULOMB_ROUNDS = 4, 60
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
    status: str  # converged, stalled


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
    coulomb = settings.friction == "coulomb"
    load, fall = system.force, residuals.free_velocity(system.problem) or 1.0
    system.regularise(EPS)
    interior_point.descend(system, GAP)
    opening, residual, drift = None, np.inf, np.inf
    for _ in range(MOST_COULOMB_ROUNDS if coulomb else MOST_ROUNDS):
        before = system.velocity() if np.isfinite(drift) else np.zeros_like(load)
        system.descend(BALANCED, PATIENCE)
        if coulomb:
            opening = opening or Opening(np.zeros(len(system.soft)))
            opening.update(system.opening())
        residual = system.residual(coulomb)
        drift = float(np.abs(system.velocity() - before).max(initial=0.0)) / fall
        if residual <= EXACT and drift <= AT_REST:
            break
        system.set_force(load + inertia(system.velocity()))
        system.regularise(EPS, system.work.gamma.copy(), None if opening is None else opening.now)
    status = "converged" if residual <= FOUND and drift <= AT_REST else "stalled"
    counts = system.iterations, system.factorizations
    return Balance(system.velocity(), system.impulses(), residual, drift, *counts, status)
