"""Coplanar neighbouring faces of convex polyhedra joined into regions, and the outlines of regions.

Half-edge k runs from face_vertices[k] to the next corner of its face; `twin[k]` runs along the same edge in the
opposite direction.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.geometry.hull import along
from nscd_engine.kernels.jit import inner

#: Least cosine between the normals of faces of one region [-] (18 degrees). Larger: small faces with poor normals
#: become regions. Smaller: small faces around a corner become one.
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
    """Join faces that lie in the plane of a larger neighbour.

    Every vertex is compared with the plane of the seed, not of the neighbour: a finely faceted curve stays a curve.

    Parameters
    ----------
    poly : Polyhedra
    twin, half_face : arrays (H,) int32
        Twin and face of every half-edge.
    normal, centre, order : arrays (F, 3), (F, 3), (F,) int32
        Of the faces; `order` lists the faces of each polyhedron from the largest to the smallest.
    tolerance : array (B,)
        Greatest distance of a vertex from the plane [m].

    Returns
    -------
    region, region_start : arrays (F,), (B + 1,) int32
        Region of every face, in the order of the polyhedra, and the regions of each polyhedron.
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
                    corners, within = poly.face_vertices, tolerance[part]
                    if lies_in_plane(poly.vertices, corners, first, last, normal, centre, seed, within):
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
    """Corners of every region in order, without those inside a straight edge, and the edges between regions.

    Returns
    -------
    corner : array int32
    corner_start : array (R + 1,) int32
    edge_vertices : array (E, 2) int32
    edge_faces : array (E, 2) int32
        The region in which the edge runs from its first vertex to its second, and the region on the other side.
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
            # Where the region across does not change the outline is straight: there is no corner.
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
