"""The global stiffness matrix of a system and its block Cholesky factor."""

from __future__ import annotations

from typing import Optional

import numpy as np
from scipy.sparse.linalg import LinearOperator, gmres

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.linalg.cholesky import solve as solve_factored
from nscd_engine.kernels.quasistatic.springs import SLIDE
from nscd_engine.kernels.quasistatic.stiffness_matrix import apply, assemble
from nscd_engine.linalg.factor import factorised, symbolic
from nscd_engine.quasistatic.system import System

#: Error of a direction with friction's coupling, over the right side [-]. Smaller: more products with the matrix for a
#: direction that the next change of a contact makes worthless.
DIRECTION = 1e-3
#: Directions that GMRES keeps [-]. More: memory. Fewer: it starts again too early.
KEPT = 40
#: Factor on rho where rounding has made the matrix indefinite [-].
STIFFER = 100.0


class Stiffness:
    """K + diag(rho) of a system, factorised.

    Parameters
    ----------
    system : System
    rho : float
        Regularisation over the mean stiffness [-].
    threads : int, optional
        0: as many as the machine has.
    monitor : Monitor, optional
        For progress and cancellation.
    """

    def __init__(self, system: System, rho: float, threads: int = 1, monitor: Optional[Monitor] = None) -> None:
        self.system, self.rho, self.monitor = system, rho, monitor
        self.sym = symbolic(system.free[system.contacts.body].astype(np.int32), len(system.moving), monitor=monitor)
        self.panels, self.arena = np.empty(int(self.sym.panel_start[-1])), np.empty(self.sym.arena)
        self.threads = Threads(threads)

    def factorise(self) -> None:
        """Assemble and factorise at the current state of the contacts; rho grows until there is a factor."""
        system, rho = self.system, self.rho
        while True:
            self.ground = system.springs.copy()
            self.ground[:, range(6), range(6)] += system.regularisation(rho)
            assemble(system.contacts, system.free, system.state.tangent, self.ground, self.sym, self.panels)
            if factorised(self.sym, self.panels, self.arena, self.threads, self.monitor):
                return
            rho *= STIFFER

    def solve(self, b: np.ndarray) -> np.ndarray:
        """(K + rho)^-1 b for b (N, 6), without friction's coupling."""
        x = np.empty_like(b)
        solve_factored(self.sym, self.panels, np.ascontiguousarray(b), x)
        return x

    def times(self, x: np.ndarray, regularised: bool = False) -> np.ndarray:
        """K x for x (N, 6), with friction's coupling."""
        system = self.system
        y = np.empty_like(x)
        ground = self.ground if regularised else system.springs
        apply(system.contacts, system.free, system.state.tangent, ground, x, y)
        return y

    def direction(self, b: np.ndarray) -> np.ndarray:
        """(K + rho)^-1 b with friction's coupling, by GMRES with the factor as preconditioner where contacts slide.

        Without the coupling if b would do no work on it.
        """
        first = self.solve(b)
        state = self.system.state
        if not ((state.status == SLIDE) & (state.bound < 0.0)).any():
            return first
        size, shape = b.size, b.shape
        product = LinearOperator((size, size), lambda x: self.solve(self.times(x.reshape(shape), True)).ravel())
        found, _ = gmres(product, first.ravel(), rtol=DIRECTION, restart=KEPT, maxiter=1)
        return found.reshape(shape) if found @ b.ravel() > 0.0 else first
