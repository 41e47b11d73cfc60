"""The least friction with which a structure stands: bisection, each verdict with its proof."""

from typing import NamedTuple

from . import cone_program
from .cone_program import Program, light_system, require_sure

#: Width of the bracket at the end, and the one that will do where rounding hides the verdict, over the upper bound [-].
BRACKET, HIDDEN = 1e-5, 1e-4
#: Factor on the given friction beyond which more does not help any more [-].
MOST = 64.0


class Least(NamedTuple):
    factor: object  # on all coefficients: standing end of the bracket; None if none is enough
    below: float  # the other end
    falling: object  # Answer there: the mechanism; None if it stands without friction
    standing: object  # Answer at the factor: its forces; None if none is enough


def least_friction(problem, dead, monitor, threads):
    """Least of the factors on the friction of all contacts at which the dead loads (N, 6) can be balanced."""
    cache = {}

    def at(factor):
        system = light_system(problem._replace(friction=factor * problem.friction), cache, monitor, threads)
        answer = cone_program.solve(system, Program(dead), "friction times {:.6g}".format(factor))
        return answer, answer.status != "infeasible"

    falling, stands = at(0.0)
    if stands:
        return Least(0.0, 0.0, None, require_sure(falling))
    low, high = 0.0, 1.0
    standing, stands = at(high)
    while not stands:
        falling, low, high = standing, high, 4.0 * high
        if high > MOST:
            return Least(None, low, falling, None)
        standing, stands = at(high)
    while high - low > BRACKET * high:
        middle = 0.5 * (low + high)
        answer, stands = at(middle)
        if answer.status == "unsure" and high - low <= HIDDEN * high:
            break
        if stands:
            high, standing = middle, require_sure(answer)
        else:
            low, falling = middle, answer
    return Least(high, low, falling, standing)
