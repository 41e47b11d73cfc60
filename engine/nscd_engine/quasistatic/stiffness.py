"""The global stiffness matrix of a system, its block Cholesky factor, and directions of Newton's method."""

from __future__ import annotations

from typing import Optional

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.quasistatic.springs import SLIDE
from nscd_engine.kernels.quasistatic.stiffness_matrix import apply, assemble
from nscd_engine.linalg.factor import factorised, solve_factored, symbolic
from nscd_engine.quasistatic.coupled import CoupledStiffness
from nscd_engine.quasistatic.system import System

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
        self.coupled: Optional[CoupledStiffness] = None

    def factorise(self) -> None:
        """Assemble and factorise at the current state of the contacts; rho grows until there is a factor."""
        system, rho = self.system, self.rho
        while True:
            ground = self._ground(rho)
            assemble(system.contacts, system.free, system.state.tangent, ground, self.sym, self.panels)
            if factorised(self.sym, self.panels, self.arena, self.threads, self.monitor):
                return
            rho *= STIFFER

    def _ground(self, rho: float) -> np.ndarray:
        """Springs to the ground and the regularisation (N, 6, 6)."""
        ground = self.system.springs.copy()
        ground[:, range(6), range(6)] += self.system.regularisation(rho)
        return ground

    def solve(self, b: np.ndarray) -> np.ndarray:
        """(K + rho)^-1 b for b (N, 6), without friction's coupling."""
        x = np.empty_like(b)
        solve_factored(self.sym, self.panels, self.arena, b, x, self.threads)
        return x

    def times(self, x: np.ndarray, regularised: bool = False) -> np.ndarray:
        """K x for x (N, 6), with friction's coupling; (K + rho) x if regularised."""
        system = self.system
        y = np.empty_like(x)
        ground = self._ground(self.rho) if regularised else system.springs
        apply(system.contacts, system.free, system.state.tangent, ground, x, y)
        return y

    def direction(self, b: np.ndarray) -> np.ndarray:
        """(K + rho)^-1 b for b (N, 6) at the current state of the contacts, with friction's coupling.

        By Cholesky where the matrix is symmetric; by LU where contacts slide, and in planar models, which have three
        unknowns per element there and six here.
        """
        state = self.system.state
        if self.system.model.planar is not None or ((state.status == SLIDE) & (state.bound < 0.0)).any():
            if self.coupled is None:
                self.coupled = CoupledStiffness(self.system, self.sym.order)
            try:
                return self.coupled.solve(self._ground(self.rho), b)
            except RuntimeError:  # exactly singular: friction can cancel a resistance
                pass
        self.factorise()
        return self.solve(b)
