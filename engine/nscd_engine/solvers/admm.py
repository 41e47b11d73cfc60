"""ADMM, the alternating direction method of multipliers, for the problem of a step (docs/methods.md, section 5.5).

One factor serves all iterations of a step. Started from the step before it takes some twenty iterations, however many
contacts change between stick, slide and open. Iterations of many bodies are divided into parts that threads take:
contacts, and the subtrees of the factor. Sums are added part by part, so that the bits do not depend on the threads.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from nscd_engine.core.structs import Problem
from nscd_engine.core.threads import Threads, shares
from nscd_engine.kernels.linalg.packed_factor import pack_factor
from nscd_engine.kernels.linalg.padded_tile import WIDTH
from nscd_engine.kernels.solvers import admm as kernel
from nscd_engine.kernels.solvers import admm_step
from nscd_engine.kernels.solvers.admm import AdmmProblem
from nscd_engine.kernels.solvers.admm_matrix import AdmmFactor, assemble_stiffness
from nscd_engine.kernels.solvers.admm_matrix import factorise as factorise_on_one_thread
from nscd_engine.kernels.solvers.admm_step import Limits
from nscd_engine.linalg.factor import factorised
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.workspace import Workspace, new_admm_arrays

#: Most bodies whose iterations are one kernel, as in compiled steps [-]; beyond, they are in parts. More: threads are
#: idle. Fewer: handing out the parts takes longer than they save.
MOST_WHOLE = 1000
#: Parts of the contacts, and of the packing of a factor [-]. More: each part has its own sum for every body. Fewer:
#: threads are idle.
PARTS = 4

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
    if len(v) <= MOST_WHOLE:
        iterations, residual = admm_step.solve_within(given, factor, limits, v, gamma)
    else:
        iterations, residual = solve_in_parts(given, factor, limits, v, gamma, threads)
    return gamma, v, residual / limits.unit, iterations


def solve_in_parts(
    given: AdmmProblem, factor: AdmmFactor, limits: Limits, v: np.ndarray, gamma: np.ndarray, threads: Threads
) -> Tuple[int, float]:
    """As `admm_step.solve_within`, on several threads; to another rounding, the same bits for any number of them."""
    total, residual, order = 0, np.inf, factor.sym.order
    for most in limits.iterations:
        lanes, moving = kernel.begin(given, order, v, gamma)
        tolerance = limits.mean * limits.unit * len(gamma)
        total += _iterate(given.problem, lanes, factor, moving, (most, tolerance), threads)
        residual = kernel.end(given, order, lanes, moving, v, gamma)
        if residual <= limits.worst * limits.unit:
            break
    return total, residual


def _iterate(problem, lanes, factor, moving, until, threads):
    """As `kernels.solvers.admm.iterate`, in parts; `until` are the most iterations and the tolerance [N s]."""
    sym, packed, (most, tolerance) = factor.sym, factor.packed, until
    tree = kernel.Tree(*[getattr(sym, name) for name in kernel.Tree._fields])
    tasks, ends = len(sym.task_start) - 1, shares(len(lanes.longest), PARTS)
    vectors = np.zeros((tasks, WIDTH * len(sym.order)), np.float32)
    now = kernel.Iterate(moving, np.zeros_like(moving), np.zeros((PARTS, *moving.shape)), vectors)
    kernel.begin_parts(problem, sym.order, now)

    def update(part):
        return kernel.update_part(lanes, *ends[part], now, part)

    def forward(task):
        kernel.forward_part(tree, packed, task, now)

    def backward(task):
        kernel.backward_part(problem, tree, packed, task, now)

    for k in range(most):
        residual = sum(threads.map(update, range(PARTS)))
        threads.map(forward, range(tasks - 1))
        kernel.solve_last(problem, tree, packed, now)
        threads.map(backward, range(tasks - 1))
        if k > 0 and residual <= tolerance:
            return k + 1
    return most


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
    edges = np.searchsorted(sym.panel_start, sym.panel_start[-1] * np.arange(PARTS + 1) / PARTS).tolist()
    threads.map(lambda ends: pack_factor(sym, panels, packed, *ends), list(zip(edges[:-1], edges[1:])))
    return True
