"""The least multiplier at which the structure can collapse under Coulomb's law, as an estimate.

With associated friction a joint opens as it slides, by mu |u_t|; that takes work, and makes the structure seem
stronger than one whose joints slide as they are. As in the scheme of Gilbert et al. (2006) the associated problem is
solved again and again, each time without the dilatancy of the mechanism before. There the failure surfaces are turned
about the last normal forces; here, on the other side of duality, the last openings mu |u_t| are taken off (De Saxce),
so that the cones stay as they are and every round is as quick and as safe as the first. At a fixed point forces and
mechanism obey Coulomb's law together.

Such states are many, and their multipliers fill an interval. Taking off a little more than the whole opening, less and
less from round to round, leads to its lower end.
"""

from typing import NamedTuple

import numpy as np

from nscd_engine.gate.limit import MOST_ROUNDS

#: Part of a new mechanism that a round takes over [-]: all of it swings to and fro where many joints slide.
RELAXATION = 0.5
#: What is taken off beyond the opening, over it: at first, for so many rounds; factor per round from then on; least.
EXCESS, STEADY, FALL, LEAST_EXCESS = 0.3, 10, 0.8, 0.01
#: Power that Coulomb's law misses, over that of the live loads, at which a state obeys it [-].
MISS = 1e-3
#: Change of the multiplier from round to round at which it is settled [-].
SETTLED = 2e-4
#: Power of friction over that of the live loads up to which a mechanism does not slide [-].
NO_SLIDING = 1e-6
#: Miss at which a round's program is solved [-].
TOLERANCE = 1e-6


class Estimate(NamedTuple):
    multiplier: float
    rounds: int
    settled: bool
    answer: object  # the last cone_program.Answer


def estimate(resistance, dead, live, associated, most_rounds=MOST_ROUNDS):
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
        # Coulomb's law: what was taken off is what this mechanism would open.
        miss = abs(_dot(opening - found, answer.force[:, 0]) / answer.multiplier)
        change = abs(answer.multiplier - before.multiplier) / abs(answer.multiplier)
        if k >= STEADY and miss <= MISS and change <= SETTLED:
            return Estimate(answer.multiplier, k + 1, True, answer)
        opening = (1.0 - RELAXATION) * opening + RELAXATION * found
    return Estimate(answer.multiplier, most_rounds, False, answer)


def _openings(friction, answer):
    """mu |u_t| (C,) of a mechanism."""
    return friction * np.hypot(answer.opening[:, 1], answer.opening[:, 2])


def _dot(a, b):
    return float((a * b).sum())
