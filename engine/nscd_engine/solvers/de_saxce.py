"""Coulomb friction where blocks slide: fixed point of De Saxce's opening s = mu |u_t|, with Anderson acceleration.

docs/methods.md, section 3.2. The plain fixed-point iteration diverges where many joints slide at once (a wall pushed
far beyond its limit). Half of the change converges, and Anderson acceleration over the last few rounds makes it three
times faster.
"""

from __future__ import annotations

from nscd_engine.kernels.solvers import residuals
from nscd_engine.solvers import interior_point
from nscd_engine.solvers.fixed_point import FixedPoint
from nscd_engine.solvers.primal_system import System

#: Regularisation of the rounds [-]: larger than for associated friction, since each round starts from another opening.
EPS = 1e-5
#: Slow rounds after which one is finer [-]: where blocks wedge, impulses grow by little a round.
LEAP_EVERY = 4
#: Factor on the regularisation in that round [-].
LEAP = 0.1
#: Change of the opening over the free velocity from which slow problems are solved again by interior points [-].
FAR = 1e-3
#: Imbalance over the change of the opening at which a round ends [-]. Smaller: iterations on an opening that changes.
INNER = 1e-4
#: Iterations of Newton's method in a round [-]; then interior points take over.
PATIENCE = 30
#: Rounds in a row without a smaller residual before the solve stalls [-].
MOST_SLOW_ROUNDS = 24
#: Most rounds [-].
MOST_ROUNDS = 200


def rounds(system: System, tolerance: float, most: int, slow: bool) -> str:
    """Proximal rounds, each with another opening, from the current velocities and impulses; the status.

    `most` is the greatest number of iterations, `slow` whether Newton's method has been slow so far.
    """
    opening, fall = FixedPoint(system.opening()), residuals.free_velocity(system.problem) or 1.0
    change, slow_rounds, best = 1.0, 0, system.residual(True)
    for _ in range(MOST_ROUNDS):
        if best <= tolerance:
            return "converged"
        if system.iterations > most or slow_rounds == MOST_SLOW_ROUNDS:
            break
        eps = EPS if (slow_rounds + 1) % LEAP_EVERY else LEAP * EPS
        system.regularise(eps, system.work.gamma.copy(), opening.now)
        goal = max(0.1 * tolerance, min(INNER * change, INNER))
        if (slow and change > FAR) or not system.descend(goal, PATIENCE):
            slow = True
            interior_point.descend(system)
            system.descend(goal, PATIENCE)
        change = opening.update(system.opening()) / fall
        residual = system.residual(True)
        slow_rounds = slow_rounds + 1
        if residual < best:
            best, slow_rounds = residual, 0
            system.keep()
    system.restore()
    return "stalled" if slow_rounds == MOST_SLOW_ROUNDS else "exhausted"
