"""Contacts and matrices of rigid and deformable bodies as tiles of six numbers (kernels.solvers.tiles)."""

from __future__ import annotations

from typing import NamedTuple, Tuple

import numpy as np
from scipy.sparse import block_diag, csr_matrix, identity

from nscd_engine.core.structs import Problem


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


def rigid_levers(problem: Problem, tile: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Contacts, tiles and levers (k, 3, 6) of the rigid bodies, whose tiles are `tile` (N,), -1 for the others."""
    found = []
    for side, sign in ((0, -1.0), (1, 1.0)):
        body = problem.body[:, side]
        contact = np.flatnonzero((body >= 0) & (tile[body] >= 0))
        arm, lever = problem.arm[contact, side], np.zeros((len(contact), 3, 6))
        frame = sign * problem.frame[contact]
        lever[:, :, :3] = frame
        lever[:, :, 3:] = np.cross(arm[:, None], frame)  # n . (w x r) = w . (r x n)
        found.append((contact, tile[body[contact]], lever))
    contact, tiles, lever = (np.concatenate(parts) for parts in zip(*found))
    return contact, tiles, lever


def node_levers(
    frame: np.ndarray, contact: np.ndarray, node: np.ndarray, weight: np.ndarray
) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Contacts, tiles and levers (j, 3, 6) of points that move with m nodes each.

    Parameters
    ----------
    frame : array (C, 3, 3)
        Axes of the contacts as rows, without what the nodes cannot follow.
    contact : array (k,)
    node : array (k, m)
        Two a tile.
    weight : array (k, m)
        Positive on side b, negative on side a [-].
    """
    used = np.nonzero(weight)
    contact, node, weight = contact[used[0]], node[used], weight[used]
    lever = np.zeros((len(node), 3, 2, 3))
    lever[np.arange(len(node)), :, node % 2] = weight[:, None, None] * frame[contact]
    return contact, node // 2, lever.reshape(-1, 3, 6)


def gathered(count: int, contact: np.ndarray, tile: np.ndarray, lever: np.ndarray) -> Levers:
    """Levers (k, 3, 6) sorted by contacts and tiles; those of one tile are added."""
    tiles = int(tile.max(initial=0)) + 1
    key, of = np.unique(contact.astype(np.int64) * tiles + tile, return_inverse=True)
    total = np.zeros((len(key), 3, 6))
    np.add.at(total, of, lever)
    start = np.searchsorted(key // tiles, np.arange(count + 1))
    return Levers(start.astype(np.int64), key % tiles, total)


def crossings(levers: Levers) -> Tuple[np.ndarray, np.ndarray]:
    """Start (C + 1,) and tiles (K, 2) of the pairs of levers i < j of every contact, by j and then i."""
    number = np.diff(levers.start)
    pairs = number * (number - 1) // 2
    start = np.concatenate([[0], np.cumsum(pairs)]).astype(np.int64)
    within = np.arange(start[-1]) - np.repeat(start[:-1], pairs)
    j = ((1.0 + np.sqrt(1.0 + 8.0 * within)) / 2.0).astype(np.int64)
    i = within - j * (j - 1) // 2
    first = np.repeat(levers.start[:-1], pairs)
    return start, np.column_stack([levers.tile[first + i], levers.tile[first + j]])
