"""The balance of deformable bodies by Newton's method (docs/deformable.md): the limit of the step.

Interior points find the forces to some digits. Then follow rounds of the method of multipliers: the compliance of a
contact acts on the change of its impulse since the round before, and inertia on the change of the displacement, so that
the effect of both vanishes. What is left is elasticity, contact and friction. Coulomb friction, where it differs from
the associated one, is found by ADMM.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.kernels.solvers import residuals
from nscd_engine.solvers import interior_point
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.elastic_balance import admm
from nscd_engine.solvers.elastic_balance.balance import AT_REST, EXACT, Balance, momentum, status_of

#: Compliance of a contact over that of the nodes beside it, for interior points [-]. Larger: their impulses are a worse
#: centre of the rounds. Smaller: rounding stops them.
INTERIOR_EPS = 1e-7
#: The same in the rounds about these impulses, at first and after a slow round [-]. Larger: more rounds. Smaller: more
#: iterations in each, and rounding shows.
EPS, FINER_EPS = 1e-4, 1e-6
#: Residual after a round over that before it from which the round was slow [-].
SLOW = 0.2
#: Complementarity over that at the start at which Newton's method takes over from interior points [-]. Larger: more
#: Newton iterations. Smaller: more of interior points.
GAP = 1e-9
#: Imbalance at which the first round ends, another one at least, and another one over the residual before it [-].
FIRST, BALANCED, ENOUGH = 1e-8, 1e-11, 1e-2
#: Iterations of Newton's method in a round [-].
PATIENCE = 40
#: Most rounds [-]: each takes off one to three digits.
MOST_ROUNDS = 8
#: Most iterations of ADMM if the user names no number [-]: arches take 200 to 700, walls 1500 to 4000.
MOST_COULOMB = 5000


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
    found = _associated(system, load, mass)
    if settings.friction != "coulomb" or system.residual(True) <= EXACT:
        return found
    system.set_force(load)
    most = settings.max_iterations or MOST_COULOMB
    bounded = admm.solve(system, mass, settings._replace(max_iterations=most))
    if bounded.status == "converged":
        return bounded
    return found._replace(iterations=bounded.iterations, factorizations=bounded.factorizations, status="associated")


def _associated(system: DeformableSystem, load: np.ndarray, mass: np.ndarray) -> Balance:
    """The balance with associated friction."""
    system.regularise(INTERIOR_EPS)
    impulses = interior_point.descend(system, GAP)
    system.move_to(system.velocity(), impulses)
    system.regularise(EPS, impulses)
    system.descend(FIRST, PATIENCE)
    fall = residuals.free_velocity(system.problem) or 1.0
    before, eps, residual = np.zeros_like(load), EPS, np.inf
    for _ in range(MOST_ROUNDS):
        last, residual = residual, system.residual(False)
        drift = float(np.abs(system.velocity() - before).max(initial=0.0)) / fall
        if residual <= EXACT and drift <= AT_REST:
            break
        eps = FINER_EPS if residual > SLOW * last else eps
        before = system.velocity()
        system.set_force(load + momentum(mass, before))
        system.regularise(eps, system.work.gamma.copy())
        system.descend(max(BALANCED, ENOUGH * residual), PATIENCE)
    counts = system.iterations, system.factorizations
    return Balance(system.velocity(), system.impulses(), residual, drift, *counts, status_of(residual, drift))
