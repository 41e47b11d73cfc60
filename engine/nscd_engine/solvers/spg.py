"""Projected gradient with Barzilai-Borwein steps: needs no memory beyond a few vectors, for very large models."""

import numpy as np

from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.kernels.solvers.spg import LAST, MEMORY, descend
from nscd_engine.solvers.solution import report

#: Steps between two looks at the residual; with Coulomb's law also between two updates of the slip.
CHECK_EVERY = 100
#: Contacts visited between two reports of progress: about 0.1 s.
REPORT_EVERY = 500000
#: Steps if the user names no number [-].
MOST_STEPS = 20000
#: With Coulomb's law the descent for a given slip ends at this share of the residual: more would be lost on a guess.
INNER = 0.1


def solve(problem, warm, settings, monitor=None):
    """Impulses (C, 3) and a Report; an iteration is one step of the descent.

    Coulomb's law (METHODS M3): the descent is for associated friction with mu |u_t| of the last look added to u_n.
    """
    exact = settings.friction == "coulomb"
    inverse = operators.inverse_inertia(problem)
    w = operators.mobility(problem, inverse)
    scale = w + (problem.compliance[:, 0] + 2.0 * problem.compliance[:, 1]) / 3.0
    unit = residuals.free_impulse(problem, w)
    cold = warm is None or warm.impulses is None
    g = np.zeros((len(w), 3)) if cold else np.array(warm.impulses, np.float64)
    values, state = np.empty(MEMORY), np.array([1.0, 0.0, 0.0])
    fall_back, least = g, np.inf

    most = settings.max_iterations or MOST_STEPS
    done, status = 0, "exhausted"
    while True:
        # afresh from the impulses: the gradient kept up to date in the descent gathers rounding
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
        values[:] = state[LAST] = 0.0  # f is counted from here
        steps = min(CHECK_EVERY, max(1, REPORT_EVERY // max(len(w), 1)), most - done)
        # the norm of the descent bounds that of the residual
        floor = max(settings.tolerance, INNER * error if exact else 0.0) * unit * np.sqrt(scale.min())
        took = descend(problem, inverse, scale, steps, floor, g, y, values, state)
        if took == 0:
            status = "stalled"
            break
        done += took
    return fall_back, report(problem, fall_back, settings, done, status=status, known=(inverse, w))
