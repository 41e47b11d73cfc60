"""Blocks that hold back an iteration of Newton's method, solved by themselves (docs/methods.md, section 2.2).

A block that comes loose meets its neighbours after a small part of its step, and the step is one for all. Such blocks
are few and close together. With all others held at their velocities they are a small problem of the same kind, whose
factor costs little; what it finds lowers the same function.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.structs import Problem
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.solvers.hessian import GroupedContacts, Work, assemble, relative_velocities, soften
from nscd_engine.kernels.solvers.newton_step import advance, evaluate
from nscd_engine.kernels.solvers.pair_grouping import runs
from nscd_engine.linalg.factor import factorised, solve_factored, structure_of
from nscd_engine.solvers.workspace import Workspace

#: Step of the line search over the direction, below which it is short [-]. Larger: stiffnesses are softened, and blocks
#: solved by themselves, in iterations that need neither. Smaller: short steps are repeated.
SHORT_STEP = 0.25
#: Fewest bodies of a problem whose loose blocks are solved by themselves [-]. Fewer: their structure takes longer than
#: a factor of all.
FEWEST = 1000
#: Imbalance over the greatest, and step over the greatest, from which a block is one of them [-]. Larger: more
#: iterations of all. Smaller: more blocks than hold the others back.
LOOSE = 0.03
#: Most of them over all blocks [-]; their neighbours are added. Larger: their factor costs as much as that of all.
MOST_SHARE = 0.03
#: Most of them with their neighbours over all blocks [-]; none are solved by themselves if there are more. Larger: as
#: for `MOST_SHARE`. Smaller: solid structures, in which a block has many neighbours, take more iterations of all.
MOST_NEAR = 0.5
#: Neighbours of neighbours up to which they are added [-]. More: as for `MOST_SHARE`. Fewer: what has been moved from
#: one block to the next comes back.
LAYERS = 2
#: Imbalance left over that before [-]. Smaller: iterations on velocities of neighbours that change.
LEFT = 0.1
#: Most iterations on them [-].
MOST_ITERATIONS = 15


def step_length(start: np.ndarray, work: Work) -> float:
    """Way of the velocities since `start` (N, 6) over the direction in work.d [-]."""
    asked = np.abs(work.d).max(initial=0.0)
    return float(np.abs(work.v - start).max() / asked) if asked > 0.0 else 1.0


def held_back(grouped: GroupedContacts, work: Work, short: bool) -> np.ndarray:
    """Bodies (K,) int64 that are most out of balance, and after a short step those that had farthest to go.

    None if they are so many that they would take as long as all.
    """
    share = _over_greatest(work.g[:, :3])
    if short:
        share = np.maximum(share, _over_greatest(work.d))
    most = max(int(MOST_SHARE * len(share)), 1)
    least = max(LOOSE, float(np.partition(share, -most)[-most]))
    near = np.append(share >= least, False)  # the last is for supports, whose row is -1
    for _ in range(LAYERS):
        near[grouped.body[near[grouped.body].any(axis=1)]] = True
        near[-1] = False
    bodies = np.flatnonzero(near)
    return bodies if len(bodies) <= MOST_NEAR * len(share) else bodies[:0]


def _over_greatest(values: np.ndarray) -> np.ndarray:
    """Greatest component of every row (N, K) over that of all [-] (N,)."""
    size = np.abs(values).max(axis=1)
    return size / max(float(size.max(initial=0.0)), np.finfo(float).tiny)


class LooseBlocks:
    """Some bodies of a problem, all others being held at their velocities.

    Parameters
    ----------
    problem : Problem
        With velocities counted as in `work`.
    grouped : GroupedContacts
    work : Work
        Arrays of all bodies, evaluated.
    unit : array (N,)
        Units of imbalance [N s].
    bodies : array (K,)

    Attributes
    ----------
    work : Work
        Arrays of these bodies: `work.v` are their velocities.
    """

    def __init__(
        self, problem: Problem, grouped: GroupedContacts, work: Work, unit: np.ndarray, bodies: np.ndarray
    ) -> None:
        row = np.full(len(problem.mass) + 1, -1, np.int32)
        row[bodies] = np.arange(len(bodies))
        ends = row[grouped.body]
        pairs = np.flatnonzero((ends >= 0).any(axis=1))
        count = np.diff(grouped.start)[pairs]
        first = np.cumsum(count) - count
        contact = np.arange(count.sum()) + np.repeat(grouped.start[pairs] - first, count)
        body = np.repeat(ends[pairs], count, axis=0)
        self.unit, self.sym = unit[bodies], structure_of(body, len(bodies))
        start, slot, _ = runs(body, self.sym.pair_start, self.sym.other)
        fields = [field[contact] for field in (grouped.arm, grouped.frame, grouped.friction, grouped.w)]
        self.grouped = GroupedContacts(body[start[:-1]].astype(np.int64), start, slot, contact, *fields)
        own = problem.mass[bodies], problem.inertia[bodies], problem.v_free[bodies]
        none = np.zeros((len(contact), 3))
        self.problem = Problem(*own, body, fields[0], fields[1], none, fields[2], none[:, :2].copy())
        self.work = Workspace().newton_arrays(len(contact), len(bodies), self.sym)
        self.work.e[:], self.work.bound[:] = work.e[contact], work.bound[contact]
        self.work.v[:] = work.v[bodies]
        relative_velocities(self.grouped, self.work.v, self.work.u)
        np.subtract(work.target[contact], work.u[contact] - self.work.u, out=self.work.target)

    def descend(self, goal: float, width: float, monitor: Optional[Monitor]) -> None:
        """Newton's method to an imbalance of `goal` over the units, as far as a few iterations lead.

        `width` is that of `soften` over the imbalance [N s].
        """
        work, spread, one = self.work, False, Threads(1)
        size = evaluate(self.problem, self.grouped, work, self.unit)
        for _ in range(MOST_ITERATIONS):
            if size <= goal:
                break
            if monitor is not None:
                monitor.heed()
            if spread:
                soften(self.grouped.friction, work, width * size)
            assemble(self.problem, self.grouped, work.G, self.sym, work.factor)
            if not factorised(self.sym, work.factor, work.arena, one):
                break
            solve_factored(self.sym, work.factor, work.arena, -work.g, work.d, one)
            before = work.v.copy()
            size = advance(self.problem, self.grouped, work, self.unit)
            spread = spread or step_length(before, work) < SHORT_STEP
