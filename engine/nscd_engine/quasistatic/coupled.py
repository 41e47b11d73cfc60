"""The stiffness matrix with friction's coupling, which is not symmetric, and its LU factors."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from nscd_engine.bodies.planar import motions
from nscd_engine.kernels.quasistatic.stiffness_matrix import contact_blocks
from nscd_engine.linalg.ordering import places
from nscd_engine.quasistatic.system import System

#: Pivot on the diagonal over the greatest of its column, from which it is taken [-]. Larger: the order that keeps the
#: factors sparse is lost. Smaller: rounding grows.
PIVOT = 0.01
#: Columns that SuperLU treats together, and unknowns of subtrees that it merges [-]. Measured for 2,000 discs.
PANEL, MERGED = 4, 20


class CoupledStiffness:
    """K + diag(rho) of a system with friction that follows the normal force, solved by sparse LU (SuperLU).

    A planar model has three unknowns per element.

    Parameters
    ----------
    system : System
    order : array (N,)
        Elements in the order of elimination.
    """

    def __init__(self, system: System, order: np.ndarray) -> None:
        self.system, self.order = system, order
        self.axes = motions(system.model.planar)
        pairs = system.free[system.contacts.body]
        row, column = pairs[:, [0, 0, 1, 1]].ravel(), pairs[:, [0, 1, 0, 1]].ravel()
        self.used = (row >= 0) & (column >= 0)
        moving = np.arange(len(order))
        at = places(order)
        self._lay_out(at[np.append(row[self.used], moving)], at[np.append(column[self.used], moving)])

    def _lay_out(self, row: np.ndarray, column: np.ndarray) -> None:
        """Where the numbers of blocks (k,) of rows and columns go in a matrix by columns."""
        m, size = self.axes.shape[1], self.axes.shape[1] * len(self.order)
        rows = np.broadcast_to(m * row[:, None, None] + np.arange(m)[:, None], (len(row), m, m))
        columns = np.broadcast_to(m * column[:, None, None] + np.arange(m), (len(row), m, m))
        key, self.slot = np.unique((columns * size + rows).ravel(), return_inverse=True)
        self.slot = self.slot.ravel()
        self.row = (key % size).astype(np.int32)
        self.start = np.searchsorted(key, size * np.arange(size + 1)).astype(np.int32)

    def solve(self, ground: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(K + ground)^-1 b for blocks ground (N, 6, 6) and b (N, 6). RuntimeError if it is exactly singular."""
        m, system = self.axes.shape[1], self.system
        blocks = np.empty((len(system.contacts.body), 4, m, m))
        contact_blocks(system.contacts, system.state.tangent, self.axes, blocks)
        own = self.axes.T @ ground @ self.axes
        numbers = np.concatenate([blocks.reshape(-1, m, m)[self.used], own]).ravel()
        matrix = csc_matrix((np.bincount(self.slot, numbers), self.row, self.start))
        options = {"SymmetricMode": True}
        factors = splu(matrix, "NATURAL", PIVOT, MERGED, PANEL, options)
        x = np.empty_like(b)
        x[self.order] = factors.solve((b[self.order] @ self.axes).ravel()).reshape(-1, m) @ self.axes.T
        return x
