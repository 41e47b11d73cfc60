"""Polyhedra in flat arrays, and measures of all of them at once.

B blocks, V vertices, F faces, H half-edges (corners of faces). Lengths in metres.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from compas_nscd.geometry.vectors import cross_columns

#: Most half-edges of polyhedra of which answers are remembered [-]. More: memory, some 100 bytes a half-edge.
LARGEST = 200_000

Found = TypeVar("Found")


class Polyhedra(NamedTuple):
    """Blocks in flat arrays, as in a request, but with int64 indices, which numpy does not have to convert."""

    vertices: np.ndarray  # [m] (V, 3)
    vertex_start: np.ndarray  # (B + 1,): vertices of block k are vertex_start[k]:vertex_start[k + 1]
    face_vertices: np.ndarray  # (H,): rows of `vertices`
    face_start: np.ndarray  # (F + 1,): into face_vertices
    block_face_start: np.ndarray  # (B + 1,): faces of block k are block_face_start[k]:block_face_start[k + 1]

    @property
    def face_block(self) -> np.ndarray:
        """Block of every face. (F,)"""
        return np.repeat(np.arange(len(self.block_face_start) - 1), np.diff(self.block_face_start))

    @property
    def vertex_block(self) -> np.ndarray:
        """Block of every vertex. (V,)"""
        return np.repeat(np.arange(len(self.vertex_start) - 1), np.diff(self.vertex_start))

    @property
    def corner_face(self) -> np.ndarray:
        """Face of every half-edge. (H,)"""
        return np.repeat(np.arange(len(self.face_start) - 1), np.diff(self.face_start))

    @property
    def follower(self) -> np.ndarray:
        """Next half-edge of the same face, of every half-edge. (H,)"""
        follower = np.arange(1, len(self.face_vertices) + 1)
        follower[self.face_start[1:] - 1] = self.face_start[:-1]
        return follower

    @property
    def head(self) -> np.ndarray:
        """End vertex of every half-edge; `face_vertices` is its start. (H,)"""
        return self.face_vertices[self.follower]


class Measures(NamedTuple):
    """Sizes of blocks and faces. Faces are fans about the mean of their vertices, and may be warped."""

    size: np.ndarray  # [m] (B,): diagonal of the bounding box
    volume: np.ndarray  # [m3] (B,): negative if the faces look inward
    surface: np.ndarray  # [m2] (B,)
    normal: np.ndarray  # [-] (3, F): unit; 0 for a face without area
    area: np.ndarray  # [m2] (F,)
    longest: np.ndarray  # [m] (F,): edge of a face
    warp: np.ndarray  # [m] (F,): greatest distance of a vertex from the mean plane of its face


def starts(counts: np.ndarray) -> np.ndarray:
    """Offsets of consecutive runs of the given lengths: (n,) -> (n + 1,)."""
    out = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=out[1:])
    return out


def flatten(vertices: Sequence[np.ndarray], faces: Sequence[Sequence[Sequence[int]]]) -> Polyhedra:
    """Put blocks into flat arrays.

    Parameters
    ----------
    vertices : list of (n, 3) array
        One array per block.
    faces : list of list of list of int
        Per block the faces, each a list of indices into that block's vertices.

    Returns
    -------
    Polyhedra
        Indices outside their block are kept; `geometry.checks.check` reports them.
    """
    vertex_start = starts(np.fromiter(map(len, vertices), np.int64, len(vertices)))
    block_face_start = starts(np.fromiter(map(len, faces), np.int64, len(faces)))
    every_face = list(chain.from_iterable(faces))
    counts = np.fromiter(map(len, every_face), np.int64, len(every_face))
    local = _indices(every_face, int(counts.sum()))
    face_block = np.repeat(np.arange(len(faces)), np.diff(block_face_start))
    corner_block = np.repeat(face_block, counts)
    xyz = np.concatenate([np.zeros((0, 3))] + list(vertices))
    return Polyhedra(xyz, vertex_start, local + vertex_start[corner_block], starts(counts), block_face_start)


def _indices(every_face: list[Sequence[int]], count: int) -> np.ndarray:
    try:
        return np.fromiter(chain.from_iterable(every_face), np.int64, count)
    except OverflowError:  # more than 64 bits: clipped, and reported as out of range
        limited = (min(max(i, -1), 1 << 40) for i in chain.from_iterable(every_face))
        return np.fromiter(limited, np.int64, count)


def rebuild(poly: Polyhedra, keep_face: np.ndarray, block_map: np.ndarray | None = None) -> Polyhedra:
    """The blocks with the marked faces only, and the vertices of these.

    Parameters
    ----------
    poly : Polyhedra
    keep_face : (F,) bool
    block_map : (B,) int, optional
        New number of each block, -1 to leave it out. Default: all blocks are kept.
    """
    blocks = len(poly.vertex_start) - 1
    block_map = np.arange(blocks) if block_map is None else block_map
    count = int(block_map.max(initial=-1)) + 1
    face_block = poly.face_block
    keep_face = keep_face & (block_map[face_block] >= 0)
    face_vertices = poly.face_vertices[keep_face[poly.corner_face]]
    used = np.zeros(len(poly.vertices), bool)
    used[face_vertices] = True
    number = np.cumsum(used) - 1
    return Polyhedra(
        poly.vertices[used],
        starts(np.bincount(block_map[poly.vertex_block[used]], minlength=count)),
        number[face_vertices],
        starts(np.diff(poly.face_start)[keep_face]),
        starts(np.bincount(block_map[face_block[keep_face]], minlength=count)),
    )


def polyhedron(poly: Polyhedra, i: int) -> tuple[np.ndarray, list[list[int]]]:
    """Vertices (n, 3) and faces, lists of int from 0, of one block."""
    first, last = poly.vertex_start[i], poly.vertex_start[i + 1]
    faces = range(poly.block_face_start[i], poly.block_face_start[i + 1])
    corners = [poly.face_vertices[poly.face_start[f] : poly.face_start[f + 1]] - first for f in faces]
    return poly.vertices[first:last], [face.tolist() for face in corners]


def with_points(poly: Polyhedra, is_point: np.ndarray, points: np.ndarray) -> Polyhedra:
    """Insert blocks of one vertex without faces.

    Parameters
    ----------
    poly : Polyhedra
        The other blocks.
    is_point : (B,) bool
        Which of all blocks are to be inserted.
    points : (n, 3) array
        Their vertices [m].
    """
    if not is_point.any():
        return poly
    vertices, faces = np.ones(len(is_point), np.int64), np.zeros(len(is_point), np.int64)
    vertices[~is_point], faces[~is_point] = np.diff(poly.vertex_start), np.diff(poly.block_face_start)
    vertex_start = starts(vertices)
    xyz = np.empty((vertex_start[-1], 3))
    is_new = np.zeros(len(xyz), bool)
    is_new[vertex_start[:-1][is_point]] = True
    xyz[is_new], xyz[~is_new] = points, poly.vertices
    return Polyhedra(xyz, vertex_start, np.flatnonzero(~is_new)[poly.face_vertices], poly.face_start, starts(faces))


def bounding_diagonals(poly: Polyhedra) -> np.ndarray:
    """Diagonal of the bounding box of every block. [m] (B,)"""
    if not len(poly.vertices):
        return np.zeros(len(poly.vertex_start) - 1)
    low = np.minimum.reduceat(poly.vertices, poly.vertex_start[:-1])
    high = np.maximum.reduceat(poly.vertices, poly.vertex_start[:-1])
    return np.linalg.norm(high - low, axis=1)


def measure(poly: Polyhedra) -> Measures:
    """Measure blocks. Each must have vertices and faces, and each face at least three corners."""
    first, face = poly.face_start[:-1], poly.corner_face
    # Arrays (3, H) of coordinates: numpy is several times faster in long rows than in many short ones.
    corner = poly.vertices.T.take(poly.face_vertices, axis=1)
    centre = np.add.reduceat(corner, first, axis=1) / np.diff(poly.face_start)
    tail = corner - centre.take(face, axis=1)
    head = tail.take(poly.follower, axis=1)
    twice = np.add.reduceat(cross_columns(tail, head), first, axis=1)
    area = 0.5 * _lengths(twice)
    normal = 0.5 * twice / np.where(area > 0.0, area, 1.0)
    height = _dots(tail, normal.take(face, axis=1))
    warp = np.maximum.reduceat(np.abs(height), first)
    longest = np.maximum.reduceat(_lengths(head - tail), first)

    # volume = sum over the fan of (centre - o).((tail - centre) x (head - centre)) / 6; o near the block keeps digits
    origin = poly.vertices.T.take(poly.vertex_start[:-1][poly.face_block], axis=1)
    sixth = _dots(centre - origin, twice)
    begin = poly.block_face_start[:-1]
    volume = np.add.reduceat(sixth, begin) / 6.0
    return Measures(bounding_diagonals(poly), volume, np.add.reduceat(area, begin), normal, area, longest, warp)


def _dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of vectors (3, n); (n,)."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _lengths(a: np.ndarray) -> np.ndarray:
    """Lengths of vectors (3, n); (n,)."""
    return np.sqrt(_dots(a, a))


def by_faces(function: Callable[[Polyhedra], Found]) -> Callable[[Polyhedra], Found]:
    """Decorator of a function of the faces alone: its last answer is remembered, as while a slider moves vertices."""
    last: tuple[tuple[np.ndarray, ...], Found] | None = None  # replaced as a whole: checks may run in several threads

    @functools.wraps(function)
    def remembered(poly: Polyhedra) -> Found:
        nonlocal last
        known = last
        if known is not None and all(map(np.array_equal, known[0], poly[1:])):
            return known[1]
        found = function(poly)
        if len(poly.face_vertices) <= LARGEST:
            last = tuple(field.copy() for field in poly[1:]), found
        return found

    return remembered
