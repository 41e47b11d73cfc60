"""Steps with bonds, springs or cables, solved more exactly than steps of dry blocks (docs/methods.md, section 5.8).

The tolerance of dry blocks would wear out bonds. Where joints have stiffness, ADMM converges to any accuracy in some
fifty iterations. Where they are rigid it may not, and Newton's method solves the step.
"""

from __future__ import annotations

from typing import Callable, Optional, Tuple

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.kernels.solvers.admm import AdmmProblem
from nscd_engine.kernels.solvers.admm_step import Limits
from nscd_engine.solvers import admm, newton
from nscd_engine.solvers.solution import Report, Warm

#: Greatest residual of a contact over the external impulse of the step [-]. Larger: bonds that slide are not at their
#: strength, and others wear out. Smaller: more exact solves.
RESIDUAL = 1e-2
#: Mean residual over all contacts at which ADMM stops [-]. Larger: bonds wear out. Smaller: more iterations.
MEAN = 1e-8
#: Most iterations of ADMM [-]. Smaller: more exact solves. Larger: time is lost on rigid joints.
ITERATIONS = 240
#: 1 / (R w) of ADMM [-]: softer than for dry blocks, as the joints are.
SOFTNESS = 0.1
#: Regularisations of the exact solve [-].
EXACT_EPS = (1e-4, 1e-5)
#: Residual over the free impulse at which the exact solve stops [-].
EXACT_TOLERANCE = 1e-4
#: Most iterations of the exact solve if the user names no number [-]. Larger: a step that does not converge takes
#: longer.
EXACT_ITERATIONS = 500

Solved = Tuple[np.ndarray, Report]


def solve(dry: Callable[..., Solved], problem: Problem, warm: Warm, settings: Settings) -> Solved:
    """Impulses (C, 3) in the contact frames, and a Report; `dry` solves steps of dry blocks (`step_solver.solve`)."""
    retries = warm.workspace.bonded_retries()
    spent = 0, 0
    if warm.impulses is None or retries.dry.is_due():
        warm.workspace.release_method()
        impulses, report = dry(problem, warm, settings)
        good = report.residual <= RESIDUAL
        retries.dry.note(good)
        if good or warm.impulses is None:
            return impulses, report
        spent = report.iterations, report.factorizations
    if retries.admm.is_due():
        found = _by_admm(problem, warm, settings)
        retries.admm.note(found is not None)
        if found is not None:
            return _with_spent(found, spent)
    most = settings.max_iterations or EXACT_ITERATIONS
    exact = settings._replace(eps=EXACT_EPS, tolerance=EXACT_TOLERANCE, max_iterations=most)
    return _with_spent(newton.solve(problem, warm._replace(impulses=None), exact), spent)


def _with_spent(found: Solved, spent: Tuple[int, int]) -> Solved:
    """A solution whose report includes the iterations and factorisations of methods that failed before."""
    impulses, report = found
    count = report.iterations + spent[0], report.factorizations + spent[1]
    return impulses, report._replace(iterations=count[0], factorizations=count[1])


def _by_admm(problem: Problem, warm: Warm, settings: Settings) -> Optional[Solved]:
    """Impulses and a Report by ADMM, from the step before; None if the residual stays too large."""
    inverse = operators.inverse_inertia(problem)
    w = operators.mobility(problem, inverse)
    _, unit = residuals.external_impulses(problem, warm.velocity)
    given = AdmmProblem(problem, 1.0 / (SOFTNESS * w), w, inverse, settings.friction == "coulomb")
    limits = Limits((ITERATIONS,), MEAN, RESIDUAL, unit)
    gamma, v, residual, done = admm.solve(given, warm, limits, Threads(settings.threads))
    return (gamma, Report(v, done, 1, "converged", residual, 0.0, 0.0)) if residual <= RESIDUAL else None
