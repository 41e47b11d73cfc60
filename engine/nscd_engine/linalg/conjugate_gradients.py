"""Conjugate gradients for matrices of the graph of bodies whose Cholesky factor would be too large or too slow.

The matrix is assembled as for a factor, but block beside block, without room for fill. The preconditioner is the
inverse of the diagonal blocks (block Jacobi). Sums are added part by part: the same bits for any number of threads.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, List, Optional

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.threads import Threads, shares
from nscd_engine.kernels.linalg.block_rows import (
    BlockRows,
    Iterate,
    block_rows,
    by_diagonal,
    dot,
    invert_diagonal,
    multiply,
    step_along,
    turn_direction,
)
from nscd_engine.kernels.linalg.cholesky import Symbolic

#: Numbers of a block [-].
BLOCK = 36
#: Bodies of a part [-]. Larger: threads are idle. Smaller: handing out parts takes longer than the work.
PART = 2000
#: Most iterations of one solution [-]; a massive pier takes 100 to 500. Fewer: the direction is not one of descent.
#: More: a structure with loose blocks takes long before the factor takes over.
MOST_ITERATIONS = 4000


def block_structure(count: int, pairs: np.ndarray) -> Symbolic:
    """Where `assemble` puts the blocks of a matrix without fill: of the bodies, then of the pairs (K, 2)."""
    none, numbers = np.zeros(1, np.int64), np.arange(count + len(pairs), dtype=np.int64)
    width = np.full(len(numbers), 6, np.int64)
    return Symbolic(
        order=np.arange(count),
        first=none,
        row_start=none,
        rows=none[:0],
        position=none[:0],
        child_start=none,
        child=none[:0],
        panel_start=np.array([0, BLOCK * len(numbers)]),
        update_start=none[:0],
        arena=0,
        schedule=none[:0],
        task_start=np.zeros(2, np.int64),
        diagonal=BLOCK * numbers[:count],
        diagonal_stride=width[:count],
        pair_start=np.searchsorted(pairs[:, 0], np.arange(count + 1)),
        other=pairs[:, 1].astype(np.int64),
        pair=BLOCK * numbers[count:],
        stride=width[count:],
        flip=np.zeros(len(pairs), bool),
    )


class ConjugateGradients:
    """Solutions of A x = b for the matrices of one structure.

    Parameters
    ----------
    sym : Symbolic
        Of `block_structure`.
    threads : Threads

    Attributes
    ----------
    iterations : int
        Of all solutions so far.
    """

    def __init__(self, sym: Symbolic, threads: Threads) -> None:
        count = len(sym.diagonal)
        self.rows = BlockRows(*block_rows(sym.pair_start, sym.other))
        self.threads, self.iterations = threads, 0
        self.parts = shares(count, max(1, count // PART))
        self.inverse = np.empty((count, 6, 6))
        self.state = Iterate(*(np.empty((count, 6)) for _ in Iterate._fields))
        self.blocks: np.ndarray = np.empty((0, 6, 6))

    def prepare(self, values: np.ndarray) -> bool:
        """Take the blocks of a matrix; False if rounding has made a diagonal block indefinite."""
        self.blocks = values.reshape(-1, 6, 6)
        return all(self._each(partial(invert_diagonal, self.blocks, self.inverse)))

    def solve(self, b: np.ndarray, x: np.ndarray, accuracy: float, monitor: Optional[Monitor] = None) -> bool:
        """x = A^-1 b, both (N, 6), to an error of `accuracy` of that of x = 0, about; False if it takes too long."""
        state = self.state
        state.x[:], state.r[:], state.p[:] = 0.0, b, 0.0
        size, goal = 1.0, -1.0
        for k in range(MOST_ITERATIONS):
            self._each(partial(by_diagonal, self.inverse, state))
            before, size = size, self._sum(partial(dot, state.r, state.z))
            if k == 0:
                goal = accuracy * accuracy * size
            if size <= goal or not size > 0.0:
                break
            if monitor is not None:
                monitor.heed()
            beta = 0.0 if k == 0 else size / before
            self._each(partial(turn_direction, state, beta))
            alpha = size / self._sum(partial(multiply, self.rows, self.blocks, state.p, state.q))
            self._each(partial(step_along, state, alpha))
            self.iterations += 1
        x[:] = state.x
        return bool(size <= goal)

    def _each(self, function: Callable[[int, int], Any]) -> List[Any]:
        """function(low, high) of every part."""
        return self.threads.map(lambda part: function(*part), self.parts)

    def _sum(self, function: Callable[[int, int], float]) -> float:
        return float(sum(self._each(function)))
