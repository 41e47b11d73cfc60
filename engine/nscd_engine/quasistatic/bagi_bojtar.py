"""Bagi and Bojtar: Newton's method for all elements at once, with K + diag(rho).

The paper's matrix is symmetric. Where contacts slide, friction follows the normal force: the direction is found with
this coupling, by GMRES with the factor of the symmetric matrix. Where this fails, the bound of friction is held while
all elements are balanced, which is a convex problem, and follows in rounds (docs/quasistatic.md).
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.quasistatic import QuasistaticQuestion
from nscd_engine.kernels.quasistatic.springs import SLIDE
from nscd_engine.quasistatic.stiffness import Stiffness
from nscd_engine.quasistatic.system import System

#: Work of the errors at the end of a step, against and over that at its beginning, that does not shorten it [-].
#: Larger: steps swing about the balance. Smaller: short steps, many evaluations.
OVERSHOT = 0.5
#: How often a step is shortened [-].
SHORTENED = 25
#: Share of a step below which it was much shortened [-].
SHORT = 0.25
#: Factor on the regularisation after such a step, and the greatest one over the mean stiffness [-].
STIFFER, MOST_RHO = 10.0, 0.1
#: Iterations without improvement after which friction is held, and after which held friction is given up [-].
PATIENCE, HELD_PATIENCE = 8, 60
#: Rounds of held friction [-]. Fewer: increments with much sliding are halved in vain.
ROUNDS = 60
#: Share of the change of the normal forces by which the bounds follow [-]. One: they swing where contacts are stiff.
FOLLOWS = 0.5
#: Error with friction that follows, below which Newton's method is tried again [-].
NEAR = 0.1
#: Tolerance of a round over that of the increment, and over the error with friction that follows [-]. Smaller: rounds
#: are balanced more exactly than their bounds deserve.
CLOSER, EXACT = 0.1, 0.03
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
        start, force = self.system.step.copy(), self._elastic_force()
        settled, done = self._iterate(self.tolerance, PATIENCE, self.most)
        if settled or not self._slides():
            return (settled, done) if settled else self._more(done)
        self.system.step[:] = start
        return self._with_held_friction(done, force)

    def _slides(self) -> bool:
        """Whether any contact slides."""
        return bool((self.system.state.status == SLIDE).any())

    def _more(self, done: int) -> tuple[bool, int]:
        """Go on with more patience: there is no friction to hold."""
        settled, more = self._iterate(self.tolerance, HELD_PATIENCE, self.most - done)
        return settled, done + more

    def _elastic_force(self) -> np.ndarray:
        """Normal forces (C,) [N] if no contact changed: the first guess of what bounds friction."""
        system = self.system
        start = system.step.copy()
        system.evaluate()
        self.stiffness.factorise()
        system.advance(self.stiffness.solve(system.residual()))
        system.evaluate()
        force = system.state.force[:, 0].copy()
        system.step[:] = start
        return force

    def _with_held_friction(self, done: int, force: np.ndarray) -> tuple[bool, int]:
        """Rounds in which the bound of friction is that of the round before; at first that of normal forces (C,)."""
        system, state = self.system, self.system.state
        error = 1.0
        for _ in range(ROUNDS):
            state.bound[:] = _bounds(system, force)
            enough = max(CLOSER * self.tolerance, min(EXACT * error, EXACT))
            settled, spent = self._iterate(enough, HELD_PATIENCE, self.most - done)
            done += spent
            force = force + FOLLOWS * (state.force[:, 0] - force)
            state.bound[:] = -1.0
            error = system.evaluate()
            if not settled:
                break
            if error > NEAR:
                continue
            kept = system.step.copy()
            settled, spent = self._iterate(self.tolerance, PATIENCE // 2, self.most - done)
            done += spent
            if settled or done >= self.most:
                return settled, done
            system.step[:] = kept
        return False, done

    def _iterate(self, tolerance: float, patience: int, most: int) -> tuple[bool, int]:
        """Newton's iterations until the errors do not improve any more; whether they are small, and how many."""
        system = self.system
        error = system.evaluate()
        self.stiffness.rho = self.rho
        best, since = error, 0
        for done in range(max(most, 0)):
            if error <= tolerance:
                return True, done
            if since > patience:
                return False, done
            self.monitor.report("balancing, iteration {}".format(done + 1))
            self.stiffness.factorise()
            error = self._advance(self.stiffness.direction(system.residual()))
            best, since = (error, 0) if error < BETTER * best else (best, since + 1)
        return error <= tolerance, max(most, 0)

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
        self._regularise(length)
        return error

    def _regularise(self, length: float) -> None:
        """More regularisation after a step that was much shortened, less after a whole one."""
        if length < SHORT:
            self.stiffness.rho = min(STIFFER * self.stiffness.rho, MOST_RHO)
        elif length == 1.0:
            self.stiffness.rho = max(self.stiffness.rho / STIFFER, self.rho)


def _bounds(system: System, force: np.ndarray) -> np.ndarray:
    """Greatest shear (C,) [N] at normal forces (C,)."""
    return system.contacts.friction * np.maximum(-force, 0.0)
