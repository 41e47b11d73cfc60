"""Coulomb friction where something slides: the fixed point s = mu |u_t| of De Saxce's form (METHODS M3), accelerated.

Taking over s as it is found diverges where many joints slide at once (a wall pushed far beyond its limit); half of the
change converges, and Anderson's extrapolation from the last few rounds makes it three times faster.
"""

import numpy as np

from nscd_engine.kernels.solvers import residuals
from nscd_engine.solvers import interior_point

#: Regularisation of the rounds [-]: softer than without Coulomb's law, since each round starts from another opening.
EPS = 1e-5
#: Where blocks wedge, impulses grow by little a round: every so many slow rounds one is so much finer [-].
LEAP_EVERY, LEAP = 4, 0.1
#: Rounds that the extrapolation looks back [-].
MEMORY = 3
#: Change of the opening over the free velocity from which hard problems are solved afresh, by interior points [-].
FAR = 1e-3
#: Gradient over the change of the opening at which a round is done [-].
INNER = 1e-4
#: Iterations of Newton's method in a round [-].
PATIENCE = 30
#: Rounds in a row without a smaller residual, and all rounds [-].
MOST_SLOW_ROUNDS, MOST_ROUNDS = 24, 200


class Opening:
    """mu |u_t| as the rounds take it (C,) [m/s]."""

    def __init__(self, first):
        self.now, self.share = first, 1.0
        self.tried, self.missed = [], []

    def update(self, found):
        """Next guess, from what the last one led to; greatest difference of the two [m/s]."""
        miss = found - self.now
        size = np.abs(miss).max(initial=0.0)
        if self.share == 1.0 and self.missed and size > 0.5 * np.abs(self.missed[-1]).max(initial=0.0):
            self.share, self.tried, self.missed = 0.5, [], []
        self.tried, self.missed = self.tried[-MEMORY:] + [self.now], self.missed[-MEMORY:] + [miss]
        step = self.share * miss
        if len(self.missed) > 1 and np.isfinite(size):
            d_miss = np.array([miss - other for other in self.missed[:-1]])
            d_tried = np.array([self.now - other for other in self.tried[:-1]])
            weight = np.linalg.lstsq(d_miss @ d_miss.T, d_miss @ miss, rcond=1e-14)[0]
            step -= weight @ (d_tried + self.share * d_miss)
        self.now = np.maximum(self.now + step, 0.0)
        return size


def rounds(system, tolerance, most, hard):
    """Proximal rounds with another opening each, from the velocities and impulses at hand; the status."""
    opening, fall = Opening(system.opening()), residuals.free_velocity(system.problem) or 1.0
    change, slow, best = 1.0, 0, system.residual(True)
    for _ in range(MOST_ROUNDS):
        if best <= tolerance:
            return "converged"
        if system.iterations > most or slow == MOST_SLOW_ROUNDS:
            break
        system.aim(EPS if (slow + 1) % LEAP_EVERY else LEAP * EPS, system.work.gamma.copy(), opening.now)
        goal = max(0.1 * tolerance, min(INNER * change, INNER))
        if hard and change > FAR or not system.descend(goal, PATIENCE):
            hard = True
            interior_point.descend(system)
            system.descend(goal, PATIENCE)
        change = opening.update(system.opening()) / fall
        residual = system.residual(True)
        slow = slow + 1
        if residual < best:
            best, slow = residual, 0
            system.keep()
    system.restore()
    return "stalled" if slow == MOST_SLOW_ROUNDS else "exhausted"
