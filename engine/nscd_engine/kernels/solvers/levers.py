"""Levers of contacts: how the tiles of rigid and deformable bodies move them (kernels.solvers.tiles)."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner


@inner
def slot_of(tile, tiles, levers, count):
    """Row of a tile among the first `count` of `tiles`, new and with a lever of 0 if it is not there; the count."""
    for k in range(count):
        if tiles[k] == tile:
            return k, count
    tiles[count] = tile
    levers[count] = 0.0
    return count, count + 1


@inner
def add_rigid(lever, sign, frame, arm):
    """Add the lever (3, 6) of a rigid body: n . (v + w x r) = n . v + w . (r x n)."""
    for k in range(3):
        f = frame[k]
        lever[k, 0] += sign * f[0]
        lever[k, 1] += sign * f[1]
        lever[k, 2] += sign * f[2]
        lever[k, 3] += sign * (arm[1] * f[2] - arm[2] * f[1])
        lever[k, 4] += sign * (arm[2] * f[0] - arm[0] * f[2])
        lever[k, 5] += sign * (arm[0] * f[1] - arm[1] * f[0])


@njit(cache=True, nogil=True)
def gathered_levers(problem, rigid, row, node, weight, axis):
    """Start (C + 1,), tiles (L,), ascending for every contact, levers (L, 3, 6), shares (L, 2) and frames (C, 3, 3).

    The lever of two nodes is the frame times their shares; the shares of a rigid body are NaN.

    Parameters
    ----------
    problem : Problem
    rigid : array (N,)
        Tile of every rigid body, -1 for deformable ones.
    row : array (C, 2)
        Row in `node` and `weight` of either side of the contacts; -1 if it is not deformable.
    node : array (k, m)
        Nodes that move it, two a tile.
    weight : array (k, m)
        [-]
    axis : array (3,)
        Of a planar model, along which nodes do not move; 0 in space.
    """
    count, width = problem.body.shape[0], node.shape[1]
    start, tile = np.zeros(count + 1, np.int64), np.empty(2 * count * (width + 1), np.int64)
    lever, share = np.empty((tile.shape[0], 3, 6)), np.zeros((tile.shape[0], 2))
    frame = np.empty((count, 3, 3))
    for c in range(count):
        tiles, levers, shares, found = tile[start[c] :], lever[start[c] :], share[start[c] :], 0
        for i in range(3):
            f = problem.frame[c, i]
            along = f[0] * axis[0] + f[1] * axis[1] + f[2] * axis[2]
            for j in range(3):
                frame[c, i, j] = f[j] - along * axis[j]
        for side in range(2):
            sign, body, at = 2.0 * side - 1.0, problem.body[c, side], row[c, side]
            if at >= 0:
                for m in range(width):
                    if weight[at, m] == 0.0:
                        continue
                    k, found = slot_of(node[at, m] // 2, tiles, levers, found)
                    shares[k, node[at, m] % 2] += sign * weight[at, m]
                    for i in range(3):
                        for j in range(3):
                            levers[k, i, 3 * (node[at, m] % 2) + j] += sign * weight[at, m] * frame[c, i, j]
            elif body >= 0:
                k, found = slot_of(rigid[body], tiles, levers, found)
                add_rigid(levers[k], sign, problem.frame[c], problem.arm[c, side])
                shares[k] = np.nan
        order = np.argsort(tiles[:found])
        sorted_tiles, sorted_levers, sorted_shares = tiles[order], levers[order], shares[order]
        tiles[:found], levers[:found], shares[:found] = sorted_tiles, sorted_levers, sorted_shares
        start[c + 1] = start[c] + found
    last = start[count]
    return start, tile[:last].copy(), lever[:last].copy(), share[:last].copy(), frame


@njit(cache=True, nogil=True)
def crossed_tiles(start, tile):
    """Start (C + 1,) and tiles (K, 2) of the pairs of levers i < j of every contact, by j and then i."""
    count = start.shape[0] - 1
    begin = np.zeros(count + 1, np.int64)
    for c in range(count):
        number = start[c + 1] - start[c]
        begin[c + 1] = begin[c] + number * (number - 1) // 2
    pair, k = np.empty((begin[count], 2), np.int64), 0
    for c in range(count):
        for j in range(start[c], start[c + 1]):
            for i in range(start[c], j):
                pair[k, 0], pair[k, 1] = tile[i], tile[j]
                k += 1
    return begin, pair
