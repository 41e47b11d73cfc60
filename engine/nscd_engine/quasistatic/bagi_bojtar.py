"""Bagi and Bojtar: Newton's method for all elements at once, with K + diag(rho).

The paper's matrix is symmetric. Where contacts slide, friction follows the normal force: the direction is found with
this coupling, by GMRES with the factor of the symmetric matrix (docs/quasistatic.md).
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
SHORTENED = 6
#: Iterations after which an increment that has not improved is given up [-]. Fewer: increments are halved in vain.
PATIENCE = 25
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
        self.stiffness = Stiffness(system, question.rho, threads)

    def settle(self) -> tuple[bool, int]:
        """Iterate until all elements are in balance; whether they are, and the number of iterations."""
        system = self.system
        error = system.evaluate()
        best, since = error, 0
        for done in range(self.most):
            if error <= self.tolerance:
                return True, done
            if since > PATIENCE:
                return False, done
            self.monitor.report("balancing, iteration {}".format(done + 1))
            self.stiffness.factorise()
            error = self._advance(self.stiffness.direction(system.residual()))
            best, since = (error, 0) if error < BETTER * best else (best, since + 1)
        return error <= self.tolerance, self.most

    def _advance(self, direction: np.ndarray) -> float:
        """Move along a direction, not far beyond the point where the errors do no more work on it; greatest error.

        Along a mechanism they do the same work everywhere, and the whole step is taken.
        """
        system = self.system
        first = float((system.residual() * direction).sum())
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
        return error
