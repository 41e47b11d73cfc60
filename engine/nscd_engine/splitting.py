"""Splitting solve of the problem of a step: many cheap iterations with one factor, for blocks that slide and hit.

From the step before it is some twenty iterations, however many contacts change between stick, slide and open; Newton's
method has to find out which do, and interior points start from nothing.
"""

from typing import NamedTuple

import numpy as np

from .kernels import measures
from .kernels.packed_factor import Packed, pack_factor, packed_size
from .kernels.splitting import descend
from .kernels.stiffness_factor import assemble_stiffness, stiffness_factor
from .system import factorised, symbolic

#: 1 / (R w) [-]: smaller, and the friction law comes late; larger, and blocks tremble.
SOFTNESS = 0.03
#: What contacts may miss in the mean: so much for every contact, which for a few is next to nothing, and so much at
#: most; and at worst [-]. All over the impulse of weight and loads that the step brings.
MEAN, ROUGHEST_MEAN, WORST = 1e-5, 5e-3, 0.2
#: Iterations: so many contacts visited, but between these two; and those if a contact then misses too much.
VISITS, ITERATIONS, MORE_ITERATIONS = 10000, (30, 200), 200


class Room(NamedTuple):
    """Memory of a factor."""

    sym: object
    panels: np.ndarray
    arena: np.ndarray
    packed: Packed


def take(problem, warm, coulomb, threads):
    """`iterate` as a step of dry blocks needs it."""
    count = max(len(problem.friction), 1)
    most = min(max(VISITS // count, ITERATIONS[0]), ITERATIONS[1])
    mean = min(MEAN * count, ROUGHEST_MEAN)
    return iterate(problem, warm, coulomb, threads, SOFTNESS, mean, WORST, (most, MORE_ITERATIONS))


def iterate(problem, warm, coulomb, threads, softness, mean, worst, budgets):
    """Impulses (C, 3), velocities (N, 6), what a contact misses at worst over what the step brings, and iterations.

    It starts from `warm.impulses` and `warm.velocity`, and goes on until contacts miss no more than `mean` in the mean,
    or the first of the `budgets` of iterations is spent; the next is, if a contact then misses more than `worst`.
    """
    inverse = measures.inverse_inertia(problem)
    w = measures.mobility(problem, inverse)
    brought = measures.brought(problem, warm.velocity) or 1.0
    room = factor_of(problem, softness, w, warm.cache, threads)
    gamma, v, total = warm.impulses.copy(), warm.velocity.copy(), 0
    for most in budgets:
        done, missed = descend(
            problem, softness, w, inverse, room.sym, room.packed, coulomb, most, mean * brought, v, gamma
        )
        total += done
        if missed <= worst * brought:
            break
    return gamma, v, missed / brought, total


def factor_of(problem, softness, w, cache, threads):
    """The factor of M + J^T R J, in memory of an earlier step if it fits; R = 1 / (softness w)."""
    sym, hardness = symbolic(problem, cache), 1.0 / (softness * w)
    room = cache.get("splitting")
    if room is None or room.sym is not sym:
        room = cache["splitting"] = _room(sym, np.float32)
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
