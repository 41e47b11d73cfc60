"""Spectral projected gradient (SPG), for models whose factor does not fit in memory (docs/methods.md, section 4.3)."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.kernels.solvers.spg import LAST, MEMORY, Descent, descend
from nscd_engine.solvers.solution import Report, Warm, report

#: Steps between two evaluations of the residual [-]; with Coulomb friction also between two updates of the opening.
#: Larger: the opening lags behind. Smaller: more time for residuals.
CHECK_EVERY = 100
#: Contacts visited between two reports of progress [-]: about 0.1 s. Larger: cancelling takes longer.
REPORT_EVERY = 500000
#: Most steps if the user names no number [-]. The documentation of `Settings` names this number.
MOST_STEPS = 20000
#: With Coulomb friction, share of the residual at which the descent for a given opening ends [-]. Smaller: steps are
#: spent on an opening that changes.
INNER = 0.1


def solve(
    problem: Problem, warm: Optional[Warm], settings: Settings, monitor: Optional[Monitor] = None
) -> Tuple[np.ndarray, Report]:
    """Impulses (C, 3) and a Report; an iteration is one step of the descent.

    With Coulomb friction the descent is for associated friction with De Saxce's opening mu |u_t| of the last evaluation
    added to u_n (docs/methods.md, section 3.2).
    """
    exact = settings.friction == "coulomb"
    inverse = operators.inverse_inertia(problem)
    w = operators.mobility(problem, inverse)
    scale = w + (problem.compliance[:, 0] + 2.0 * problem.compliance[:, 1]) / 3.0
    unit = residuals.free_impulse(problem, w)
    start = None if warm is None else warm.impulses
    g = np.zeros((len(w), 3)) if start is None else np.array(start, np.float64)
    values, state = np.empty(MEMORY), np.array([1.0, 0.0, 0.0])
    fall_back, least = g, np.inf

    most = settings.max_iterations or MOST_STEPS
    done, status = 0, "exhausted"
    while True:
        # computed from the impulses: the gradient updated in the descent accumulates rounding
        u = operators.relative_velocity(problem, operators.velocity_after(problem, g, inverse))
        error = residuals.natural_map(problem, g, u, w, exact)
        if error < least:
            fall_back, least = g.copy(), error
        if monitor is not None:
            monitor.report("solving (spg), residual {:.0e}".format(least), done / most)
        if error <= settings.tolerance:
            status = "converged"
            break
        if done >= most:
            break
        y = u + problem.bias + problem.compliance[:, [0, 1, 1]] * g
        if exact:
            y[:, 0] += problem.friction * np.hypot(y[:, 1], y[:, 2])
        values[:] = state[LAST] = 0.0  # f is counted from here on
        steps = min(CHECK_EVERY, max(1, REPORT_EVERY // max(len(w), 1)), most - done)
        # The norm of the descent bounds that of the residual.
        floor = max(settings.tolerance, INNER * error if exact else 0.0) * unit * np.sqrt(scale.min())
        took = descend(problem, inverse, scale, steps, floor, Descent(g, y, values, state))
        if took == 0:
            status = "stalled"
            break
        done += took
    return fall_back, report(problem, fall_back, settings, done, status, (inverse, w))
