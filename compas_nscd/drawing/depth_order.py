"""Painter's algorithm: solids are drawn far ones first.

Of two convex blocks divided by a plane, the one on the side of the eye is drawn last. The faces of both are tried as
planes; where none divides them, the depths of the centres decide.
"""

import heapq
from typing import List, Sequence, Tuple

import numpy as np

#: Overlap of two blocks that still count as divided by a plane [diagonal of the scene]: displaced blocks overlap in a
#: magnified mechanism. Smaller: their order is decided by depth alone; larger: planes that do not divide them count.
OVERLAP = 0.02
#: The same for a plane parallel to the line of sight, where neither block can hide the other.
ROUNDING = 1e-9

#: Vertices [m] (n, 3), outward unit normals of the faces (f, 3), a point of each face [m] (f, 3).
Solid = Tuple[np.ndarray, np.ndarray, np.ndarray]


def order(shapes: Sequence[Solid], paper: Sequence[np.ndarray], towards: np.ndarray) -> List[int]:
    """Return the indices of solids, far ones first.

    Parameters
    ----------
    shapes : list of Solid
    paper : list of (n, 2) array
        The same vertices on paper.
    towards : (3,) array
        Unit vector to the eye.

    Returns
    -------
    list of int
    """
    vertices = [shape[0] for shape in shapes]
    depth = np.array([points.mean(axis=0) @ towards for points in vertices])
    size = np.linalg.norm(np.ptp(np.concatenate(vertices), axis=0)) if vertices else 0.0
    return _sorted(len(shapes), depth, _pairs(shapes, paper, towards, depth, size))


def _pairs(shapes, paper, towards, depth, size):
    """Pairs (behind, in front) of solids that may hide each other: two arrays."""
    low, high = (np.array([f(points, axis=0) for points in paper]).reshape(-1, 2) for f in (np.min, np.max))
    found = []
    for i, (_, normals, points) in enumerate(shapes):
        near = np.flatnonzero(((low < high[i]) & (high > low[i])).all(axis=1))
        near = near[near != i]
        if len(near):
            gaps = _gaps([shapes[j][0] for j in near.tolist()], normals, points)
            facing = normals @ towards
            kinds = (facing > 1e-9, facing < -1e-9, np.abs(facing) <= 1e-9)  # the other in front, behind, beside
            found.append((np.full(len(near), i), near, *(gaps[:, k].max(axis=1, initial=-np.inf) for k in kinds)))
    if not found:
        return np.zeros(0, int), np.zeros(0, int)
    i, j, front, behind, beside = map(np.concatenate, zip(*found))
    other = np.searchsorted(i * len(shapes) + j, j * len(shapes) + i)  # boxes that overlap do so both ways
    forth, back = np.maximum(front, behind[other]), np.maximum(behind, front[other])
    apart = np.maximum(np.maximum(beside, beside[other]), np.minimum(forth, back)) >= -ROUNDING * size
    divided = np.maximum(forth, back) >= -OVERLAP * size
    nearer = np.where(divided, forth > back, depth[j] > depth[i])  # is j in front of i
    keep = (i < j) & ~apart
    i, j, nearer = i[keep], j[keep], nearer[keep]
    return np.where(nearer, i, j), np.where(nearer, j, i)


def _gaps(solids, normals, points):
    """Least distance of every solid's vertices from every plane, along its normal. (solids, planes)"""
    start = np.cumsum([0] + [len(solid) for solid in solids[:-1]])
    distance = np.concatenate(solids) @ normals.T - np.einsum("ij,ij->i", normals, points)
    return np.minimum.reduceat(distance, start, axis=0)


def _sorted(count, depth, pairs):
    """Topological order, far ones first; a cycle of solids that hide each other is cut at the farthest."""
    before, after = np.zeros(count, int), [[] for _ in range(count)]
    for behind, front in zip(*(part.tolist() for part in pairs)):
        after[behind].append(front)
        before[front] += 1
    ready = [(depth[i], i) for i in range(count) if not before[i]]
    heapq.heapify(ready)
    rest = sorted(range(count), key=lambda i: -depth[i])
    done, found = np.zeros(count, bool), []
    while len(found) < count:
        if not ready:
            while done[rest[-1]]:
                rest.pop()
            ready = [(depth[rest[-1]], rest[-1])]
        i = heapq.heappop(ready)[1]
        if done[i]:
            continue
        done[i] = True
        found.append(i)
        for j in after[i]:
            before[j] -= 1
            if not before[j] and not done[j]:
                heapq.heappush(ready, (depth[j], j))
    return found


def hidden(
    at: np.ndarray, depth: np.ndarray, faces: Sequence[np.ndarray], face_depth: Sequence[float], limit: float
) -> np.ndarray:
    """Find the points on paper that lie more than `limit` behind a face that covers them.

    Parameters
    ----------
    at : (n, 2) array
        Points on paper.
    depth : (n,) array
        Their distance towards the eye.
    faces : list of (k, 2) array
        Convex visible faces on paper.
    face_depth : list of float
        Distance of their middles towards the eye.
    limit : float

    Returns
    -------
    (n,) bool array
    """
    found = np.zeros(len(at), bool)
    for corners, middle in zip(faces, face_depth):
        low, high = corners.min(axis=0), corners.max(axis=0)
        rows = np.flatnonzero(~found & (depth < middle - limit) & (at > low).all(axis=1) & (at < high).all(axis=1))
        if len(rows):
            side = np.roll(corners, -1, axis=0) - corners
            arm = at[rows, None] - corners
            turn = side[:, 0] * arm[..., 1] - side[:, 1] * arm[..., 0]
            found[rows] = (turn >= 0.0).all(axis=1) | (turn <= 0.0).all(axis=1)
    return found
