"""Solution of problems given as W, q, mu."""

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from nscd_engine.kernels.fc3d import semismooth_newton as newton
from nscd_engine.kernels.fc3d.contact_problem import residual
from nscd_engine.kernels.fc3d.gauss_seidel import sweep

#: Sweeps of the first round; every round doubles them. Enough for easy problems and for a first guess of who sticks.
FIRST_SWEEPS = 64
#: Newton corrections of one round. Where they converge they need 5 to 40; beyond, better sweep on and start again.
NEWTON_STEPS = 40
#: Past merits the line search may return to: Newton has to climb out of the kinks of the natural map.
MEMORY = 5
#: Added to W in the derivative, over trace(W_cc)/3, in the rounds in turn. Redundant contacts need some. Little ends
#: fastest, but from a poor start the corrections run away; with more they stay near.
SHIFTS = (1e-9, 1e-3)
#: Sweeps between two reports of progress, times contacts: about 0.1 s.
REPORT_EVERY = 200000


def solve(problem, solver=None, tolerance=1e-8, limit=20000, monitor=None):
    """Solve a ContactProblem.

    Without a solver: rounds of Gauss-Seidel sweeps, twice as many each time, and after each round Newton from where
    the sweeps led, until the tolerance is met or `limit` sweeps and corrections are spent.

    Returns (r (C, 3), solver that found it, sweeps and corrections done, residual).
    """
    swept = np.zeros_like(problem.q)
    best, least, used = swept.copy(), residual(problem, swept), solver or "nlgs"
    done, turn = 0, 0
    while not least <= tolerance and done < limit:
        for phase in ("nlgs", "newton") if solver is None else (solver,):
            # Newton does not move where the sweeps go on from: where it fails it has often left the way.
            if phase == "nlgs":
                r, steps, error = _sweep(problem, swept, min(FIRST_SWEEPS << turn, limit - done), tolerance, monitor)
            else:
                most, shift = min(NEWTON_STEPS, limit - done), SHIFTS[turn % len(SHIFTS)]
                r, steps, error = _newton(problem, swept, most, tolerance, shift, monitor)
            done += steps
            if error < least:
                best, least, used = r.copy(), error, phase
            if least <= tolerance:
                break
        turn += 1
        if solver == "newton" and turn == len(SHIFTS):  # has no other place to start from
            break
    return best, used, done, least


def _sweep(problem, r, limit, tolerance, monitor):
    """Sweeps over r in place. Returns r, their number and the residual."""
    chunk = max(1, REPORT_EVERY // len(r))
    done, error = 0, np.inf
    while done < limit and not error <= tolerance:
        if monitor is not None:
            monitor.report("solving contact problems")
        steps, error = sweep(problem, r, min(chunk, limit - done), tolerance)
        done += steps
    return r, done, error


def _newton(problem, start, limit, tolerance, shift, monitor):
    """Corrections from `start`, which stays. Returns the best r met, their number and the residual."""
    x, trial, miss, step = start.copy(), np.empty_like(start), np.empty_like(start), np.empty_like(start)
    d, ds = np.empty_like(problem.diagonal), np.empty_like(problem.diagonal)
    active = np.empty(len(x), np.int32)
    w = np.trace(problem.diagonal, axis1=1, axis2=2) / 3.0
    merits = [newton.natural_map(problem, w, x, miss)]
    best, least, done = start, residual(problem, x), 0
    while done < limit and not least <= tolerance:
        if monitor is not None:
            monitor.report("solving contact problems")
        count = newton.local_factors(problem, w, x, d, ds, active)
        solution = _solve_columns(*newton.assemble(problem, w, shift, miss, d, ds, active, count))
        if not np.isfinite(solution).all():
            break
        newton.correction(miss, active, solution, step)
        merits.append(newton.line_search(problem, w, max(merits[-MEMORY:]), x, step, trial, miss))
        x, trial = trial, x
        done += 1
        error = residual(problem, x)
        if error < least:
            best, least = x.copy(), error
    return best, done, least


def _solve_columns(data, indices, start, right):
    """Solution of the sparse system, NaN where it is singular. Its pattern is symmetric, and nearly its values."""
    n = len(right)
    if n == 0:
        return right
    matrix = csc_matrix((data, indices, start), shape=(n, n))
    try:
        factors = splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.01, options={"SymmetricMode": True})
    except RuntimeError:
        return np.full(n, np.nan)
    return factors.solve(right)
