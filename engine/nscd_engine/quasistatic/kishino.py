"""Kishino (1987): the element with the greatest error moves alone, with its neighbours fixed."""

from __future__ import annotations

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.quasistatic import QuasistaticQuestion
from nscd_engine.kernels.quasistatic.relaxation import Elements, relax_in_order, relax_worst
from nscd_engine.kernels.quasistatic.worst_first import Heap
from nscd_engine.quasistatic.system import System

#: Relaxations between two reports [-]: about a tenth of a second.
CHUNK = 50_000
#: Part of the tolerance to which elements are relaxed [-]: the mean contact force, to which it refers, changes.
CLOSER = 0.9


class Kishino:
    """Relaxation of single elements.

    Parameters
    ----------
    system : System
    question : QuasistaticQuestion
    monitor : Monitor
    seed : int, optional
        Of the random order.
    """

    def __init__(self, system: System, question: QuasistaticQuestion, monitor: Monitor, seed: int = 0) -> None:
        self.system, self.monitor, self.question = system, monitor, question
        self.random = np.random.default_rng(seed)
        self.elements = _elements(system)
        place = np.full(len(system.free), -1, np.int64)
        place[system.moving] = np.arange(len(system.moving))
        self.heap = Heap(np.zeros(len(system.free)), system.moving.astype(np.int64), place)

    def settle(self) -> tuple[bool, int]:
        """Relax until all elements are in balance; whether they are, and the number of relaxations."""
        system, tolerance, most = self.system, self.question.tolerance, self.question.max_iterations
        error, done = system.evaluate(), 0
        while error > tolerance and done < most:
            self.monitor.report("relaxing, {} relaxations".format(done))
            enough = CLOSER * tolerance * system.mean_force
            moved = self._relax(enough, min(CHUNK, most - done))
            if not moved:
                break
            done += moved
            error = system.evaluate()  # anew, so that rounding does not pile up
        return error <= tolerance, done

    def _relax(self, enough: float, most: int) -> int:
        """Some relaxations, at most about `most`."""
        system = self.system
        if self.question.order == "greedy":
            return relax_worst(
                system.contacts, system.state, self.elements, self.heap, system.step, system.error, enough, most
            )
        done = 0
        while done < most:
            order = self.random.permutation(system.moving)
            moved = relax_in_order(
                system.contacts, system.state, self.elements, order, system.step, system.error, enough
            )
            done += moved
            if not moved:
                break
        return done


def _elements(system: System) -> Elements:
    """Contacts of every element."""
    owner = system.contacts.body.ravel()
    order = np.argsort(owner, kind="stable")
    start = np.searchsorted(owner[order], np.arange(len(system.free) + 1))
    return Elements(system.free, system.springs, system.reach, start.astype(np.int64), (order // 2).astype(np.int64))
