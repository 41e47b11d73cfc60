"""The balance of deformable bodies by ADMM (docs/methods.md, section 5.5): one factor serves all iterations.

    y = J v + b shall be admissible
    v      minimises 1/2 v A v - f . v - gamma . J v + 1/2 |J v + b - y|_R^2: one solve with A + J^T R J
    gamma <- P(gamma - R y'),  y' the relaxed mean of J v + b and the y before;  y is what P adds to that, over R

With Coulomb friction P projects the normal impulse on what presses, and then friction on the disc of mu times that.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.kernels.linalg.cholesky import solve as solve_factored
from nscd_engine.kernels.solvers import residuals
from nscd_engine.kernels.solvers.hessian import project_all
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.elastic_balance.balance import AT_REST, Balance, momentum, status_of

#: Compliance 1/R of the penalty over that of the nodes beside a contact [-], at the start.
PENALTY = 1.0
#: Over-relaxation [-], between 1 and 2. Smaller: more iterations. Larger: the iterations oscillate.
RELAXATION = 1.6
#: Iterations between two looks at the residual [-].
LOOK_EVERY = 20
#: Residual at which forces are exact enough [-].
EXACT = 1e-8
#: Most iterations if the user names no number [-].
MOST_ITERATIONS = 20000


def solve(system: DeformableSystem, mass: np.ndarray, settings: Settings) -> Balance:
    """The balance; parameters as of `newton.solve`."""
    iterate = _Iterate(system, PENALTY)
    load, coulomb = system.force, settings.friction == "coulomb"
    fall = residuals.free_velocity(system.problem) or 1.0
    most = settings.max_iterations or MOST_ITERATIONS
    residual = drift = np.inf
    while system.iterations < most:
        before = iterate.v.copy()
        system.set_force(load + momentum(mass, before))
        iterate.advance(coulomb)
        if system.iterations % LOOK_EVERY == 0:
            residual = system.residual_at(iterate.gamma, iterate.v, coulomb)
            drift = float(np.abs(iterate.v - before).max(initial=0.0)) / fall
            if residual <= EXACT and drift <= AT_REST:
                break
    counts = system.iterations, system.factorizations
    return Balance(iterate.v, iterate.gamma, residual, drift, *counts, status_of(residual, drift))


class _Iterate:
    """Velocities v (T, 6), impulses gamma (C, 3) and admissible velocities y (C, 3) of the contacts."""

    def __init__(self, system: DeformableSystem, penalty: float) -> None:
        work = system.work
        self.system = system
        self.v, self.gamma, self.y = np.zeros_like(work.v), np.zeros_like(work.gamma), np.zeros_like(work.gamma)
        system.regularise(penalty)
        self.soft = penalty * system.grouped.w[:, None]  # 1/R
        work.G[:] = 0.0
        work.G[:, [0, 3, 5]] = 1.0 / self.soft
        system.factorise()

    def advance(self, coulomb: bool) -> None:
        """One iteration."""
        system, work = self.system, self.system.work
        u = system.slip(self.v) + system.bias
        system.gradient(self.v, self.gamma - (u - self.y) / self.soft, work.g)
        solve_factored(system.sym, work.factor, work.g, work.d)
        self.v -= work.d
        u = system.slip(self.v) + system.bias
        relaxed = RELAXATION * u + (1.0 - RELAXATION) * self.y
        work.target[:], work.u[:] = self.soft * self.gamma, relaxed
        if coulomb:
            pressed = np.maximum((work.target[:, 0] - work.u[:, 0]) / work.e[:, 0], 0.0)
            system.bound_friction(system.grouped.friction * pressed)
        project_all(system.grouped.friction, work)
        self.y = relaxed + self.soft * (work.gamma - self.gamma)
        self.gamma = work.gamma.copy()
        system.count_iteration()
