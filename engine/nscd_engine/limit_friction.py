"""The least friction with which a structure stands: bisection, each verdict with its proof."""

from typing import NamedTuple

from .cone_program import require_sure

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


def least_friction(resistance, dead):
    """Least of the factors on all friction at which the dead loads, free velocities (N, 6), can be balanced."""

    def at(factor):
        resistance.scale_friction(factor)
        answer = resistance.solve(dead, phase="friction times {:.6g}".format(factor))
        return answer, answer.status != "infeasible"

    falling, stands = at(0.0)
    if stands:
        return Least(0.0, 0.0, None, require_sure(falling), resistance.cones)
    low, high = 0.0, 1.0
    standing, stands = at(high)
    cones = resistance.cones
    while not stands:
        falling, low, high = standing, high, 4.0 * high
        if high > MOST:
            return Least(None, low, falling, None, None)
        standing, stands = at(high)
        cones = resistance.cones
    while high - low > BRACKET * high:
        middle = 0.5 * (low + high)
        answer, stands = at(middle)
        if answer.status == "unsure" and high - low <= HIDDEN * high:
            break
        if stands:
            high, standing, cones = middle, require_sure(answer), resistance.cones
        else:
            low, falling = middle, answer
    return Least(high, low, falling, standing, cones)
