"""Contacts and matrices of rigid and deformable bodies as tiles of six numbers (kernels.solvers.tiles)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import block_diag, csr_matrix, identity


class Blocks(NamedTuple):
    """A symmetric matrix of one body as blocks of 6 x 6. t tiles, p pairs."""

    diagonal: np.ndarray  # (t, 6, 6)
    pair: np.ndarray  # (p, 2) int64: tiles a < b
    coupling: np.ndarray  # (p, 6, 6)


class Levers(NamedTuple):
    """J by contacts, as in `Tiles`. C contacts, L levers."""

    start: np.ndarray  # (C + 1,) int64
    tile: np.ndarray  # (L,) int64
    lever: np.ndarray  # (L, 3, 6)


def blocks(matrix: csr_matrix) -> Blocks:
    """A symmetric matrix (3n, 3n) of n nodes, two nodes a tile; an odd last node is padded with ones."""
    size = matrix.shape[0]
    tiles = -(-size // 6)
    pad = identity(6 * tiles - size)
    padded = block_diag([matrix, pad], format="csr") if pad.shape[0] else matrix
    by_tiles = padded.tobsr((6, 6))
    by_tiles.sum_duplicates()
    row, column = np.repeat(np.arange(tiles), np.diff(by_tiles.indptr)), by_tiles.indices
    diagonal = np.zeros((tiles, 6, 6))
    own, upper = row == column, row < column
    diagonal[row[own]] = by_tiles.data[own]
    pair = np.column_stack([row[upper], column[upper]]).astype(np.int64)
    return Blocks(diagonal, pair, by_tiles.data[upper].copy())


def rigid_blocks(mass: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """Blocks (N, 6, 6) of rigid bodies with masses [kg] (N,) and inertias [kg m2] (N, 3, 3)."""
    diagonal = np.zeros((len(mass), 6, 6))
    diagonal[:, [0, 1, 2], [0, 1, 2]] = mass[:, None]
    diagonal[:, 3:, 3:] = inertia
    return diagonal
