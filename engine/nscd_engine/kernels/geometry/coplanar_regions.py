"""Faces of convex polyhedra: coplanar neighbours are joined into regions, regions become faces with corners and edges.

Half-edges: half-edge k runs from face_vertices[k] to the next corner of its face; `twin[k]` is the one against it.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.geometry.hull import along
from nscd_engine.kernels.jit import inner

#: Faces whose normals differ by more than this are never one face, however small they are: cosine of 18 degrees.
SAME_DIRECTION = 0.95


@inner
def lies_in_plane(vertices, corners, first, last, n, c, seed, tolerance):
    """Whether all corners first:last of a face are within `tolerance` [m] of the plane of face `seed`."""
    for k in range(first, last):
        d = 0.0
        for i in range(3):
            d += n[seed, i] * (vertices[corners[k], i] - c[seed, i])
        if abs(d) > tolerance:
            return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def flat_regions(poly, twin, half_face, normal, centre, order, tolerance):
    """Join faces that lie in the plane of a greater neighbour.

    Every vertex is compared with the plane of the seed, not of the neighbour: a finely faceted curve stays a curve.

    Parameters
    ----------
    poly : Polyhedra
    twin, half_face : (H,) int32
    normal, centre : (F, 3)
    order : (F,) int32: faces of each polyhedron from the greatest to the smallest
    tolerance : [m] (B,)

    Returns
    -------
    region (F,) int32, in ascending order of polyhedra; region_start (B + 1,) int32
    """
    region = np.full(normal.shape[0], -1, np.int32)
    region_start = np.zeros(len(poly.block_face_start), np.int32)
    stack = np.empty(normal.shape[0] + 1, np.int32)
    count = 0
    for part in range(len(poly.block_face_start) - 1):
        for i in range(poly.block_face_start[part], poly.block_face_start[part + 1]):
            seed = order[i]
            if region[seed] >= 0:
                continue
            region[seed] = count
            stack[0] = seed
            depth = 1
            while depth > 0:
                depth -= 1
                face = stack[depth]
                for k in range(poly.face_start[face], poly.face_start[face + 1]):
                    other = half_face[twin[k]]
                    x, y, z = normal[other, 0], normal[other, 1], normal[other, 2]
                    if region[other] >= 0 or along(normal, seed, x, y, z) < SAME_DIRECTION:
                        continue
                    first, last = poly.face_start[other], poly.face_start[other + 1]
                    flat = lies_in_plane(
                        poly.vertices, poly.face_vertices, first, last, normal, centre, seed, tolerance[part]
                    )
                    if flat:
                        region[other] = count
                        stack[depth] = other
                        depth += 1
            count += 1
        region_start[part + 1] = count
    return region, region_start


@inner
def next_on_boundary(k, following, twin, half_region):
    """The half-edge that follows k along the boundary of its region."""
    j = following[k]
    while half_region[twin[j]] == half_region[k]:
        j = following[twin[j]]
    return j


@njit(cache=True, nogil=True, error_model="numpy")
def region_outlines(face_vertices, following, twin, half_region, region_count):
    """Corners of every region in order, without those in the middle of a straight edge, and the edges between regions.

    Returns
    -------
    corner, corner_start (R + 1,), edge_vertices (E, 2), edge_faces (E, 2): the region along the edge, the one against
    """
    H = len(face_vertices)
    first = np.full(region_count, -1, np.int32)
    for k in range(H - 1, -1, -1):
        if half_region[twin[k]] != half_region[k]:
            first[half_region[k]] = k
    corner = np.empty(H, np.int32)
    corner_start = np.zeros(region_count + 1, np.int32)
    across = np.empty(H, np.int32)
    edge_vertices = np.empty((H, 2), np.int32)
    edge_faces = np.empty((H, 2), np.int32)
    corners = edges = 0
    for r in range(region_count):
        begin = corners
        k = first[r]
        for _ in range(H if k >= 0 else 0):
            j = next_on_boundary(k, following, twin, half_region)
            # Where the region across stays the same the outline runs straight on: there is no corner.
            if half_region[twin[j]] != half_region[twin[k]]:
                corner[corners] = face_vertices[j]
                across[corners] = half_region[twin[j]]
                corners += 1
            k = j
            if k == first[r]:
                break
        corner_start[r + 1] = corners
        for i in range(begin, corners):
            if r < across[i]:
                edge_vertices[edges, 0] = corner[i]
                edge_vertices[edges, 1] = corner[i + 1] if i + 1 < corners else corner[begin]
                edge_faces[edges, 0], edge_faces[edges, 1] = r, across[i]
                edges += 1
    return corner[:corners], corner_start, edge_vertices[:edges], edge_faces[:edges]
