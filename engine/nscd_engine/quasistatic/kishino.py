"""Kishino (1987): the element with the greatest error moves alone, with its neighbours fixed.

k_pp has the stiffness of all contacts of an element, also of those that are open or slide: with the stiffness of the
moment an element jumps too far, and the relaxation of random packings diverges (docs/quasistatic.md).
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.quasistatic import QuasistaticQuestion
from nscd_engine.kernels.quasistatic.relaxation import Elements, own_stiffness, relax_in_order, relax_worst
from nscd_engine.kernels.quasistatic.worst_first import Heap
from nscd_engine.quasistatic.system import System

#: Relaxations between two reports [-]: about a tenth of a second.
CHUNK = 50_000
#: Stiffness added to an element that could move freely, and the stiffness below which it could, over the mean stiffness
#: of the contacts [-].
FICTITIOUS, SINGULAR = 0.1, 1e-6
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
    """Contacts and flexibility of every element."""
    owner = system.contacts.body.ravel()
    order = np.argsort(owner, kind="stable")
    start = np.searchsorted(owner[order], np.arange(len(system.free) + 1)).astype(np.int64)
    contact = (order // 2).astype(np.int64)
    return Elements(system.free, system.springs, _flexibility(system), system.reach, start, contact)


def _flexibility(system: System) -> np.ndarray:
    """Inverses of k_pp (N, 6, 6), with a fictitious stiffness where an element could move freely."""
    stiffness = system.springs.copy()
    own_stiffness(system.contacts, system.free, stiffness)
    upper = np.triu(np.ones((6, 6), bool))
    stiffness = np.where(upper, stiffness, stiffness.transpose(0, 2, 1))
    scale = np.sqrt(system.regularisation(1.0))
    least = np.linalg.eigvalsh(stiffness / scale[:, :, None] / scale[:, None, :])[:, 0]
    rows = np.flatnonzero(least < SINGULAR)
    stiffness[rows[:, None], range(6), range(6)] += system.regularisation(FICTITIOUS)[rows]
    return np.linalg.inv(stiffness)
