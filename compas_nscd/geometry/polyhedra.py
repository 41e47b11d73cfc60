"""Polyhedra in flat arrays, and measures of all of them at once.

B blocks, V vertices, F faces, H half-edges (corners of faces). Lengths in metres.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from compas_nscd.geometry.vectors import cross


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
    def head(self) -> np.ndarray:
        """End vertex of every half-edge; `face_vertices` is its start. (H,)"""
        follower = np.arange(1, len(self.face_vertices) + 1)
        follower[self.face_start[1:] - 1] = self.face_start[:-1]
        return self.face_vertices[follower]


class Measures(NamedTuple):
    """Sizes of blocks and faces. Faces are fans about the mean of their vertices, and may be warped."""

    size: np.ndarray  # [m] (B,): diagonal of the bounding box
    volume: np.ndarray  # [m3] (B,): negative if the faces look inward
    surface: np.ndarray  # [m2] (B,)
    centre: np.ndarray  # [m] (F, 3): mean of the vertices of a face
    normal: np.ndarray  # [-] (F, 3): unit; 0 for a face without area
    area: np.ndarray  # [m2] (F,)
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
    first = poly.face_start[:-1]
    face = poly.corner_face
    tail, head = poly.vertices[poly.face_vertices], poly.vertices[poly.head]
    centre = np.add.reduceat(tail, first) / np.diff(poly.face_start)[:, None]
    to_corner = centre[face]
    tail = tail - to_corner
    twice = np.add.reduceat(cross(tail, head - to_corner), first)
    area = 0.5 * np.sqrt(np.einsum("ij,ij->i", twice, twice))
    normal = 0.5 * twice / np.where(area > 0.0, area, 1.0)[:, None]
    height = np.einsum("ij,ij->i", tail, normal[face])
    warp = np.maximum.reduceat(np.abs(height), first)

    # volume = sum over the fan of (centre - o).((tail - centre) x (head - centre)) / 6; o near the block keeps digits
    origin = poly.vertices[poly.vertex_start[:-1]]
    sixth = np.einsum("ij,ij->i", centre - origin[poly.face_block], twice)
    begin = poly.block_face_start[:-1]
    volume = np.add.reduceat(sixth, begin) / 6.0
    return Measures(bounding_diagonals(poly), volume, np.add.reduceat(area, begin), centre, normal, area, warp)
