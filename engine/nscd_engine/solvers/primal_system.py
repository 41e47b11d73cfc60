"""The step problem as Newton's method and interior points take it: grouped contacts, factor, arrays, iterations.

docs/methods.md, section 2.
"""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.structs import Problem
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.kernels.solvers.hessian import (
    GroupedContacts,
    assemble,
    inertial_gradient,
    relative_velocities,
    soften,
    subtract_impulses,
)
from nscd_engine.kernels.solvers.newton_step import advance, evaluate, greatest_pull, greatest_terms
from nscd_engine.kernels.solvers.pair_grouping import runs
from nscd_engine.linalg.choice import is_iterated
from nscd_engine.linalg.conjugate_gradients import ConjugateGradients
from nscd_engine.linalg.factor import factorised, fitting_factor, solve_factored, symbolic
from nscd_engine.solvers.parts import Parts, number_of_parts
from nscd_engine.solvers.primal.loose_blocks import FEWEST, LEFT, SHORT_STEP, LooseBlocks, held_back, step_length
from nscd_engine.solvers.workspace import Workspace

#: Weight of the residual in velocities against that in impulses [-]. Larger: light blocks between heavy ones that slide
#: do not converge. Smaller: their velocities are less exact.
VELOCITY_WEIGHT = 0.1
#: Imbalance after an iteration over that before it, below which the factor serves the next one too [-]. Larger: more
#: iterations with a factor that no longer fits. Smaller: more factorisations.
FACTOR_FITS = 1e-3
#: The same in rounds of a problem that changes little from one to the next (Tresca's law) [-]: the line search makes up
#: for a factor that fits only about.
ROUNDS_FIT = 0.6
#: Error of a direction by conjugate gradients over the direction [-]. Larger: more iterations of Newton's method.
#: Smaller: more products with the matrix for hardly fewer of them.
ACCURACY = 1e-4
#: Width over which stiffnesses are softened after a short step, over the imbalance [-]: contacts that close to a change
#: of state are taken for stiffer than they are. Larger: convergence is slower at the end. Smaller: single blocks that
#: come loose shorten all steps.
SOFT_SHARE = 0.01
#: Rounding of a number [-].
ROUNDING = float(np.finfo(float).eps)
#: Roundings that add up in a component of the gradient [-]: a dozen contacts a body, each of a few sums. Larger: the
#: base is moved more often than it need be. Smaller: the gradient stays above its tolerance, and iterations are wasted.
CHANGE_ROUNDINGS = 16.0
#: Roundings of the impulses between two bodies that add up in their sum [-], as measured on tall walls.
SUM_ROUNDINGS = 4.0


