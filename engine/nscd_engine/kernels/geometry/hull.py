"""One convex part for the narrow phase, and its support function."""

from typing import NamedTuple

import numpy as np

from nscd_engine.kernels.jit import inner


class Hull(NamedTuple):
    """A convex polyhedron: views of ConvexParts, or a moved copy. Indices count from its own first vertex and face."""

    vertices: np.ndarray  # [m] (v, 3)
    planes: np.ndarray  # (f, 5): see ConvexParts
    edges: np.ndarray  # (e, 4)
    face_vertices: np.ndarray  # corners of the faces of all parts
    face_start: np.ndarray  # (f + 1,): into face_vertices


@inner
def hull_of(parts, p):
    """Part p in the axes of its block."""
    f, g = parts.part_face_start[p], parts.part_face_start[p + 1]
    return Hull(
        parts.vertices[parts.vertex_start[p] : parts.vertex_start[p + 1]],
        parts.planes[f:g],
        parts.edges[parts.edge_start[p] : parts.edge_start[p + 1]],
        parts.face_vertices,
        parts.face_start[f : g + 1],
    )


@inner
def moved_hull(hull, R, t, vertices, planes):
    """The hull after x -> R x + t, written into the given arrays; they may be longer than needed."""
    V, F = hull.vertices.shape[0], hull.planes.shape[0]
    for k in range(V):
        x, y, z = hull.vertices[k, 0], hull.vertices[k, 1], hull.vertices[k, 2]
        for i in range(3):
            vertices[k, i] = R[i, 0] * x + R[i, 1] * y + R[i, 2] * z + t[i]
    for k in range(F):
        x, y, z = hull.planes[k, 0], hull.planes[k, 1], hull.planes[k, 2]
        planes[k, 3], planes[k, 4] = hull.planes[k, 3], hull.planes[k, 4]
        for i in range(3):
            planes[k, i] = R[i, 0] * x + R[i, 1] * y + R[i, 2] * z
            planes[k, 3] += planes[k, i] * t[i]
    return Hull(vertices[:V], planes[:F], hull.edges, hull.face_vertices, hull.face_start)


@inner
def support(vertices, x, y, z):
    """Row of the vertex farthest in direction (x, y, z)."""
    best = 0
    far = -np.inf
    for k in range(vertices.shape[0]):
        d = vertices[k, 0] * x + vertices[k, 1] * y + vertices[k, 2] * z
        if d > far:
            far, best = d, k
    return best


@inner
def along(rows, k, x, y, z):
    """Component of row k along (x, y, z)."""
    return rows[k, 0] * x + rows[k, 1] * y + rows[k, 2] * z


@inner
def difference(rows, i, j):
    """Row j minus row i."""
    return rows[j, 0] - rows[i, 0], rows[j, 1] - rows[i, 1], rows[j, 2] - rows[i, 2]
