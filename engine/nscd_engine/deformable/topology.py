"""How blocks are divided into elements, from their faces alone: blocks with the same faces share it.

A node is a mean of points, and a point is a mean of vertices, or the centroid of the block. Nodes of neighbouring
parents are the same node if they are the same mean: no coordinates are compared.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import scipy  # and its matrices where they are used: rigid blocks do without

#: Faces of an element, counter-clockwise from outside; by number of nodes.
FACETS = {
    3: np.array([[0, 1], [1, 2], [2, 0]]),
    4: np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]),
    8: np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]),
}
#: Corners of the hexahedron [-1, 1]^3, in the order of the nodes of an H8.
HEXAHEDRON = np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
)

Faces = Tuple[Tuple[int, ...], ...]


class Topology(NamedTuple):
    """Elements of blocks with the same faces."""

    weight: scipy.sparse.csr_matrix  # (n, v + 1): node = weight @ (vertices, centroid)
    cell: np.ndarray  # (e, k) int32
    face: np.ndarray  # (f, 4) int32
    face_cell: np.ndarray  # (f,) int32
    refine: int


@lru_cache(maxsize=16)
def tetrahedra(faces: Faces, refine: int) -> Topology:
    """Each face a fan about its mean vertex, each triangle a tetrahedron with the centroid, divided into n^3."""
    points = _Points(faces)
    centroid = points.add(())
    parents = [[centroid, *triangle] for triangle in _fans(faces, points)]
    return _divided(points, parents, _tetrahedron(refine), refine)


@lru_cache(maxsize=16)
def hexahedra(faces: Faces, refine: int) -> Optional[Topology]:
    """A hexahedron as a grid of n^3; another block whose vertices have three edges as one such grid a vertex.

    None if a vertex has more edges.
    """
    points = _Points(faces)
    if len(faces) == 6 and all(len(face) == 4 for face in faces):
        parents = [_hexahedron_corners(faces)]
    else:
        parents = _midpoint_subdivision(faces, points)
    return None if parents is None else _divided(points, parents, _grid(refine), refine)


@lru_cache(maxsize=16)
def triangles(outline: Tuple[int, ...], vertices: int, refine: int) -> Topology:
    """Triangles of a star-shaped outline, counter-clockwise: a fan about the centroid, each divided into n^2.

    A quadrilateral with n >= 2 is a grid of n x n, two triangles each, with alternating diagonals.
    """
    points = _Points((tuple(range(vertices)),))
    if len(outline) == 4 and refine > 1:
        return _divided(points, [list(outline)], _quadrilateral(refine), refine)
    centroid = points.add(())
    parents = [[centroid, a, b] for a, b in zip(outline, outline[1:] + outline[:1])]
    return _divided(points, parents, _triangle(refine), refine)


@lru_cache(maxsize=16)
def divided_triangles(corners: Tuple[Tuple[int, int, int], ...], vertices: int, refine: int) -> Topology:
    """Given triangles of vertices, each divided into n^2."""
    points = _Points((tuple(range(vertices)),))
    return _divided(points, [list(each) for each in corners], _triangle(refine), refine)


def boundary(cell: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Faces (f, 4) that belong to one cell only, padded by -1, and these cells (f,), both int32; cell (e, k)."""
    facets = FACETS[cell.shape[1]]
    every = cell[:, facets].reshape(-1, facets.shape[1])
    _, first, count = np.unique(np.sort(every, axis=1), axis=0, return_index=True, return_counts=True)
    outer = np.sort(first[count == 1])
    face = np.full((len(outer), 4), -1, np.int32)
    face[:, : facets.shape[1]] = every[outer]
    return face, (outer // len(facets)).astype(np.int32)


class _Points:
    """Points of a block: its vertices, then means of some of them; the mean of none is the centroid."""

    def __init__(self, faces: Faces):
        self.vertices = 1 + max(map(max, faces))
        self.means: List[Tuple[int, ...]] = [(k,) for k in range(self.vertices)]
        self._row = {mean: k for k, mean in enumerate(self.means)}

    def add(self, vertices: Sequence[int]) -> int:
        """Row of the mean of some vertices."""
        mean = tuple(sorted(vertices))
        if mean not in self._row:
            self._row[mean] = len(self.means)
            self.means.append(mean)
        return self._row[mean]

    def weight(self) -> scipy.sparse.csr_matrix:
        """Weights (p, v + 1) of vertices and centroid in every point."""
        full = [mean or (self.vertices,) for mean in self.means]
        row = np.repeat(np.arange(len(full)), [len(mean) for mean in full])
        share = np.repeat([1.0 / len(mean) for mean in full], [len(mean) for mean in full])
        return scipy.sparse.csr_matrix((share, (row, np.concatenate(full))), shape=(len(full), self.vertices + 1))


def _fans(faces, points):
    """Triangles of all faces, rows of points: about the mean vertex, as in geometry/mass_properties."""
    for face in faces:
        if len(face) == 3:
            yield list(face)
            continue
        mean = points.add(face)
        yield from ([mean, a, b] for a, b in zip(face, face[1:] + face[:1]))


def _hexahedron_corners(faces):
    """Vertices of a hexahedron in the order of an H8; the first face is the bottom."""
    bottom = faces[0][::-1]
    around = {}
    for face in faces[1:]:
        for a, b in zip(face, face[1:] + face[:1]):
            around.setdefault(a, set()).add(b)
            around.setdefault(b, set()).add(a)
    return [*bottom, *((around[a] - set(bottom)).pop() for a in bottom)]


def _midpoint_subdivision(faces, points):
    """A hexahedron at every vertex: half edges, means of faces, centroid; None if a vertex has not three edges."""
    corners = {}
    for f, face in enumerate(faces):
        for before, vertex, after in zip(face[-1:] + face[:-1], face, face[1:] + face[:1]):
            corners.setdefault(vertex, []).append((before, after, f))
    if any(len(each) != 3 for each in corners.values()):
        return None
    return [_hexahedron_at(vertex, each, faces, points) for vertex, each in sorted(corners.items())]


def _hexahedron_at(vertex, corners, faces, points):
    """Corners of the hexahedron at a vertex with three faces (neighbour before, neighbour after, face) each."""
    a, b, f = corners[0]
    [c] = {each for corner in corners for each in corner[:2]} - {a, b}
    [g] = [corner[2] for corner in corners if set(corner[:2]) == {b, c}]
    [h] = [corner[2] for corner in corners if set(corner[:2]) == {a, c}]
    half = [points.add((vertex, each)) for each in (a, b, c)]
    face = [points.add(faces[each]) for each in (f, g, h)]
    return [vertex, half[0], face[0], half[1], half[2], face[2], points.add(()), face[1]]


def _divided(points, parents, pattern, refine):
    """Topology of parents (P, k), rows of points, that are all divided alike.

    The pattern: nodes are means of the corners of the parents with integer weights (L, k), cells (c, j) rows of these.
    """
    count, cell = pattern
    parents = np.array(parents)
    shape = (len(parents), *count.shape)
    corner = np.broadcast_to(parents[:, None], shape).reshape(-1, shape[2])
    weight = np.broadcast_to(count, shape).reshape(-1, shape[2])
    row, column, share, node = _united(corner, weight)
    mean = scipy.sparse.csr_matrix((share, (row, column)), shape=(node.max() + 1, len(points.means)))
    cell = node.reshape(shape[:2])[:, cell].reshape(-1, cell.shape[1]).astype(np.int32)
    return Topology((mean @ points.weight()).tocsr(), cell, *boundary(cell), refine)


def _united(corner, weight):
    """Entries (row, column, share) of the different means, and the row of every mean of `corner`, `weight` (N, k)."""
    used = np.where(weight > 0, corner, -1)
    order = np.argsort(used, axis=1)
    key = np.hstack([np.take_along_axis(used, order, 1), np.take_along_axis(weight, order, 1)])
    key, node = np.unique(key, axis=0, return_inverse=True)
    corner, weight = np.hsplit(key, 2)
    row, at = np.nonzero(weight)
    return row, corner[row, at], (weight / weight.sum(axis=1)[:, None])[row, at], node.reshape(-1)


def _lattice(dimension, n):
    """Points (L, dimension + 1) of a simplex with edges of n steps, as barycentric counts, and their rows."""
    points = [p for p in itertools.product(range(n + 1), repeat=dimension) if sum(p) <= n]
    count = np.array([(n - sum(p), *p) for p in points])
    return count, {p: k for k, p in enumerate(points)}


def _triangle(n):
    """Points of a triangle with n steps an edge, and its n^2 triangles."""
    count, row = _lattice(2, n)
    cells = [((0, 0), (1, 0), (0, 1), 1), ((1, 0), (1, 1), (0, 1), 2)]
    return count, _placed(cells, row, n)


def _tetrahedron(n):
    """Points of a tetrahedron with n steps an edge, and its n^3 tetrahedra.

    Between upright and inverted tetrahedra are octahedra; each is four tetrahedra about the diagonal from (1, 0, 0)
    to (0, 1, 1).
    """
    count, row = _lattice(3, n)
    x, y, z, xy, xz, yz, xyz = (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1)
    ring = (y, xy, xz, z, y)
    cells = [((0, 0, 0), x, y, z, 1), (xy, yz, xz, xyz, 3)]
    cells += [(x, a, b, yz, 2) for a, b in zip(ring, ring[1:])]
    return count, _placed([_positive(cell) for cell in cells], row, n)


def _positive(cell):
    """A tetrahedron with its nodes in the order of positive volume."""
    corner = np.array(cell[:4])
    return cell if np.linalg.det(corner[1:] - corner[0]) > 0.0 else (cell[1], cell[0], *cell[2:])


def _placed(cells, row, n):
    """Cells (corners..., size) at every place of the lattice where they fit, as rows of its points."""
    found = []
    for place in row:
        for *corners, size in cells:
            if sum(place) <= n - size:
                found.append([row[tuple(np.add(place, corner))] for corner in corners])
    return np.array(found)


def _grid(n):
    """Points of a hexahedron with n steps an edge as weights (L, 8) of its corners, and its n^3 cells."""
    step = np.array(list(itertools.product(range(n + 1), repeat=3)))
    count = np.where(HEXAHEDRON > 0, step[:, None], n - step[:, None]).prod(axis=2)
    first = np.array(list(itertools.product(range(n), repeat=3)))
    corner = first[:, None] + (HEXAHEDRON + 1) // 2
    return count, corner @ np.array([(n + 1) ** 2, n + 1, 1])


def _quadrilateral(n):
    """Points of a quadrilateral with n steps an edge as weights (L, 4), and its 2 n^2 triangles."""
    step = np.array(list(itertools.product(range(n + 1), repeat=2)))
    signs = HEXAHEDRON[:4, :2]
    count = np.where(signs > 0, step[:, None], n - step[:, None]).prod(axis=2)
    corners = {0: [[0, 1, 2], [0, 2, 3]], 1: [[0, 1, 3], [1, 2, 3]]}
    first = list(itertools.product(range(n), repeat=2))
    corner = np.array([[(place + (signs[t] + 1) // 2) for t in corners[sum(place) % 2]] for place in first])
    return count, (corner @ np.array([n + 1, 1])).reshape(-1, 3)
