"""The balance of deformable bodies by ADMM (docs/methods.md, section 5.5): one factor serves many iterations.

    y = J v + b shall be admissible
    v      minimises 1/2 v A v - f . v - gamma . J v + 1/2 |J v + b - y|_R^2: one solve with A + J^T R J
    gamma <- P(gamma - R y'),  y' the relaxed mean of J v + b and the y before;  y is what P adds to that, over R

With Coulomb friction P projects the normal impulse on what presses, and then friction on the disc of mu times that.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.kernels.solvers import residuals
from nscd_engine.kernels.solvers.hessian import project_all
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.elastic_balance.balance import AT_REST, EXACT, Balance, momentum, status_of

#: Compliance 1/R of the penalty over that of the nodes beside a contact, at the start [-].
PENALTY = 0.3
#: Over-relaxation [-], between 1 and 2. Smaller: more iterations. Larger: the iterations oscillate.
RELAXATION = 1.6
#: Iterations between two looks at the residual [-].
LOOK_EVERY = 20
#: Iterations after which the penalty is adapted, each twice as late as the one before [-]: walls want a tenth of what
#: arches want. More often: factorisations, and iterations that begin anew.
ADAPT_AFTER = 40
#: Factors on the penalty that are too small to factorise for [-].
SMALL = (0.6, 1.7)
#: Most iterations if the user names no number [-]. The documentation of `Settings` names this number.
MOST_ITERATIONS = 20000


def solve(system: DeformableSystem, mass: np.ndarray, settings: Settings) -> Balance:
    """The balance, from the unloaded state; parameters as of `newton.solve`."""
    load, coulomb = system.force, settings.friction == "coulomb"
    iterate = _Iterate(system)
    fall = residuals.free_velocity(system.problem) or 1.0
    adapt, best = ADAPT_AFTER, Balance(iterate.v, iterate.gamma, np.inf, np.inf, 0, 0, "stalled")
    for k in range(1, (settings.max_iterations or MOST_ITERATIONS) + 1):
        before = iterate.v
        system.set_force(load + momentum(mass, before))
        iterate.advance(coulomb)
        if k % LOOK_EVERY == 0:
            _tell(system, best.residual)
            residual = system.residual_at(iterate.gamma, iterate.v, coulomb)
            drift = float(np.abs(iterate.v - before).max(initial=0.0)) / fall
            if residual < best.residual:
                best = best._replace(displacement=iterate.v, impulses=iterate.gamma, residual=residual, drift=drift)
            if residual <= EXACT and drift <= AT_REST:
                break
        if k == adapt:
            adapt *= 2
            iterate.adapt()
    best = best._replace(iterations=system.iterations, factorizations=system.factorizations)
    return best._replace(status=status_of(best.residual, best.drift))


def _tell(system: DeformableSystem, residual: float) -> None:
    """Report progress; CancelledError if the monitor is cancelled meanwhile."""
    if system.monitor is not None:
        system.monitor.report("solving (admm), residual {:.0e}".format(residual))


class _Iterate:
    """Velocities v (T, 6), impulses gamma (C, 3) and admissible velocities y (C, 3) of the contacts."""

    def __init__(self, system: DeformableSystem) -> None:
        self.system = system
        self.v, self.gamma = np.zeros_like(system.work.v), np.zeros_like(system.work.gamma)
        self.u = self.y = self.last = system.bias
        self._set_penalty(PENALTY)

    def _set_penalty(self, penalty: float) -> None:
        """Choose R, and factorise."""
        system, work = self.system, self.system.work
        system.start_at_rest()
        system.regularise(penalty)
        self.penalty, self.soft = penalty, penalty * system.grouped.w[:, None]  # 1/R
        work.G[:] = 0.0
        work.G[:, [0, 3, 5]] = 1.0 / self.soft
        system.factorise()
        system.discard_factor()

    def advance(self, coulomb: bool) -> None:
        """One iteration."""
        system, work = self.system, self.system.work
        system.gradient(self.v, self.gamma - (self.u - self.y) / self.soft, work.g)
        system.solve_factored(work.g, work.d)
        self.v = self.v - work.d
        self.u = system.slip(self.v) + system.bias
        relaxed = RELAXATION * self.u + (1.0 - RELAXATION) * self.y
        work.target[:], work.u[:] = self.soft * self.gamma, relaxed
        if coulomb:
            pressed = np.maximum((work.target[:, 0] - work.u[:, 0]) / work.e[:, 0], 0.0)
            system.bound_friction(system.grouped.friction * pressed)
        project_all(system.grouped.friction, work)
        self.last, self.y = self.y, relaxed + self.soft * (work.gamma - self.gamma)
        self.gamma = work.gamma.copy()
        system.count_iteration()

    def adapt(self) -> None:
        """Change R if what is left of J v + b = y and of the balance differ much, both relative."""
        split = np.linalg.norm((self.u - self.y) / self.soft) / np.linalg.norm(self.u / self.soft)
        force = np.linalg.norm((self.y - self.last) / self.soft) / np.linalg.norm(self.gamma)
        factor = float(np.clip(np.sqrt(force / split), 0.1, 10.0)) if split > 0.0 and force > 0.0 else 1.0
        if not SMALL[0] < factor < SMALL[1]:
            self._set_penalty(factor * self.penalty)
