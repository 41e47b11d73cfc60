"""Matrices of blocks from those of their elements; blocks with the same elements share the pattern."""

from __future__ import annotations

from typing import List

import numpy as np
import scipy  # and its matrices where they are used: rigid blocks do without


def assembled(matrix: np.ndarray, cell: np.ndarray, nodes: int, numbers: int) -> List[scipy.sparse.csr_matrix]:
    """Sums (numbers n, numbers n) of element matrices, one for each block.

    Parameters
    ----------
    matrix : array (B, e, numbers k, numbers k)
    cell : array (e, k)
        Nodes of the elements, the same in all blocks.
    nodes : int
        Number of nodes n.
    numbers : int
        Of a node: 3 for displacements, 1 for a mass.
    """
    place = (numbers * cell[:, :, None] + np.arange(numbers)).reshape(len(cell), -1)
    size = numbers * nodes
    row, column = (np.broadcast_to(each, matrix.shape[1:]) for each in (place[:, :, None], place[:, None, :]))
    key, slot = np.unique(row.astype(np.int64) * size + column, return_inverse=True)
    indices = (key % size).astype(np.int32)
    start = np.searchsorted(key, size * np.arange(size + 1, dtype=np.int64)).astype(np.int32)
    slot = slot.ravel()
    return [
        scipy.sparse.csr_matrix((np.bincount(slot, each.ravel(), len(key)), indices, start), shape=(size, size))
        for each in matrix
    ]


def diagonal(value: np.ndarray) -> scipy.sparse.csr_matrix:
    """Diagonal matrix (n, n) of values (n,)."""
    count = len(value)
    return scipy.sparse.csr_matrix(
        (value, np.arange(count, dtype=np.int32), np.arange(count + 1, dtype=np.int32)), (count, count)
    )
