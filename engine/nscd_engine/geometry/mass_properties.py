"""Volume, centroid and second moments of closed polyhedra, exactly, concave ones included.

A solid is the signed sum of the tetrahedra between its boundary triangles and any point. Faces are split into triangles
about the mean of their vertices: the two sides of a joint between warped faces are the same surface.
Integrals over a tetrahedron (0, p, q, r) of determinant d = p . (q x r), s = p + q + r:

    int 1 = d/6,   int x = d/24 s,   int x x^T = d/120 (p p^T + q q^T + r r^T + s s^T)

The apex is a vertex of the block for the first two and the centroid for the last: no digits are lost far from the
origin. Plain numpy: it runs once per model, and compilation would take longer.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from nscd_engine.core.structs import Polyhedra


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
    triangle, block = fan_triangles(poly)
    first = np.searchsorted(block, np.arange(len(poly.vertex_start) - 1))
    d = _determinant(*triangle)
    volume = np.add.reduceat(d, first) / 6.0
    moment = np.add.reduceat(d * triangle.sum(axis=0), first, axis=1) / 24.0
    local = moment / np.where(volume > 0.0, volume, np.inf)

    triangle -= local[:, block]
    p, q, r = triangle
    s = p + q + r
    d = _determinant(p, q, r) / 120.0
    second = np.empty((3, 3, len(volume)))
    for i in range(3):
        for j in range(i + 1):
            products = p[i] * p[j] + q[i] * q[j] + r[i] * r[j] + s[i] * s[j]
            second[i, j] = second[j, i] = np.add.reduceat(d * products, first)
    trace = second[0, 0] + second[1, 1] + second[2, 2]
    inertia = trace[:, None, None] * np.eye(3) - second.transpose(2, 0, 1)
    return volume, poly.vertices[poly.vertex_start[:-1]] + local.T, inertia


def _determinant(p, q, r):
    return p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0])
