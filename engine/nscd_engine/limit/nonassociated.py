"""Estimate of the least multiplier at which the structure can collapse under Coulomb friction (docs/limit.md).

With associated friction a sliding joint opens by mu |u_t|. The opening takes work, so the structure seems stronger than
one whose joints slide without dilatancy. As in the scheme of Gilbert et al. (docs/methods.md, section 10, [20]), the
associated problem is solved repeatedly, each time without the dilatancy of the last mechanism. Gilbert et al. rotate
the failure surfaces about the last normal forces. Here the dual is changed: the last openings mu |u_t| are subtracted
(De Saxce), the cones stay the same, and every round is as fast and as robust as the first. At a fixed point forces and
mechanism obey Coulomb friction together.

Such states are many, and their multipliers fill an interval. Subtracting a little more than the whole opening, less
from round to round, leads to its lower end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nscd_engine.gate.limit import MOST_ROUNDS
from nscd_engine.limit.resistance import Resistance
from nscd_engine.solvers.cone_program import Answer

#: Share of the new mechanism in that of the next round [-]. Larger: rounds oscillate where many joints slide. Smaller:
#: more rounds.
RELAXATION = 0.5
#: Opening subtracted beyond the whole one, over it, in the first rounds [-]. Smaller: the estimate may stop inside the
#: interval of multipliers. Larger: rounds overshoot.
EXCESS = 0.3
#: Rounds with this excess [-].
STEADY = 10
#: Factor on the excess a round from then on [-]. Smaller: it vanishes before the mechanism has settled.
FALL = 0.8
#: Least excess [-]. Smaller: rounds drift upwards in the interval. Larger: Coulomb friction is met less well.
LEAST_EXCESS = 0.01
#: Residual power of Coulomb friction over the power of the live loads at which a state obeys it [-].
RESIDUAL = 1e-3
#: Change of the multiplier from round to round at which it is settled [-].
SETTLED = 2e-4
#: Power of friction over that of the live loads up to which a mechanism does not slide [-].
NO_SLIDING = 1e-6
#: Residual at which the cone program of a round is solved [-]. Smaller: slower rounds, the same estimate.
TOLERANCE = 1e-6


class Estimate(NamedTuple):
    """Multiplier without dilatancy."""

    multiplier: float
    rounds: int
    settled: bool
    answer: Answer  # of the last round


def estimate(
    resistance: Resistance, dead: np.ndarray, live: np.ndarray, associated: Answer, most_rounds: int = MOST_ROUNDS
) -> Estimate:
    """The estimate, from the answer with associated friction; dead and live (N, 6) as free velocities."""
    friction = resistance.cones.friction
    opening, answer = _openings(friction, associated), associated
    if _dot(opening, associated.force[:, 0]) <= NO_SLIDING:
        return Estimate(associated.multiplier, 0, True, associated)
    cost = np.zeros((len(friction), 3))
    for k in range(most_rounds):
        cost[:, 0] = (1.0 + max(EXCESS * min(1.0, FALL ** (k - STEADY)), LEAST_EXCESS)) * opening
        text = "without dilatancy, round {} of at most {}, {:.5g} by now"
        phase = text.format(k + 1, most_rounds, answer.multiplier)
        before, answer = answer, resistance.solve_with(dead, live, cost, phase, TOLERANCE)
        if answer.status not in ("solved", "unsure"):
            return Estimate(before.multiplier, k, False, before)
        found = _openings(friction, answer)
        # Coulomb friction: the openings subtracted are those of this mechanism.
        residual = abs(_dot(opening - found, answer.force[:, 0]) / answer.multiplier)
        change = abs(answer.multiplier - before.multiplier) / abs(answer.multiplier)
        if k >= STEADY and residual <= RESIDUAL and change <= SETTLED:
            return Estimate(answer.multiplier, k + 1, True, answer)
        opening = (1.0 - RELAXATION) * opening + RELAXATION * found
    return Estimate(answer.multiplier, most_rounds, False, answer)


def _openings(friction, answer):
    """mu |u_t| (C,) of a mechanism."""
    return friction * np.hypot(answer.opening[:, 1], answer.opening[:, 2])


def _dot(a, b):
    return float((a * b).sum())
