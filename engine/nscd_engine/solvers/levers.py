"""Contacts and matrices of rigid and deformable bodies as tiles of six numbers (kernels.solvers.tiles)."""

from __future__ import annotations

from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

import numpy as np
import scipy  # and its matrices where they are used: rigid blocks do without


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
    share: np.ndarray  # (L, 2)
    frame: np.ndarray  # (C, 3, 3)


def blocks(matrix: scipy.sparse.csr_matrix) -> Blocks:
    """A symmetric matrix (3n, 3n) of n nodes, two nodes a tile; an odd last node is padded with ones."""
    return all_blocks([matrix])[0]


def all_blocks(matrices: Sequence[scipy.sparse.csr_matrix]) -> List[Blocks]:
    """The same of many matrices: those of like meshes have one pattern, which is divided into tiles once."""
    groups: Dict[Tuple[bytes, bytes], List[int]] = {}
    for k, matrix in enumerate(matrices):
        groups.setdefault((matrix.indptr.tobytes(), matrix.indices.tobytes()), []).append(k)
    found: Dict[int, Blocks] = {}
    for rows in groups.values():
        values = np.array([matrices[k].data for k in rows])
        found.update(zip(rows, _of_pattern(matrices[rows[0]], values)))
    return [found[k] for k in range(len(matrices))]


def _of_pattern(matrix: scipy.sparse.csr_matrix, values: np.ndarray) -> Iterator[Blocks]:
    """Blocks of matrices with the pattern of one of them and values (B, nonzeros)."""
    size = matrix.shape[0]
    tiles = -(-size // 6)
    row, column = np.repeat(np.arange(size), np.diff(matrix.indptr)), matrix.indices.astype(np.int64)
    kept = np.flatnonzero(row // 6 <= column // 6)
    row, column = row[kept], column[kept]
    every = np.arange(tiles) * (tiles + 1)  # keys of the blocks on the diagonal
    key, slot = np.unique(np.concatenate([every, row // 6 * tiles + column // 6]), return_inverse=True)
    flat = np.zeros((len(values), len(key) * 36))
    flat[:, 36 * slot[tiles:] + 6 * (row % 6) + column % 6] = values[:, kept]
    each = flat.reshape(len(values), len(key), 6, 6)
    pad = np.arange(size - 6 * (tiles - 1), 6)
    own = slot[:tiles]
    each[:, own[-1], pad, pad] = 1.0
    upper = np.setdiff1d(np.arange(len(key)), own)
    pair = np.column_stack([key[upper] // tiles, key[upper] % tiles])
    return (Blocks(diagonal, pair, coupling) for diagonal, coupling in zip(each[:, own], each[:, upper]))


def rigid_blocks(mass: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """Blocks (N, 6, 6) of rigid bodies with masses [kg] (N,) and inertias [kg m2] (N, 3, 3)."""
    diagonal = np.zeros((len(mass), 6, 6))
    diagonal[:, [0, 1, 2], [0, 1, 2]] = mass[:, None]
    diagonal[:, 3:, 3:] = inertia
    return diagonal
