"""ADMM, the alternating direction method of multipliers, for the problem of a step (docs/methods.md, section 5.5).

One factor serves all iterations of a step. Started from the step before it takes some twenty iterations, however many
contacts change between stick, slide and open.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from nscd_engine.core.structs import Problem
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.linalg.packed_factor import pack_factor
from nscd_engine.kernels.solvers import admm_step
from nscd_engine.kernels.solvers.admm import AdmmProblem
from nscd_engine.kernels.solvers.admm_matrix import AdmmFactor, assemble_stiffness
from nscd_engine.kernels.solvers.admm_matrix import factorise as factorise_on_one_thread
from nscd_engine.kernels.solvers.admm_step import Limits
from nscd_engine.linalg.factor import factorised
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.workspace import Workspace, new_admm_arrays

#: Impulses [N s] (C, 3), velocities [m/s, rad/s] (N, 6), greatest residual of a contact over the greatest external
#: impulse of a body [-], iterations.
Found = Tuple[np.ndarray, np.ndarray, float, int]


def solve_step(problem: Problem, warm: Warm, coulomb: bool, threads: Threads) -> Found:
    """One step of dry blocks, from the impulses and velocities of the step before.

    The sequence is also in `kernels.solvers.admm_step.take_step`, for compiled motions, without threads and double
    precision. A test compares the two bit for bit.
    """
    earlier = warm.velocity if warm.earlier is None else warm.earlier
    given, start, limits = admm_step.prepare(problem, warm.velocity, earlier, coulomb)
    return solve(given, warm._replace(velocity=start), limits, threads)


def solve(given: AdmmProblem, warm: Warm, limits: Limits, threads: Threads) -> Found:
    """Iterate from `warm.impulses` and `warm.velocity` within the limits."""
    factor = factorise(given.problem, given.penalty, warm.workspace, threads)
    gamma, v = warm.impulses.copy(), warm.velocity.copy()
    iterations, residual = admm_step.solve_within(given, factor, limits, v, gamma)
    return gamma, v, residual / limits.unit, iterations


def factorise(problem: Problem, penalty: np.ndarray, workspace: Workspace, threads: Threads) -> AdmmFactor:
    """The factor of M + J^T R J, `penalty` (C,) [kg] being R, in the arrays of the workspace.

    If single precision is not enough it is in double precision, in arrays of its own; if neither is, the factor is NaN.
    """
    sym = workspace.factor_structure(problem.body, len(problem.mass))
    factor = workspace.admm_arrays(sym)
    if not _fill(factor, problem, penalty, threads):
        factor = new_admm_arrays(sym, np.float64)
        if not _fill(factor, problem, penalty, threads):
            factor.packed.values[:] = np.nan  # NaN propagates to the residual, and the caller takes another method
    return factor


def _fill(factor: AdmmFactor, problem: Problem, penalty: np.ndarray, threads: Threads) -> bool:
    """Assemble and factorise; False if rounding has made the matrix indefinite."""
    sym, panels, arena, packed = factor
    if threads.count == 1 or len(sym.task_start) == 2:
        return factorise_on_one_thread(problem, penalty, factor)
    assemble_stiffness(problem, penalty, sym, panels)
    if not factorised(sym, panels, arena, threads):
        return False
    pack_factor(sym, panels, packed)
    return True
