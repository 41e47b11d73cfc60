"""The least friction with which a structure stands: bisection, each verdict with its proof."""

from typing import NamedTuple

from nscd_engine.solvers.cone_program import require_sure

#: Width of the bracket at the end, and the one that will do where rounding hides the verdict, over the upper bound [-].
BRACKET, HIDDEN = 1e-5, 1e-4
#: Factor on the given friction beyond which more does not help any more [-].
MOST = 64.0


class Least(NamedTuple):
    factor: object  # on all coefficients: standing end of the bracket; None if none is enough
    below: float  # the other end
    falling: object  # Answer there: the mechanism; None if it stands without friction
    standing: object  # Answer at the factor: its forces; None if none is enough
    cones: object  # Cones of `standing`

    @property
    def is_wide(self):
        """Whether rounding has left more of the bracket than passes."""
        return self.factor is not None and self.factor - self.below > HIDDEN * self.factor


def least_friction(resistance, dead):
    """Least of the factors on all friction at which the dead loads, free velocities (N, 6), can be balanced."""
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
    """What is known so far: it falls at `low`, stands at `high`, and between the least and the greatest of `doubt`
    rounding hides what it does."""

    def __init__(self, resistance, dead):
        self.resistance, self.dead = resistance, dead
        self.low, self.high, self.doubt = 0.0, None, []
        self.falling = self.standing = self.cones = self.answer = None

    def at(self, factor):
        """Ask at a factor: "stands", "falls" or "unsure"."""
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
        """Where to look: between the ends, or the wider of the sides of what is hidden."""
        if not self.doubt:
            return self.low, self.high
        sides = (self.low, min(self.doubt)), (max(self.doubt), self.high)
        return max(sides, key=lambda side: side[1] - side[0])

    def found(self, below):
        return Least(self.high, below, self.falling, self.standing, self.cones)
