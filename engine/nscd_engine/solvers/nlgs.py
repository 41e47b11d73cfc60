"""Non-linear Gauss-Seidel: the classic solver of contact dynamics, in fixed or in random order of contacts.

In a redundant structure many force systems hold the same weight; which one is found depends on the order. Every seed
gives another, all with the same totals.
"""

import numpy as np

from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.kernels.solvers.delassus import levers, local_blocks
from nscd_engine.kernels.solvers.nlgs import sweep
from nscd_engine.solvers.solution import report

#: Sweeps between two looks at the residual, which costs about as much as one of them.
CHECK_EVERY = 10
#: Contacts visited between two reports of progress: about 0.1 s.
REPORT_EVERY = 200000
#: Sweeps if the user names no number [-].
MOST_SWEEPS = 20000


def solve(problem, warm, settings, monitor=None):
    """Impulses (C, 3) and a Report; an iteration is one sweep over all contacts."""
    exact = settings.friction == "coulomb"
    inverse = operators.inverse_inertia(problem)
    w = operators.mobility(problem, inverse)
    lever = levers(problem)
    blocks = local_blocks(problem, lever, inverse)
    blocks[:, [0, 1, 2], [0, 1, 2]] += problem.compliance[:, [0, 1, 1]]
    count = len(problem.friction)
    cold = warm is None or warm.impulses is None
    impulses = np.zeros((count, 3)) if cold else np.array(warm.impulses, np.float64)
    random = None if settings.seed is None else np.random.default_rng(settings.seed)

    most = settings.max_iterations or MOST_SWEEPS
    done, status = 0, "exhausted"
    while True:
        # afresh from the impulses: the velocities kept up to date in the sweeps gather rounding
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
        sweep(problem, lever, inverse, blocks, _orders(count, sweeps, random), exact, impulses, v)
        done += sweeps
    return impulses, report(problem, impulses, settings, done, status=status, known=(inverse, w))


def _orders(count, sweeps, random):
    """Order of the contacts in each sweep, (sweeps, count): another one every time if random."""
    orders = np.tile(np.arange(count, dtype=np.int32), (sweeps, 1))
    return orders if random is None else random.permuted(orders, axis=1)
