"""Solution of contact problems (W, q, mu): non-linear Gauss-Seidel and semismooth Newton."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from nscd_engine.core.monitor import Monitor
from nscd_engine.kernels.fc3d import semismooth_newton as newton
from nscd_engine.kernels.fc3d.contact_problem import ContactProblem, residual
from nscd_engine.kernels.fc3d.gauss_seidel import sweep

#: Sweeps of the first round [-]; every round doubles them. Larger: easy problems take longer. Smaller: Newton starts
#: from a poor guess of which contacts stick.
FIRST_SWEEPS = 64
#: Most Newton corrections of one round [-]. Convergence takes 5 to 40. Larger: time is lost where it diverges. Smaller:
#: it ends before convergence.
NEWTON_STEPS = 40
#: Past merits that the line search may return to [-]. Larger: Newton may diverge for longer. Smaller: it cannot leave
#: kinks of the natural map.
MEMORY = 5
#: Shifts of W in the derivative, over trace(W_cc)/3, in successive rounds [-]. Redundant contacts need a shift. Small:
#: fastest convergence, but corrections diverge from a poor start. Large: corrections stay small.
SHIFTS = (1e-9, 1e-3)
#: Sweeps between two reports of progress, times contacts [-]: about 0.1 s. Larger: cancelling takes longer. Smaller:
#: more overhead.
REPORT_EVERY = 200000


def solve(
    problem: ContactProblem,
    solver: Optional[str] = None,
    tolerance: float = 1e-8,
    limit: int = 20000,
    monitor: Optional[Monitor] = None,
) -> Tuple[np.ndarray, str, int, float]:
    """Solve a ContactProblem.

    Without a solver: rounds of Gauss-Seidel sweeps, twice as many each time, and after each round Newton from their
    result, until the residual meets the tolerance.

    Parameters
    ----------
    problem : ContactProblem
    solver : {"nlgs", "newton"}, optional
    tolerance : float
        Of the residual [-].
    limit : int
        Most sweeps and corrections together.
    monitor : Monitor, optional

    Returns
    -------
    r : array (C, 3)
        Impulses [N s] with the least residual.
    used, done, residual : text, int, float
        The solver that found them; sweeps and corrections in total; residual [-].
    """
    swept = np.zeros_like(problem.q)
    best, least, used = swept.copy(), residual(problem, swept), solver or "nlgs"
    done, turn = 0, 0
    while not least <= tolerance and done < limit:
        for phase in ("nlgs", "newton") if solver is None else (solver,):
            # Sweeps continue from their own result, not from that of Newton: where Newton fails it is far off.
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
        if solver == "newton" and turn == len(SHIFTS):  # there is no other start
            break
    return best, used, done, least


def _sweep(problem, r, limit, tolerance, monitor):
    """Sweeps over r in place; returns r, their number and the residual."""
    chunk = max(1, REPORT_EVERY // len(r))
    done, error = 0, np.inf
    while done < limit and not error <= tolerance:
        if monitor is not None:
            monitor.report("solving contact problems")
        steps, error = sweep(problem, r, min(chunk, limit - done), tolerance)
        done += steps
    return r, done, error


def _newton(problem, start, limit, tolerance, shift, monitor):
    """Corrections from `start`, which is not changed; returns the best r, their number and the residual."""
    x, trial, defect, step = start.copy(), np.empty_like(start), np.empty_like(start), np.empty_like(start)
    d, ds = np.empty_like(problem.diagonal), np.empty_like(problem.diagonal)
    active = np.empty(len(x), np.int32)
    w = np.trace(problem.diagonal, axis1=1, axis2=2) / 3.0
    merits = [newton.natural_map(problem, w, x, defect)]
    best, least, done = start, residual(problem, x), 0
    while done < limit and not least <= tolerance:
        if monitor is not None:
            monitor.report("solving contact problems")
        count = newton.local_factors(problem, w, x, d, ds, active)
        solution = _solve_columns(*newton.assemble(problem, w, shift, defect, d, ds, active, count))
        if not np.isfinite(solution).all():
            break
        newton.correction(defect, active, solution, step)
        merits.append(newton.line_search(problem, w, max(merits[-MEMORY:]), x, step, trial, defect))
        x, trial = trial, x
        done += 1
        error = residual(problem, x)
        if error < least:
            best, least = x.copy(), error
    return best, done, least


def _solve_columns(data, indices, start, right):
    """Solution of the sparse system, NaN if it is singular. The pattern is symmetric, the values nearly so."""
    n = len(right)
    if n == 0:
        return right
    matrix = csc_matrix((data, indices, start), shape=(n, n))
    try:
        factors = splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.01, options={"SymmetricMode": True})
    except RuntimeError:
        return np.full(n, np.nan)
    return factors.solve(right)
