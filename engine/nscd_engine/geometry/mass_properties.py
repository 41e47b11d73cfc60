"""Volume, centroid and second moments of closed polyhedra, exactly, concave ones included.

A solid is the signed sum of the tetrahedra between its boundary triangles and any point. Faces are split into triangles
about the mean of their vertices: the two sides of a joint between warped faces are the same surface.
Integrals over a tetrahedron (0, p, q, r) of determinant d = p . (q x r), s = p + q + r:

    int 1 = d/6,   int x = d/24 s,   int x x^T = d/120 (p p^T + q q^T + r r^T + s s^T)

The apex is a vertex of the block for the first two and the centroid for the last: no digits are lost far from the
origin.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from nscd_engine.core.structs import Polyhedra
from nscd_engine.kernels.geometry.mass_properties import integrals


def fan_triangles(poly: Polyhedra) -> Tuple[np.ndarray, np.ndarray]:
    """Triangles of all faces relative to the first vertex of their block [m] (3, 3, T), and the blocks (T,).

    The axes are corner, coordinate, triangle: sums over millions of triangles are contiguous in memory.
    """
    face_size = np.diff(poly.face_start)
    face_block = np.repeat(np.arange(len(poly.block_face_start) - 1), np.diff(poly.block_face_start))
    face = np.repeat(np.arange(len(face_size)), face_size)
    block = face_block[face]
    corner = poly.vertices.T[:, poly.face_vertices] - poly.vertices.T[:, poly.vertex_start[block]]
    mean = np.add.reduceat(corner, poly.face_start[:-1], axis=1) / face_size
    following = np.arange(1, corner.shape[1] + 1)
    following[poly.face_start[1:] - 1] = poly.face_start[:-1]
    return np.stack([mean[:, face], corner, corner[:, following]]), block


def mass_properties(poly: Polyhedra) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Integrals over the blocks.

    Parameters
    ----------
    poly : Polyhedra
        Every block has at least one face.

    Returns
    -------
    volume : array (B,)
        [m3]; zero or negative for an empty or inside-out block, which the gate refuses.
    centroid : array (B, 3)
        [m]
    inertia : array (B, 3, 3)
        For unit density [m5], about the centroid, in world axes.
    """
    blocks = len(poly.vertex_start) - 1
    volume, centroid, inertia = np.empty(blocks), np.empty((blocks, 3)), np.empty((blocks, 3, 3))
    whole = (np.ascontiguousarray(rows, np.int32) for rows in poly[1:])  # kernels are compiled for one type
    integrals(Polyhedra(np.ascontiguousarray(poly.vertices), *whole), volume, centroid, inertia)
    return volume, centroid, inertia
