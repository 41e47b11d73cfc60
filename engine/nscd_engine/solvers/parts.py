"""Iterations of Newton's method on several threads: bodies and pairs in parts that depend on the structure alone.

Sums over contacts are added part by part, so that the last bits do not depend on the number of threads.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, List, NamedTuple, Tuple

import numpy as np

from nscd_engine.core.structs import Problem
from nscd_engine.core.threads import Threads, shares
from nscd_engine.kernels.solvers.hessian import GroupedContacts, Work
from nscd_engine.kernels.solvers.line_search import MOST_PASSES, SLOPE_LEFT, next_step
from nscd_engine.kernels.solvers.newton_step import (
    assemble_part,
    direction_part,
    gradient_part,
    inertial_terms,
    pairs_of_bodies,
    project_part,
    slope_part,
)

#: Contacts of a part [-]: about 3 ms of work. Larger: threads are idle at the end. Smaller: handing out the parts takes
#: longer than the work, and more pairs belong to two parts.
PART = 24_000
#: Most parts [-]: a pair whose bodies are in two parts is computed twice.
MOST_PARTS = 32


class Part(NamedTuple):
    """What one task works on."""

    bodies: tuple  # first and end
    pairs: tuple  # first and end: a share of all
    around: np.ndarray  # (n,) int64: pairs that have one of the bodies


class Parts:
    """Parts of a problem.

    Parameters
    ----------
    problem : Problem
        Masses and inertias are used.
    grouped : GroupedContacts
    threads : Threads
    """

    def __init__(self, problem: Problem, grouped: GroupedContacts, threads: Threads) -> None:
        self.grouped, self.threads = grouped, threads
        count = number_of_parts(len(grouped.w))
        bodies, pairs = (shares(total, count) for total in (len(problem.mass), len(grouped.slot)))
        around = threads.map(lambda ends: pairs_of_bodies(grouped.body, *ends), bodies)
        self.parts = [Part(*each) for each in zip(bodies, pairs, around)]

    def evaluate(self, problem: Problem, work: Work, unit: np.ndarray) -> float:
        """As `newton_step.evaluate`."""
        self._run(lambda part: project_part(self.grouped, work, *part.pairs))
        worst = self._run(lambda part: gradient_part(problem, self.grouped, work, unit, *part.bodies, part.around))
        return float(np.max(worst))  # NaN if one is

    def advance(self, problem: Problem, work: Work, unit: np.ndarray) -> float:
        """As `newton_step.advance`."""
        self._run(lambda part: direction_part(self.grouped, work, *part.pairs))
        work.v[:] += self._exact_step(problem, work) * work.d
        return self.evaluate(problem, work, unit)

    def assemble(self, problem: Problem, G: np.ndarray, sym: Any, factor: np.ndarray) -> None:
        """As `hessian.assemble`."""
        self.threads.map(lambda ends: factor[slice(*ends)].fill(0.0), shares(len(factor), len(self.parts)))
        self._run(lambda part: assemble_part(problem, self.grouped, G, sym, factor, *part.bodies, part.around))

    def _exact_step(self, problem: Problem, work: Work) -> float:
        """As `line_search.exact_step`."""
        slope_0, inertial_slope, inertial_curvature = inertial_terms(problem, work)
        low, high, alpha = 0.0, np.inf, 1.0
        for _ in range(MOST_PASSES):
            found = self._run(partial(self._slope, work, alpha))
            slope, curvature = (sum(values) for values in zip(*found))
            slope += inertial_slope + alpha * inertial_curvature
            curvature += inertial_curvature
            if abs(slope) <= SLOPE_LEFT * abs(slope_0):
                return alpha
            low, high, alpha = next_step(low, high, alpha, slope, curvature)
        return low if low > 0.0 else alpha

    def _slope(self, work: Work, alpha: float, part: Part) -> Tuple[float, float]:
        """Slope and curvature at a step alpha, of the contacts of a part."""
        return slope_part(self.grouped, work, alpha, *part.pairs)

    def _run(self, function: Callable[[Part], Any]) -> List[Any]:
        return self.threads.map(function, self.parts)


def number_of_parts(contacts: int) -> int:
    """Parts of a problem with so many contacts [-]."""
    return max(1, min(contacts // PART, MOST_PARTS))
