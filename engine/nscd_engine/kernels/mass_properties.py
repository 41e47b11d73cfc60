"""Volume, centroid and second moments of closed polyhedra, exactly, concave ones included.

A solid is the signed sum of the tetrahedra that its boundary triangles span with any one point. Faces are split into
triangles about the mean of their vertices, so that the two sides of a joint between warped faces are the same surface.
Integrals over a tetrahedron (0, p, q, r) of determinant d = p . (q x r), s = p + q + r:

    int 1 = d/6,   int x = d/24 s,   int x x^T = d/120 (p p^T + q q^T + r r^T + s s^T)

The apex is a vertex of the block for the first two and the centroid for the last: no digits are lost far from the
origin. Plain numpy: it runs once per model, and compiling it would take longer than running it.
"""

import numpy as np


def fan_triangles(poly):
    """Corners of the triangles of all faces relative to the first vertex of their block [m] (T, 3, 3), block (T,)."""
    face_size = np.diff(poly.face_start)
    face_block = np.repeat(np.arange(len(poly.block_face_start) - 1), np.diff(poly.block_face_start))
    face = np.repeat(np.arange(len(face_size)), face_size)
    block = face_block[face]
    corner = poly.vertices[poly.face_vertices] - poly.vertices[poly.vertex_start[block]]
    mean = np.add.reduceat(corner, poly.face_start[:-1], axis=0) / face_size[:, None]
    following = np.arange(1, len(corner) + 1)
    following[poly.face_start[1:] - 1] = poly.face_start[:-1]
    return np.stack([mean[face], corner, corner[following]], axis=1), block


def mass_properties(poly):
    """Integrals over the blocks.

    Parameters
    ----------
    poly : Polyhedra
        Every block has at least one face.

    Returns
    -------
    volume [m3] (B,), centroid [m] (B, 3), inertia for unit density [m5] (B, 3, 3), about the centroid in world axes.
        An empty or inside-out block gets the volume that it has, zero or negative; the gate refuses it.
    """
    triangle, block = fan_triangles(poly)
    first = np.searchsorted(block, np.arange(len(poly.vertex_start) - 1))
    d = _determinant(triangle)
    volume = np.add.reduceat(d, first) / 6.0
    moment = np.add.reduceat(d[:, None] * triangle.sum(axis=1), first, axis=0) / 24.0
    local = moment / np.where(volume > 0.0, volume, np.inf)[:, None]

    triangle -= local[block][:, None, :]
    d = _determinant(triangle)
    s = triangle.sum(axis=1)
    products = np.einsum("tki,tkj->tij", triangle, triangle) + s[:, :, None] * s[:, None, :]
    second = np.add.reduceat(d[:, None, None] * products, first, axis=0) / 120.0
    trace = np.trace(second, axis1=1, axis2=2)
    inertia = trace[:, None, None] * np.eye(3) - 0.5 * (second + np.swapaxes(second, 1, 2))
    return volume, poly.vertices[poly.vertex_start[:-1]] + local, inertia


def _determinant(triangle):
    return np.einsum("ti,ti->t", triangle[:, 0], np.cross(triangle[:, 1], triangle[:, 2]))


def principal_axes(inertia):
    """Principal moments, ascending (B, 3), and axes as rows, right-handed (B, 3, 3)."""
    moments, columns = np.linalg.eigh(inertia)
    axes = np.swapaxes(columns, -1, -2).copy()
    axes[..., 2, :] = np.cross(axes[..., 0, :], axes[..., 1, :])
    return moments, axes
