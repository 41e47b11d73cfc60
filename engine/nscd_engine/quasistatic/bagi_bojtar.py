"""Bagi and Bojtar: Newton's method for all elements at once, with K + diag(rho).

The paper's matrix is symmetric. Where contacts slide, friction follows the normal force, and the matrix has this
coupling. Where this fails, friction is first bounded by the normal forces of the last increment, which is a convex
problem, and then follows from there in steps that rho keeps short (docs/quasistatic.md).
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.quasistatic import QuasistaticQuestion
from nscd_engine.quasistatic.stiffness import Stiffness
from nscd_engine.quasistatic.system import System

#: Work of the errors at the end of a step, against and over that at its beginning, that does not shorten it [-].
#: Larger: steps swing about the balance. Smaller: short steps, many evaluations.
OVERSHOT = 0.5
#: How often a step is shortened [-].
SHORTENED = 25
#: Share of a step below which it was much shortened [-].
SHORT = 0.5
#: Factors on the regularisation after such a step and after a whole one [-]; measured on 200 to 2,000 discs.
STIFFER, SOFTER = 4.0, 0.5
#: Least regularisation after a step that was much shortened, and the greatest, over the mean stiffness [-].
LEAST_RHO, MOST_RHO = 1e-3, 1.0
#: Regularisation with which friction begins to follow, over the mean stiffness [-]. Smaller: the first steps leave the
#: neighbourhood of the convex solution. Larger: more of them.
CAREFUL = 0.3
#: Iterations without improvement after which Newton's method is given up: at first, and with care [-].
PATIENCE, LONG_PATIENCE = 8, 60
#: Error to which the convex problem is solved [-]: it is a beginning only.
NEAR = 1e-2
#: Errors over the best so far, below which an iteration is an improvement [-].
BETTER = 0.9


class BagiBojtar:
    """Newton's method.

    Parameters
    ----------
    system : System
    question : QuasistaticQuestion
    monitor : Monitor
    threads : int, optional
    """

    def __init__(self, system: System, question: QuasistaticQuestion, monitor: Monitor, threads: int = 1) -> None:
        self.system, self.monitor = system, monitor
        self.tolerance, self.most = question.tolerance, question.max_iterations
        self.rho = question.rho
        self.stiffness = Stiffness(system, question.rho, threads, monitor)

    def settle(self) -> tuple[bool, int]:
        """Iterate until all elements are in balance; whether they are, and the number of iterations."""
        system = self.system
        guessed = bool(system.step[system.moving].any())
        settled, done = self._newton(self.most)
        for attempt in [self._newton] * guessed + [self._with_care]:
            if settled:
                break
            system.step[system.moving] = 0.0
            settled, more = attempt(self.most - done)
            done += more
        return settled, done

    def _newton(self, most: int) -> tuple[bool, int]:
        """Newton's method with little regularisation and little patience; as `settle`."""
        return self._iterate(self.tolerance, PATIENCE, most, self.rho)

    def _with_care(self, most: int) -> tuple[bool, int]:
        """Friction is bounded first, and follows in short steps; as `settle`."""
        done = self._hold_friction(most)
        settled, more = self._iterate(self.tolerance, LONG_PATIENCE, most - done, CAREFUL)
        return settled, done + more

    def _hold_friction(self, most: int) -> int:
        """Balance the elements with friction bounded by the normal forces at the base; the number of iterations.

        Without earlier forces there is no friction.
        """
        state = self.system.state
        state.bound[:] = self.system.contacts.friction * np.maximum(-state.base_force[:, 0], 0.0)
        _, done = self._iterate(NEAR, LONG_PATIENCE, most, self.rho)
        state.bound[:] = -1.0
        return done

    def _iterate(self, tolerance: float, patience: int, most: int, rho: float) -> tuple[bool, int]:
        """Newton's iterations until the errors do not improve any more; whether they are small, and how many."""
        system = self.system
        error = system.evaluate()
        self.stiffness.rho = rho
        best, since = error, 0
        for done in range(max(most, 0)):
            if error <= tolerance:
                return True, done
            if since > patience:
                return False, done
            self.monitor.report("balancing, iteration {}".format(done + 1))
            error = self._advance(self.stiffness.direction(system.residual()))
            best, since = (error, 0) if error < BETTER * best else (best, since + 1)
        return error <= tolerance, max(most, 0)

    def _advance(self, direction: np.ndarray) -> float:
        """Move along a direction, not far beyond the point where the errors do no more work on it; greatest error.

        Along a mechanism they do the same work everywhere, and the whole step is taken.
        """
        system = self.system
        first = abs(float((system.residual() * direction).sum()))
        length = 1.0
        system.advance(direction)
        error = system.evaluate()
        for _ in range(SHORTENED):
            work = float((system.residual() * direction).sum())
            if work >= -OVERSHOT * first:
                break
            shorter = length * min(max(first / (first - work), 0.1), 0.7)
            system.advance(direction, shorter - length)
            length = shorter
            error = system.evaluate()
        self._regularise(length)
        return error

    def _regularise(self, length: float) -> None:
        """More regularisation after a step that was much shortened, less after a whole one."""
        if length < SHORT:
            self.stiffness.rho = min(max(STIFFER * self.stiffness.rho, LEAST_RHO), MOST_RHO)
        elif length == 1.0:
            self.stiffness.rho = max(SOFTER * self.stiffness.rho, self.rho)