class System:
    """A step problem with its arrays. Velocities are a base plus `work.v`, the change since the last `rebase`.

    The relative velocity of a contact that sticks is a difference of large numbers, divided by a small compliance. It
    is counted from a base whose own relative velocity is computed once, so that its rounding does not change from
    iteration to iteration, and the gradient falls as far as it should.

    Parameters
    ----------
    problem : Problem
    workspace : Workspace, optional
        Arrays and factor structure of an earlier problem are used if they fit.
    monitor : Monitor, optional
    threads : int, optional
        0: as many as the machine has.
    before : array (N, 6), optional
        Velocities before the step [m/s, rad/s]. Imbalances are then measured by the external impulse of the step on
        every body, not by the greatest free impulse of all.
    iterative : bool, optional
        Solve linear systems by conjugate gradients where the factor would take longer or not fit in memory.
    softened : bool, optional
        Where steps are short, soften the jumps of stiffnesses and solve the blocks that make them so by themselves: for
        problems in which most contacts change their state.

    Attributes
    ----------
    work : Work
        Arrays of the iterations.
    size : float
        Greatest imbalance of a body over its unit [-].
    iterations, factorizations : int
        Spent so far.
    """

    def __init__(
        self,
        problem: Problem,
        workspace: Optional[Workspace] = None,
        monitor: Optional[Monitor] = None,
        threads: int = 1,
        before: Optional[np.ndarray] = None,
        iterative: bool = False,
        softened: bool = False,
    ) -> None:
        self.problem, self.monitor, self.threads = problem, monitor, Threads(threads)
        self.iterative, self.softened = iterative, softened
        inverse = operators.inverse_inertia(problem)
        self.inverse, self.w = inverse, operators.mobility(problem, inverse)
        self.scale = residuals.free_impulse(problem, self.w)
        self._set_units(before)
        self._set_structure(workspace or Workspace())
        self.in_order = bool((self.grouped.contact == np.arange(len(self.w))).all())  # groups as in the problem
        self.compliance, self.bias = self.grouped_rows(problem.compliance), self.grouped_rows(problem.bias)
        self.base = np.zeros_like(self.work.v)
        self.gradients = ConjugateGradients(self.sym, self.threads) if is_iterated(self.sym) else None
        self.products = 0  # of conjugate gradients
        self.iterations = self.factorizations = 0
        self.eps = 0.0
        self.spread = False  # steps have been short since the last `regularise`, or are expected to be
        self.bounded = False  # friction is bounded by numbers
        self.factored: Optional[float] = None  # eps of the factor in `work`

    # -- of rigid bodies; `deformable_system` has its own --------------------------------------------------------------

    def _set_structure(self, workspace: Workspace) -> None:
        """Structure of the factor, grouped contacts, and arrays."""
        problem = self.problem
        self.sym = workspace.factor_structure(problem.body, len(problem.mass), self.monitor, self.iterative)
        self.grouped = _group(problem, self.w, self.sym)
        several = number_of_parts(len(self.w)) > 1
        self.parts = Parts(problem, self.grouped, self.threads) if several else None
        self.work = workspace.newton_arrays(len(self.w), len(problem.mass), self.sym)
        self.shifted = problem

    def relative_velocities(self, v: np.ndarray, u: np.ndarray) -> None:
        """u = J v [m/s] (C, 3) of the grouped contacts; v (N, 6)."""
        relative_velocities(self.grouped, v, u)

    def gradient(self, v: np.ndarray, gamma: np.ndarray, g: np.ndarray) -> None:
        """g = M (v - v_free) - J^T gamma, v being counted from rest."""
        inertial_gradient(self.problem, v, g)
        subtract_impulses(self.grouped, gamma, g)

    def subtract_impulses(self, gamma: np.ndarray, g: np.ndarray) -> None:
        """g -= J^T gamma."""
        subtract_impulses(self.grouped, gamma, g)

    def _shift(self) -> None:
        """Count the free velocity from the base."""
        self.shifted = self.problem._replace(v_free=self.problem.v_free - self.base)

    def shifted_gradient(self) -> None:
        """Gradient at the current velocity and impulses, into work.g."""
        inertial_gradient(self.shifted, self.work.v, self.work.g)
        subtract_impulses(self.grouped, self.work.gamma, self.work.g)

    def evaluate(self) -> float:
        """Impulses, stiffness and gradient at work.v, into `work`; the greatest imbalance over its unit [-]."""
        if self.parts is not None:
            return self.parts.evaluate(self.shifted, self.work, self.unit)
        return evaluate(self.shifted, self.grouped, self.work, self.unit)

    def _advance(self) -> float:
        if self.parts is not None:
            return self.parts.advance(self.shifted, self.work, self.unit)
        return advance(self.shifted, self.grouped, self.work, self.unit)

    def _assemble(self, problem: Problem) -> None:
        """Hessian for the stiffness in work.G, into work.factor."""
        if self.parts is not None:
            self.parts.assemble(problem, self.work.G, self.sym, self.work.factor)
        else:
            assemble(problem, self.grouped, self.work.G, self.sym, self.work.factor)

    def _greatest_pull(self) -> float:
        return greatest_pull(self.grouped, self.work, self.unit)

    def _greatest_terms(self) -> Tuple[float, float]:
        return greatest_terms(self.grouped, self.work, self.unit)

    def slip(self, velocity: np.ndarray) -> np.ndarray:
        """J v [m/s] (C, 3) of velocities (N, 6), in the order of the problem."""
        return operators.relative_velocity(self.problem, velocity)

    def mobility(self) -> np.ndarray:
        """Velocity of a contact for an impulse [m/s / (N s)] (C,): what residuals are measured with."""
        return self.w

    def imbalance(self, impulses: np.ndarray, velocity: np.ndarray) -> float:
        """Greatest imbalance of a body with impulses (C, 3) and velocities (N, 6) over that of the heaviest [-]."""
        unit = np.full(len(velocity), self.greatest)
        return residuals.out_of_balance(self.problem, impulses, velocity, unit)

    # -- of any bodies -------------------------------------------------------------------------------------------------

    def _set_units(self, before: Optional[np.ndarray]) -> None:
        """Units of imbalance [N s] (N,); external impulses of the step, of every body (N,) and the greatest."""
        if before is None:
            self.greatest = self.scale
            self.own = self.unit = np.full(len(self.problem.mass), self.scale)
        else:
            self.own, self.greatest = residuals.external_impulses(self.problem, before)
            self.unit = residuals.balance_unit(self.problem, self.own, self.greatest)

    def regularise(self, eps: float, centre: Optional[np.ndarray] = None, opening: Optional[np.ndarray] = None) -> None:
        """Choose the regularised problem, and evaluate it at the current velocity.

        Parameters
        ----------
        eps : float
            Compliance over the mobility of a contact [-].
        centre : array (C, 3), optional
            Impulses about which the compliance acts, grouped [N s]; 0 otherwise.
        opening : array (C,), optional
            De Saxce's opening mu |u_t| of the contacts, grouped [m/s]; 0 otherwise.
        """
        soft = eps * self.grouped.w[:, None]
        self.eps, self.spread = eps, self._has_rounds()
        np.add(self.compliance, soft, out=self.work.e)
        self.pull = -self.bias
        if centre is not None:
            self.pull += soft * centre
        if opening is not None:
            self.pull[:, 0] -= opening
        self.rebase()

    def bound_friction(self, bound: Optional[np.ndarray]) -> None:
        """Bound friction by numbers [N s] (C,), grouped (Tresca); None: by the cone. `regularise` must follow."""
        self.work.bound[:] = -1.0 if bound is None else bound
        self.bounded = bound is not None

    def _has_rounds(self) -> bool:
        """True if problems change little from round to round, and contacts that slide no longer press others."""
        return self.softened and self.bounded

    def friction_bounds(self) -> np.ndarray:
        """mu times the normal impulses [N s] (C,), grouped: bounds of which Coulomb's friction is the fixed point."""
        return self.grouped.friction * np.maximum(self.work.gamma[:, 0], 0.0)

    def rebase(self) -> None:
        """Make the current velocity the base, and evaluate gradient and rounding there."""
        work = self.work
        self.base += work.v
        work.v[:] = 0.0
        self._shift()
        self.relative_velocities(self.base, work.du)
        np.subtract(self.pull, work.du, out=work.target)
        self.size = self.evaluate()
        self.floor = 4.0 * ROUNDING * self._greatest_pull()

    def start_at(self, velocity: np.ndarray) -> None:
        """Take velocities (N, 6) for the change since the base; `regularise` must follow."""
        self.work.v[:] = velocity

    def start_at_rest(self) -> None:
        """Take 0 for all velocities."""
        self.base[:] = self.work.v[:] = 0.0

    def try_start(self, step: np.ndarray) -> None:
        """Begin at base + step (N, 6) instead of the base, if the gradient is smaller there."""
        self.work.v[:] = step
        size = self.evaluate()
        if size < self.size:
            self.size = size
        else:
            self.work.v[:] = 0.0
            self.evaluate()

    def descend(self, tolerance: float, most: int, share: float = 0.0) -> bool:
        """At most so many Newton iterations, to an imbalance of `tolerance` over the units; True if reached.

        It ends at `share` of the greatest momentum too, which the next regularisation takes away.
        """
        least = tolerance
        for k in range(most):
            if share:
                tolerance = max(least, share * self._momentum())
            if self.size <= max(tolerance, self.floor) or self._is_rounding(tolerance):
                return True
            if self.monitor is not None:
                self.monitor.report("solving at eps {:g}, iteration {}".format(self.eps, self.iterations + 1))
            if not self._find_factor(k == 0):
                return False
            before = self.size
            self.solve_linear(-self.work.g, self.work.d)
            step = self._step()
            self.count_iteration()
            short = self.softened and step < SHORT_STEP
            goal = max(tolerance, self.floor)
            if (short or self.spread) and self.size > goal and len(self.unit) >= FEWEST:
                self._settle_loose(short, max(LEFT * min(self.size, before), goal))
            self.spread = self.spread or short
            self._judge_factor(before)
        return self.size <= max(tolerance, self.floor)

    def _find_factor(self, first: bool) -> bool:
        """The factor of the iteration before, if it still fits, or a new one; False if there is none.

        In the first iteration that of the round before is often good enough.
        """
        if self.factored == self.eps and (first or self._has_rounds()):
            self.factored = None
            return True
        if self.spread:
            soften(self.grouped.friction, self.work, SOFT_SHARE * self.size * self.scale)
        if self.factorise():
            self.factored = self.eps
            return True
        return False

    def _judge_factor(self, before: float) -> None:
        """Decide after an iteration, with the imbalance before it, whether the factor may serve another."""
        lasting = self._has_rounds()
        if self.size < (ROUNDS_FIT if lasting else FACTOR_FITS) * before:
            self.factored = self.eps
        elif lasting:
            self.discard_factor()
        if self.spread and not lasting:
            self.discard_factor()

    def _settle_loose(self, short: bool, goal: float) -> None:
        """Solve the blocks that hold the others back by themselves, to an imbalance `goal` over their units."""
        bodies = held_back(self.grouped, self.work, short)
        if not len(bodies):
            return
        loose = LooseBlocks(self.shifted, self.grouped, self.work, self.unit, bodies)
        loose.descend(goal, SOFT_SHARE * self.scale, self.monitor)
        self.work.v[bodies] = loose.work.v
        self.size = self.evaluate()

    def _momentum(self) -> float:
        """Greatest momentum of a body over its unit [-]."""
        speed = np.abs(self.velocity()[:, :3]).max(axis=1, initial=0.0)
        return float((self.problem.mass * speed / self.unit).max(initial=0.0))

    def _step(self) -> float:
        """Advance along the direction in work.d; the length of the step over the direction [-]."""
        start = self.work.v.copy() if self.softened else None
        self.size = self._advance()
        if start is None:
            return 1.0
        return step_length(start, self.work)

    def _is_rounding(self, tolerance: float) -> bool:
        """True if the imbalance is only rounding. Velocities whose rounding exceeds the tolerance join the base."""
        change, sums = self._greatest_terms()
        if CHANGE_ROUNDINGS * ROUNDING * change > tolerance:
            self.rebase()
        return self.size <= max(tolerance, self.floor, SUM_ROUNDINGS * ROUNDING * sums)

    def aimed(self) -> np.ndarray:
        """Impulses before their projection, (target - u) / e [N s] (C, 3), in the order of the problem."""
        return self.ungrouped(self.aims())

    def aims(self) -> np.ndarray:
        """`aimed`, of the grouped contacts."""
        y = self.work.target - self.work.u
        y[:, :1] /= self.work.e[:, :1]
        y[:, 1:] /= self.work.e[:, 1:]
        return y

    def count_iteration(self, number: int = 1) -> None:
        """Count an iteration, or several, of whatever method."""
        self.iterations += number

    def discard_factor(self) -> None:
        """Do not use the factor in `work` any more."""
        self.factored = None

    def keep(self) -> None:
        """Remember velocities and impulses, for `restore`."""
        self.kept = self.velocity(), self.work.gamma.copy()

    def restore(self) -> None:
        """Go back to the velocities and impulses of the last `keep`; `regularise` must follow."""
        self.move_to(*self.kept)

    def move_to(self, velocity: np.ndarray, gamma: np.ndarray) -> None:
        """Take velocities (N, 6) and impulses (C, 3, grouped) for the current state; `regularise` must follow."""
        self.base[:], self.work.gamma[:] = velocity, gamma
        self.work.v[:] = 0.0

    def opening(self) -> np.ndarray:
        """De Saxce's opening mu |u_t| [m/s] (C,) of the grouped contacts at the current velocity."""
        u = np.empty_like(self.work.u)
        self.relative_velocities(self.velocity(), u)
        u += self.bias + self.compliance[:, [0, 1, 1]] * self.work.gamma  # elastic motion is not slip
        return self.grouped.friction * np.hypot(u[:, 1], u[:, 2])

    def factorise(self, problem: Optional[Problem] = None) -> bool:
        """Hessian for the stiffness in work.G, and its factor; False if rounding has made it indefinite.

        `problem` may have other masses and inertias than that of the system.
        """
        self._assemble(problem or self.problem)
        if self.gradients is not None:
            return self.gradients.prepare(self.work.factor)
        self.factorizations += 1
        return factorised(self.sym, self.work.factor, self.work.arena, self.threads, self.monitor)

    def solve_linear(self, b: np.ndarray, x: np.ndarray) -> None:
        """x = H^-1 b (N, 6), by the factor of the last `factorise`, or about, by conjugate gradients.

        Where these take too long the factor takes over, if it fits in memory; otherwise x is a direction of descent.
        """
        if self.gradients is not None:
            found = self.gradients.solve(b, x, ACCURACY, self.monitor)
            self.products = self.gradients.iterations
            if found or not (self.use_factor() and self.factorise()):
                return
        self.solve_factored(b, x)

    def solve_factored(self, b: np.ndarray, x: np.ndarray) -> None:
        """x = H^-1 b (N, 6), by the factor of the last `factorise`."""
        solve_factored(self.sym, self.work.factor, self.work.arena, b, x, self.threads)

    def use_factor(self) -> bool:
        """Factorise from now on instead of conjugate gradients; False if the factor does not fit in memory."""
        if self.gradients is None:
            return True
        sym = fitting_factor(self.sym, self.monitor)
        if sym is None:
            return False
        self.sym, self.gradients = sym, None
        self.work = self.work._replace(factor=np.empty(int(sym.panel_start[-1])), arena=np.empty(sym.arena))
        self.discard_factor()
        return True

    def velocity(self) -> np.ndarray:
        """Current velocities [m/s, rad/s] (N, 6)."""
        return self.base + self.work.v

    def impulses(self) -> np.ndarray:
        """Current impulses [N s] (C, 3), in the order of the problem."""
        return self.ungrouped(self.work.gamma)

    def ungrouped(self, gamma: np.ndarray) -> np.ndarray:
        """Impulses (C, 3) of the grouped contacts, in the order of the problem."""
        if self.in_order:
            return gamma.copy()
        impulses = np.empty_like(gamma)
        impulses[self.grouped.contact] = gamma
        return impulses

    def grouped_rows(self, values: np.ndarray) -> np.ndarray:
        """Values (C, ...) of the contacts of the problem, of the grouped contacts; they are not to be changed."""
        return values if self.in_order else values[self.grouped.contact]

    def residual(self, coulomb: bool) -> float:
        """Natural map of the current impulses, over the free impulse or over the free velocity [-].

        The greater of the two (docs/methods.md, section 4.1): the first alone does not see a light block under a heavy
        one. Where the second is only the rounding of the heavy block's weight it does not count. Velocities are wanted
        to one digit less than impulses: those of light blocks between heavy ones that slide have no more.
        """
        impulses = self.impulses()
        velocity = operators.velocity_after(self.problem, impulses, self.inverse)
        u = operators.relative_velocity(self.problem, velocity)
        by_impulse = residuals.natural_map(self.problem, impulses, u, self.w, coulomb)
        by_velocity = residuals.natural_map_velocity(self.problem, impulses, u, self.w, coulomb)
        slip, fall = VELOCITY_WEIGHT * by_velocity, residuals.free_velocity(self.problem)
        rounding = 8.0 * np.finfo(float).eps * np.abs(impulses).max(initial=0.0) * self.w.max(initial=0.0)
        return slip if slip > by_impulse and slip * fall > VELOCITY_WEIGHT * rounding else by_impulse


def structure(problem: Problem, w: np.ndarray) -> Tuple[GroupedContacts, Any]:
    """The grouped contacts with mobilities w (C,), and the structure of the factor."""
    sym = symbolic(problem.body, len(problem.mass))
    return _group(problem, w, sym), sym


def _group(problem: Problem, w: np.ndarray, sym: Any) -> GroupedContacts:
    """The contacts by pairs; reordered only if the contacts of a pair are not all consecutive."""
    body, contact = problem.body, np.arange(len(w))
    start, slot, repeated = runs(body, sym.pair_start, sym.other)
    fields = [problem.arm, problem.frame, problem.friction, w]
    if repeated:
        contact = np.lexsort((body[:, 1], body[:, 0]))
        body = body[contact]
        start, slot, _ = runs(body, sym.pair_start, sym.other)
        fields = [field[contact] for field in fields]
    return GroupedContacts(body[start[:-1]].astype(np.int64), start, slot, contact, *fields)
