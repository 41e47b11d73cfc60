"""The solver of one step of a motion: Newton's method on the primal, warm from the step before.

The compliance acts on the change of the impulses since the step before (method of multipliers over time): a structure
at rest needs no iteration and does not creep. Where much changes, rounds within the step follow until the impulses fit.
With Coulomb friction the rounds also update the opening mu |u_t| of De Saxce's form.
"""

import numpy as np

from .solution import Report
from .system import System

#: Compliance over trace(W_cc)/3 [-]. Larger: impacts are soft, and more rounds are needed. Smaller: more iterations.
EPS = 1e-3
#: Gradient and residual over the free impulse at which a step is done [-]; the free impulse of a block at rest is that
#: of its weight, so that forces are right to this share of the heaviest block.
TOLERANCE = 1e-4
#: Most iterations of a round, most rounds, most iterations of a step.
PATIENCE, MOST_ROUNDS, MOST_ITERATIONS = 20, 10, 60


def solve(problem, warm, settings, monitor=None):
    """Impulses (C, 3) in the contact frames, and a Report.

    `warm.impulses` are those of the step before, 0 for new contacts; `warm.velocity` where to start.
    """
    coulomb = settings.friction == "coulomb"
    system = System(problem, warm.cache)
    order = system.pairs.contact
    centre = np.zeros((len(order), 3)) if warm.impulses is None else warm.impulses[order]
    if warm.velocity is not None:
        system.base[:] = warm.velocity
    tolerance, status, residual = max(TOLERANCE, settings.tolerance), "stalled", np.inf
    for _ in range(MOST_ROUNDS):
        system.aim(EPS, centre, system.opening() if coulomb else None)
        system.descend(tolerance, PATIENCE)
        residual = system.residual(coulomb)
        if residual <= tolerance:
            status = "converged"
            break
        if system.iterations >= MOST_ITERATIONS:
            status = "exhausted"
            break
        centre = system.work.gamma.copy()
    impulses = system.impulses()
    velocity = system.velocity()
    return impulses, Report(velocity, system.iterations, system.factorizations, status, residual, 0.0, 0.0)
