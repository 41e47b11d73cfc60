"""Load in stages and increments; an increment that does not converge is halved."""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Protocol, Tuple

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.quasistatic import QuasistaticQuestion, Stage
from nscd_engine.quasistatic.bonds import break_bonds
from nscd_engine.quasistatic.geometry import MovingGeometry
from nscd_engine.quasistatic.mechanism import mechanism
from nscd_engine.quasistatic.system import System

#: Greatest change of an arm over the reach of its element at which the geometry has settled [-].
SETTLED = 1e-9
#: Most times that the geometry follows within an increment [-]. Fewer: slender structures close to buckling are
#: reported as not converged.
MOST_ROUNDS = 200


class Method(Protocol):
    """A method that balances the elements of a system."""

    def settle(self) -> Tuple[bool, int]:
        """Whether all elements are in balance, and the number of iterations."""


class Increment(NamedTuple):
    """One load increment that has converged."""

    stage: int
    factor: float  # [-] share of the load of the stage
    iterations: int
    error: float  # [-] greatest error over the mean contact force
    broken: int  # bonds that broke in it
    displacement: np.ndarray  # [m, rad] (B, 6)
    reaction: np.ndarray  # [N, N m] (B, 6): of the contacts on held and spring-supported elements, 0 for others


class Outcome(NamedTuple):
    """How the loading ended."""

    verdict: str  # balance, mechanism, not_converged
    increments: List[Increment]
    iterations: int
    failures: int  # increments that did not converge and were halved
    mechanism: Optional[np.ndarray]  # (B, 6), greatest displacement 1; None without


class Loading:
    """The load of a question as stages.

    Parameters
    ----------
    model : Model
    question : QuasistaticQuestion
    """

    def __init__(self, model: Model, question: QuasistaticQuestion) -> None:
        weight = np.zeros_like(model.load)
        weight[:, :3] = model.bodies.mass[:, None] * model.gravity
        self.parts = weight, model.load, question.motion
        self.stages = question.stages

    def at(self, stage: int, factor: float) -> Tuple[np.ndarray, np.ndarray]:
        """Load [N, N m] and displacement of held elements [m, rad] (B, 6), within a stage."""
        shares = [self._share(k, stage, factor) for k in range(3)]
        weight, load, motion = self.parts
        return shares[0] * weight + shares[1] * load, shares[2] * motion

    def _share(self, part: int, stage: int, factor: float) -> float:
        if self.stages[stage].parts[part]:
            return factor
        return 1.0 if any(earlier.parts[part] for earlier in self.stages[:stage]) else 0.0


class Increments:
    """Follows a load until it is applied, or cannot be carried.

    Parameters
    ----------
    system : System
    method : Method
    loading : Loading
    question : QuasistaticQuestion
    monitor : Monitor
    """

    def __init__(
        self, system: System, method: Method, loading: Loading, question: QuasistaticQuestion, monitor: Monitor
    ) -> None:
        self.system, self.method, self.loading, self.monitor = system, method, loading, monitor
        self.halvings = question.halvings
        self.geometry = MovingGeometry(system.model, system.contacts) if question.second_order else None
        self.done: List[Increment] = []
        self.rate: Optional[np.ndarray] = None  # [m, rad] (N, 6): displacement over the share of the stage's load
        self.iterations = self.failures = 0

    def run(self) -> Outcome:
        """Apply all stages, one after the other."""
        for number, stage in enumerate(self.loading.stages):
            found = self._apply(number, stage)
            if found is not None:
                return found
        return Outcome("balance", self.done, self.iterations, self.failures, None)

    def _apply(self, number: int, stage: Stage) -> Optional[Outcome]:
        """Apply a stage; the outcome if it cannot be applied."""
        whole, factor = 1.0 / stage.steps, 0.0
        size, least = whole, whole * 0.5**self.halvings
        self.rate = None
        while factor < 1.0 - 1e-12:
            goal = min(factor + size, 1.0)
            self.monitor.report("stage {}, load {:.4g}".format(number + 1, goal), goal)
            before = self._snapshot()
            if self._increment(number, factor, goal):
                factor, size = goal, min(2.0 * size, whole)
                continue
            motion = mechanism(self.system)
            if size <= least * (1.0 + 1e-9):
                verdict = "not_converged" if motion is None else "mechanism"
                return Outcome(verdict, self.done, self.iterations, self.failures, motion)
            self._restore(before)
            self.failures += 1
            size *= 0.5
        return None

    def _increment(self, number: int, factor: float, goal: float) -> bool:
        """Apply a part of a stage; whether it is balanced. Elements begin as if they went on as in the last one."""
        system = self.system
        system.begin(*self.loading.at(number, goal))
        if self.rate is not None:
            system.advance(self.rate, goal - factor)
        iterations, broken = 0, 0
        while True:
            settled, spent = self._settle()
            iterations += spent
            more = break_bonds(system) if settled else 0
            if not more:
                break
            broken += more
        self.iterations += iterations
        if settled:
            error = system.error_max
            self.rate = system.step[system.moving] / (goal - factor)
            system.accept()
            reaction = _reactions(system)
            at = system.displacement.copy()
            self.done.append(Increment(number, goal, iterations, error, broken, at, reaction))
        return settled

    def _settle(self) -> Tuple[bool, int]:
        """Balance the elements, in the second order until their positions have settled, too."""
        settled, spent = self.method.settle()
        if self.geometry is None:
            return settled, spent
        for _ in range(MOST_ROUNDS):
            if not settled or self.geometry.update(self.system) <= SETTLED:
                return settled, spent
            settled, more = self.method.settle()
            spent += more
        return False, spent

    def _snapshot(self):
        """What a failed increment changes: kinds of contacts and their geometry."""
        return self.system.state.kind.copy(), self.system.contacts

    def _restore(self, before) -> None:
        kind, contacts = before
        self.system.state.kind[:] = kind
        self.system.replace_contacts(contacts)


def _reactions(system: System) -> np.ndarray:
    """Force of every held element on its neighbours [N, N m] (B, 6), at its centroid; 0 for the others."""
    held = system.free < 0
    held[system.moving] = system.springs[:, range(6), range(6)].any(axis=1)
    total = np.zeros_like(system.load)
    force = np.einsum("ckx,ck->cx", system.contacts.frame, system.state.force[:, :3])
    moment = np.einsum("ckx,ck->cx", system.contacts.frame, system.state.force[:, 3:])
    for side, sign in ((0, -1.0), (1, 1.0)):
        arm = system.contacts.arm[:, side]
        wrench = np.hstack([force, moment + np.cross(arm, force)])
        np.add.at(total, system.contacts.body[:, side], sign * wrench)
    total[~held] = 0.0
    return total
