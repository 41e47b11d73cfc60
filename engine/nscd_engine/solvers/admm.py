"""Splitting solve of the problem of a step: many cheap iterations with one factor, for blocks that slide and hit.

From the step before it is some twenty iterations, however many contacts change between stick, slide and open; Newton's
method has to find out which do, and interior points start from nothing.
"""

from typing import NamedTuple

import numpy as np

from nscd_engine.kernels.linalg.packed_factor import Packed, pack_factor, packed_size
from nscd_engine.kernels.solvers import admm_step, operators, residuals
from nscd_engine.kernels.solvers.admm_matrix import assemble_stiffness, stiffness_factor
from nscd_engine.linalg.factor import factorised, symbolic


class Room(NamedTuple):
    """Memory of a factor."""

    sym: object
    panels: np.ndarray
    arena: np.ndarray
    packed: Packed


def take(problem, warm, coulomb, threads):
    """`iterate` as a step of dry blocks needs it."""
    count = len(problem.friction)
    start = admm_step.ahead(warm.velocity, warm.velocity if warm.earlier is None else warm.earlier, count)
    rules = admm_step.miss_allowed(count), admm_step.WORST, admm_step.budgets(count)
    return iterate(problem, warm, start, coulomb, threads, admm_step.hardness, *rules)


def iterate(problem, warm, start, coulomb, threads, hardness, mean, worst, budgets):
    """Impulses (C, 3), velocities (N, 6), what a contact misses at worst over what the step brings, and iterations.

    It starts from `warm.impulses` and velocities `start` (N, 6), and goes on until contacts miss no more than `mean` in
    the mean, or the first of the `budgets` of iterations is spent; the next is, if a contact then misses more than
    `worst`. `hardness` gives R (C,) for the problem and the mobilities of its contacts.
    """
    inverse = operators.inverse_inertia(problem)
    w = operators.mobility(problem, inverse)
    (_, unit), R = residuals.brought(problem, warm.velocity), hardness(problem, w)
    room = factor_of(problem, R, warm.cache, threads)
    gamma, v = warm.impulses.copy(), start.copy()
    total, missed = admm_step.spend(
        problem, R, w, inverse, room.sym, room.packed, coulomb, budgets, mean * unit, worst * unit, v, gamma
    )
    return gamma, v, missed / unit, total


def room_for(sym, cache):
    """Memory of a factor of this structure, that of an earlier step if it fits."""
    room = cache.get("splitting")
    if room is None or room.sym is not sym:
        room = cache["splitting"] = _room(sym, np.float32)
    return room


def factor_of(problem, hardness, cache, threads):
    """The factor of M + J^T R J, in memory of an earlier step if it fits; `hardness` (C,) is R."""
    sym = symbolic(problem.body, len(problem.mass), cache)
    room = room_for(sym, cache)
    if not _fill(room, problem, hardness, threads):
        room = _room(sym, np.float64)
        if not _fill(room, problem, hardness, threads):
            room.packed.values[:] = np.nan  # neither will be numbers what the iterations find, which is seen
    return room


def _room(sym, kind):
    start, size = packed_size(sym)
    packed = Packed(start, np.empty(size, np.float32))
    return Room(sym, np.empty(int(sym.panel_start[-1]), kind), np.empty(sym.arena, kind), packed)


def _fill(room, problem, hardness, threads):
    """False if rounding has made the matrix indefinite."""
    sym, panels, arena, packed = room
    if threads.count == 1 or len(sym.task_start) == 2:
        return stiffness_factor(problem, hardness, sym, panels, arena, packed)
    assemble_stiffness(problem, hardness, sym, panels)
    if not factorised(sym, panels, arena, threads):
        return False
    pack_factor(sym, panels, packed)
    return True
