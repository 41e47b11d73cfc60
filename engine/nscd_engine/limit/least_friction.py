"""The least friction with which a structure stands: bisection, each verdict with its certificate."""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from nscd_engine.limit.resistance import Cones, Resistance
from nscd_engine.solvers.cone_program import Answer, require_sure

#: Width of the bracket over its upper end at which the bisection stops [-]. Smaller: rounding hides the verdicts.
BRACKET = 1e-5
#: The same up to which a bracket that rounding left open passes without a warning [-].
HIDDEN = 1e-4
#: Factor on the given friction up to which the search goes [-]. Larger: cones so wide that the program loses digits.
MOST = 64.0


class Least(NamedTuple):
    """Bracket of the least friction."""

    factor: Optional[float]  # [-] on all coefficients: standing end of the bracket; None if none is enough
    below: float  # [-] the other end
    falling: Optional[Answer]  # there: the mechanism; None if it stands without friction
    standing: Optional[Answer]  # at the factor: its forces; None if none is enough
    cones: Optional[Cones]  # of `standing`

    @property
    def is_wide(self) -> bool:
        """Whether rounding has left a bracket wider than HIDDEN."""
        return self.factor is not None and self.factor - self.below > HIDDEN * self.factor


def least_friction(resistance: Resistance, dead: np.ndarray) -> Least:
    """Least factor on all friction at which the dead loads, as free velocities (N, 6), can be balanced."""
    search = _Search(resistance, dead)
    if search.at(0.0) == "stands":
        return search.found(0.0)
    high = 1.0
    while search.at(high) != "stands":
        high *= 4.0
        if high > MOST:
            if search.doubt:
                require_sure(search.answer)
            return Least(None, search.low, search.falling, None, None)
    while True:
        below, above = search.gap()
        if above - below <= BRACKET * search.high:
            return search.found(search.low)
        search.at(0.5 * (below + above))


class _Search:
    """Bracket so far: it falls at `low`, stands at `high`; rounding hides the verdict from the least to the greatest
    factor in `doubt`.
    """

    def __init__(self, resistance, dead):
        self.resistance, self.dead = resistance, dead
        self.low, self.high, self.doubt = 0.0, None, []  # [-] factors on all friction
        self.falling = self.standing = self.cones = self.answer = None

    def at(self, factor):
        """Verdict at a factor: "stands", "falls" or "unsure"."""
        self.resistance.scale_friction(factor)
        answer = self.answer = self.resistance.solve(self.dead, phase="friction times {:.6g}".format(factor))
        if answer.status == "unsure":
            self.doubt.append(factor)
            return "unsure"
        if answer.status == "infeasible":
            self.low, self.falling = factor, answer
        else:
            self.high, self.standing, self.cones = factor, answer, self.resistance.cones
        self.doubt = [each for each in self.doubt if each > self.low and (self.high is None or each < self.high)]
        return "falls" if answer.status == "infeasible" else "stands"

    def gap(self):
        """Interval to bisect: between the ends, or the wider one beside the hidden range."""
        if not self.doubt:
            return self.low, self.high
        sides = (self.low, min(self.doubt)), (max(self.doubt), self.high)
        return max(sides, key=lambda side: side[1] - side[0])

    def found(self, below):
        return Least(self.high, below, self.falling, self.standing, self.cones)
