"""Serrano and Rodriguez-Ortiz (1973): one linear step. Contacts may pull, and none appear."""

from __future__ import annotations

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.quasistatic import QuasistaticQuestion
from nscd_engine.kernels.quasistatic.springs import BONDED
from nscd_engine.quasistatic.stiffness import Stiffness
from nscd_engine.quasistatic.system import System

#: Regularisation over the mean stiffness [-]: a mechanism on which the load does no work must not stop the step.
RHO = 1e-10
#: Solutions with the same factor [-], which remove what the regularisation carries.
ROUNDS = 20


class Serrano:
    """One linear step.

    Parameters
    ----------
    system : System
        All of its contacts are made bonds, of unlimited strength; contacts that do not touch are left out.
    question : QuasistaticQuestion
    monitor : Monitor
    threads : int, optional
    """

    def __init__(self, system: System, question: QuasistaticQuestion, monitor: Monitor, threads: int = 1) -> None:
        touching = system.contacts.gap == 0.0
        system.state.kind[touching] = BONDED
        system.strength[:] = np.inf
        system.contacts.stiffness[~touching] = 0.0
        self.system, self.tolerance, self.monitor = system, question.tolerance, monitor
        self.stiffness = Stiffness(system, RHO, threads, monitor)

    def settle(self) -> tuple[bool, int]:
        """Solve the linear equations; whether they are solved, and the iterations: one."""
        system = self.system
        self.monitor.report("solving")
        error = system.evaluate()
        self.stiffness.factorise()
        for _ in range(ROUNDS):
            before = error
            system.advance(self.stiffness.solve(system.residual()))
            error = system.evaluate()
            if error <= self.tolerance or error > 0.5 * before:
                break
        return error <= self.tolerance, 1
