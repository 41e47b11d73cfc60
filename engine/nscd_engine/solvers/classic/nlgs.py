"""Non-linear Gauss-Seidel (NLGS), in fixed or in random order of contacts (docs/methods.md, section 4.2).

In a redundant structure many force systems balance the same loads; which one is found depends on the order. Every seed
gives another, all with the same totals.
"""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.kernels.solvers.delassus import levers, local_blocks
from nscd_engine.kernels.solvers.nlgs import sweep
from nscd_engine.solvers.solution import Report, Warm, report

#: Sweeps between two evaluations of the residual [-], which costs about as much as one of them.
CHECK_EVERY = 10
#: Contacts visited between two reports of progress [-]: about 0.1 s. Larger: cancelling takes longer.
REPORT_EVERY = 200000
#: Most sweeps if the user names no number [-]. The documentation of `Settings` names this number.
MOST_SWEEPS = 20000


def solve(
    problem: Problem, warm: Optional[Warm], settings: Settings, monitor: Optional[Monitor] = None
) -> Tuple[np.ndarray, Report]:
    """Impulses (C, 3) and a Report; an iteration is one sweep over all contacts."""
    exact = settings.friction == "coulomb"
    inverse = operators.inverse_inertia(problem)
    w = operators.mobility(problem, inverse)
    lever = levers(problem)
    blocks = local_blocks(problem, lever, inverse)
    blocks[:, [0, 1, 2], [0, 1, 2]] += problem.compliance[:, [0, 1, 1]]
    count = len(problem.friction)
    start = None if warm is None else warm.impulses
    impulses = np.zeros((count, 3)) if start is None else np.array(start, np.float64)
    random = None if settings.seed is None else np.random.default_rng(settings.seed)

    most = settings.max_iterations or MOST_SWEEPS
    done, status = 0, "exhausted"
    while True:
        # computed from the impulses: the velocities updated in the sweeps accumulate rounding
        v = operators.velocity_after(problem, impulses, inverse)
        error = residuals.natural_map(problem, impulses, operators.relative_velocity(problem, v), w, exact)
        if monitor is not None:
            monitor.report("solving (nlgs), residual {:.0e}".format(error), done / most)
        if error <= settings.tolerance:
            status = "converged"
            break
        if done >= most:
            break
        sweeps = min(CHECK_EVERY, max(1, REPORT_EVERY // max(count, 1)), most - done)
        sweep(problem, lever, inverse, blocks, orders(count, sweeps, random), exact, impulses, v)
        done += sweeps
    return impulses, report(problem, impulses, settings, done, status, (inverse, w))


def orders(count: int, sweeps: int, random: Optional[np.random.Generator]) -> np.ndarray:
    """Order of the contacts in each sweep, (sweeps, count): another one every time if random."""
    orders = np.tile(np.arange(count, dtype=np.int32), (sweeps, 1))
    return orders if random is None else random.permuted(orders, axis=1)
