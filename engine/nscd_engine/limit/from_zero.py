"""Multiplier at which a structure that is loaded from zero moves under Coulomb friction (docs/limit.md).

Blocks clamped between supports that do not push may balance any load, and the cone program then knows no limit. Loaded
from zero, they come free at a finite multiplier: the greatest one whose balance is assured (docs/methods.md, section
3.3). It is found by bisection, each trial a static solve.
"""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.kernels.solvers import residuals
from nscd_engine.limit.loads import Wrenches
from nscd_engine.solvers import newton
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.workspace import Workspace

#: Width of the bracket over the multiplier at which the search ends [-].
PRECISION = 2e-4
#: Greatest velocity over the free one of a structure that stands [-].
STILL = 1e-6
#: First multiplier that is tried: the load over the greatest free impulse of the dead loads [-].
FIRST = 1e-2
#: Factor from one multiplier to the next while none moves the structure [-].
GROWTH = 4.0
#: Most of such multipliers [-]: then the load is some million times the weight.
MOST_GROWTHS = 14


class Free(NamedTuple):
    """The least multiplier that moves the structure."""

    multiplier: float
    trials: int
    settled: bool  # to the precision of the search
    velocity: Optional[np.ndarray]  # [m/s, rad/s] (N, 6): how it moves just beyond; None: as with associated friction


def multiplier(
    problem: Problem, parts: Wrenches, settings: Settings, monitor: Monitor, most: float = np.inf, trials: int = 100
) -> Optional[Free]:
    """The multiplier, after so many trials at most; None if nothing ever moves.

    At `most`, the associated multiplier, the structure moves.
    """
    trial = _Trial(problem, parts, settings._replace(friction="associated"), monitor, trials)
    if np.isfinite(most) and not trial.moves((1.0 - PRECISION) * most):
        return Free(most, trial.count, True, None)
    low, high = 0.0, min(most, FIRST * _unit(problem, parts))
    for _ in range(MOST_GROWTHS):
        if high == most or trial.is_last or trial.moves(high):
            break
        low, high = high, min(most, GROWTH * high)
    else:
        return None
    while high - low > PRECISION * high and not trial.is_last:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if trial.moves(middle) else (middle, high)
    settled = high - low <= PRECISION * high
    return Free(0.5 * (low + high) if settled else low, trial.count, settled, trial.velocity)


def _unit(problem: Problem, parts: Wrenches) -> float:
    """Multiplier at which the live load on some block is as large as the dead load on some block [-]."""
    dead, live = (np.abs(problem.mass[:, None] * part[:, :3]).max(initial=0.0) for part in parts)
    return dead / live if dead > 0.0 and live > 0.0 else 1.0


class _Trial:
    """Static solves under growing loads; `velocity` is that of the last one that moved."""

    def __init__(self, problem, parts, settings, monitor, most):
        self.problem, self.parts, self.settings, self.monitor, self.most = problem, parts, settings, monitor, most
        self.workspace, self.count, self.velocity = Workspace(), 0, np.zeros_like(parts.dead)

    @property
    def is_last(self):
        """Whether no further trial is allowed."""
        return self.count >= self.most

    def moves(self, value):
        """Whether the structure moves at a multiplier."""
        self.count += 1
        text = "without dilatancy, round {} of at most {}, multiplier {:.5g}"
        self.monitor.report(text.format(self.count, self.most, value))
        loaded = self.problem._replace(v_free=self.parts.dead + value * self.parts.live)
        warm = Warm(workspace=self.workspace)
        _, report = newton.solve(loaded, warm, self.settings)
        still = np.abs(report.velocity).max(initial=0.0) <= STILL * residuals.free_velocity(loaded)
        branch = report.follow() if still and report.follow else None
        if still and (branch is None or not branch.moves):
            return False
        self.velocity = branch.velocity if branch else report.velocity
        return True
