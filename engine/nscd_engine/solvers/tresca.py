"""The Coulomb solution that is reached from the unloaded state: rounds of Tresca's law (docs/methods.md, section 3.3).

Rigid blocks with Coulomb friction have many solutions. Some clamp blocks by forces that nothing creates: a cube hangs
between two walls, a keystone holds any pull. Associated friction finds those first, since sliding that dilates presses
on what is on either side. Here the friction of a contact is bounded by a number, mu times the normal impulse of the
round before. Tresca's law is as smooth and convex as the cone, and friction creates no normal impulse. The bounds are
renewed until they no longer change. Clamping that nothing creates is gone after the first rounds, and what it held
moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nscd_engine.kernels.solvers import residuals
from nscd_engine.solvers.primal_system import System

#: Friction beyond mu times the normal impulse, over the free impulse, up to which impulses obey Coulomb [-]. Larger:
#: blocks within it of coming free count as held. Smaller: more rounds.
ADMISSIBLE = 1e-3
#: Change of the bounds that is still to come, over the free impulse, at which those of a motion are settled [-].
SETTLED = 1e-3
#: The same over the speed, which is over the free one [-]: a slow motion may come from bounds that still grow.
SETTLED_SHARE = 0.03
#: The same at least [-]: rounding keeps the bounds from settling further.
FINEST = 1e-7
#: Imbalance over the change of the bounds at which a round ends [-]. Smaller: iterations on bounds that change.
INNER = 0.1
#: The same at most [-]: a wall that is out of balance by more seems to move.
ROUGHEST = 1e-2
#: Iterations of Newton's method in a round [-].
PATIENCE = 40
#: Change of the bounds over that of the round before from which rounds may oscillate [-].
OSCILLATING = 0.8
#: Cosine of the angle between two changes in turn below which they do [-]; from there on a larger share of the change
#: is adopted again. Larger: bounds that creep in one direction creep longer. Smaller: rounds oscillate longer.
AHEAD = 0.5
#: Least share of the change that is adopted where rounds oscillate [-]. Smaller: more rounds.
LEAST_SHARE = 0.2
#: Factors on that share while rounds oscillate, and when they do not any more [-].
LESS, MORE = 0.5, 1.5
#: Most rounds [-]. Structures that stand need 2 to 20, those that come free up to 80.
MOST_ROUNDS = 150
#: Speed over that with associated friction, at the same regularisation, up to which a structure stands [-].
AS_STILL = 3.0
#: Factor on the regularisation to see whether a speed falls with it [-].
FINER = 0.1
#: Speed after that over the one before, below which the structure stands [-].
SHRINKS = 0.5


class Branch(NamedTuple):
    """The solution reached from the unloaded state. C contacts, N bodies."""

    velocity: np.ndarray  # [m/s, rad/s] (N, 6)
    impulses: np.ndarray  # [N s] (C, 3)
    settled: bool  # the bounds no longer change, or the impulses obey Coulomb at rest
    moves: bool  # it does not stand, though a balance may exist


def follow(system: System, eps: float) -> Branch:
    """The solution, from the regularised one of associated friction that the system has found and that stands.

    The system is left at that solution, with the cones in force; `regularise` must follow.
    """
    still = AS_STILL * _speed(system)
    settled = _renew_bounds(system, eps, still)
    speed = _speed(system)
    moves = speed > still
    if moves:
        settled = _renew_bounds(system, FINER * eps, FINER * still)
        moves = _speed(system) > SHRINKS * speed
    found = Branch(system.velocity(), system.impulses(), settled, moves)
    system.bound_friction(None)
    return found


def from_nothing(system: System, eps: float, most: int) -> Branch:
    """The solution of a step in which something moves, by bounds that are 0 at first; as `follow` otherwise.

    No round begins after `most` iterations.
    """
    system.move_to(system.problem.v_free, np.zeros_like(system.work.gamma))
    settled = _renew_bounds(system, eps, 0.0, most)
    found = Branch(system.velocity(), system.impulses(), settled, True)
    system.bound_friction(None)
    return found


def _renew_bounds(system: System, eps: float, still: float, most: float = np.inf) -> bool:
    """Rounds from the current impulses; whether they have come to an end.

    They end where the impulses obey Coulomb and the speed is at most `still` [m/s], or where the bounds have settled;
    no round begins after `most` iterations.
    """
    friction, gamma = system.grouped.friction, system.work.gamma
    bound, share, before, last = system.friction_bounds(), 1.0, np.inf, np.zeros_like(friction)
    for _ in range(MOST_ROUNDS):
        system.bound_friction(bound)
        system.regularise(eps)
        balanced = system.descend(min(INNER * before, ROUGHEST), PATIENCE)
        step = system.friction_bounds() - bound
        change = _greatest(np.abs(step)) / system.scale
        beyond = _greatest(np.hypot(gamma[:, 1], gamma[:, 2]) - friction * gamma[:, 0]) / system.scale
        speed = _speed(system)
        at_rest = beyond <= ADMISSIBLE and speed <= still
        if balanced and (at_rest or _still_to_come(change, before) <= _settled(system, speed)):
            return True
        if system.iterations > most:
            return False
        if step @ last >= AHEAD * np.sqrt((step @ step) * (last @ last)):
            share = min(MORE * share, 1.0)
        elif change > OSCILLATING * before:
            share = max(LESS * share, LEAST_SHARE)
        bound, before, last = bound + share * step, change, step
    return False


def _settled(system: System, speed: float) -> float:
    """Change of the bounds over the free impulse at which those of a motion with a speed [m/s] are settled [-]."""
    fall = residuals.free_velocity(system.problem)
    return max(min(SETTLED, SETTLED_SHARE * speed / fall), FINEST) if fall > 0.0 else SETTLED


def _still_to_come(change: float, before: float) -> float:
    """Sum of a geometric series of changes, the last two being given; infinite if they do not fall."""
    return change / (1.0 - change / before) if change < before else (np.inf if change > 0.0 else 0.0)


def _speed(system: System) -> float:
    """Greatest component of a velocity [m/s or rad/s]."""
    return _greatest(np.abs(system.velocity()))


def _greatest(values: np.ndarray) -> float:
    return float(values.max(initial=0.0))
