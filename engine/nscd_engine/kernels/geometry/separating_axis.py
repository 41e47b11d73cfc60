"""Separating axis of two convex polyhedra: the direction along which they are farthest apart, or overlap least.

Candidates are the normals of the faces of the Minkowski difference: the normals of A, those of B, and cross products of
an edge of A with an edge of B whose arcs on the Gauss map cross (only these are faces; Gregorius 2013). The greatest
separation over all candidates has the sign of the distance; if it is negative, it is minus the exact penetration. Both
hulls are in the axes of A's block: no digits are lost far from the origin.

A face that is a cut through a concave block may separate the hulls, but a block cannot be pushed out of a cut: no
contact takes its normal from one.
"""

import math

import numpy as np

from nscd_engine.kernels.geometry.hull import along, difference, support
from nscd_engine.kernels.jit import inner

#: Kinds of axes: normal of a face of A, of B, cross product of edges. NONE: nothing but cuts.
FACE_A, FACE_B, EDGES, NONE = 0, 1, 2, 3
#: Difference of separations, over the size, below which two axes are equally good [-]: a face is preferred to edges,
#: and the last reference face to the other. Larger: contacts of crossed edges are missed. Smaller: resting pairs switch
#: axes.
TIE = 1e-4
#: Difference of separations, over the size, that is rounding [-]: where two blocks touch, a cut of one may be as near
#: as its face. Smaller: such a part has no contact, by chance.
ROUNDING = 1e-9
#: Sine of the angle between two edges below which they are parallel [-]. Larger: axes are missed. Smaller: their cross
#: product is rounding error.
PARALLEL = 1e-6
#: Cosine beyond which a face opposes a cut [-]. Larger: contacts with normals of cuts. Smaller: faces beside a cut make
#: no contact.
FACING = 0.99


@inner
def looks_at_cut(planes, x, y, z):
    """Whether direction (x, y, z) is opposed to the normal of a cut."""
    for k in range(planes.shape[0]):
        if planes[k, 4] != 0.0 and along(planes, k, x, y, z) < -FACING:
            return True
    return False


@inner
def best_face(planes, vertices, other_planes, far):
    """Face of one hull with the greatest separation from the vertices of the other.

    Returns the greatest separation [m] over all faces, that over the faces a contact may use, and this face. Stops
    early beyond `far` [m].
    """
    most = usable = -np.inf
    face = -1
    for k in range(planes.shape[0]):
        x, y, z = planes[k, 0], planes[k, 1], planes[k, 2]
        low = np.inf
        for i in range(vertices.shape[0]):
            d = along(vertices, i, x, y, z)
            if d < low:
                low = d
        low -= planes[k, 3]
        most = max(most, low)
        if low > usable and planes[k, 4] == 0.0 and not looks_at_cut(other_planes, x, y, z):
            usable, face = low, k
        if most > far:
            break
    return most, usable, face


@inner
def arcs_cross(planes, i, j, u, other_planes, k, m, w):
    """Whether two edges span a face of the Minkowski difference: their arcs on the Gauss map cross.

    The arc of edge u is between the normals i and j, that of edge w of the other hull between the reversed normals k
    and m. The plane of an arc is perpendicular to its edge.
    """
    c = along(other_planes, k, u[0], u[1], u[2])
    if c * along(other_planes, m, u[0], u[1], u[2]) >= 0.0:
        return False
    d = along(planes, j, w[0], w[1], w[2])
    # The sign of the last product distinguishes crossing arcs from arcs on opposite sides of the sphere.
    return along(planes, i, w[0], w[1], w[2]) * d < 0.0 and c * d < 0.0


@inner
def edge_axis(a, e, b, f, n):
    """Unit cross product of edges e and f, outward from a, into n; separation [m] along it, -inf if parallel."""
    ux, uy, uz = difference(a.vertices, a.edges[e, 0], a.edges[e, 1])
    wx, wy, wz = difference(b.vertices, b.edges[f, 0], b.edges[f, 1])
    x, y, z = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
    length2 = x * x + y * y + z * z
    if length2 < PARALLEL**2 * (ux * ux + uy * uy + uz * uz) * (wx * wx + wy * wy + wz * wz):
        return -np.inf
    scale = 1.0 / math.sqrt(length2)
    if along(a.planes, a.edges[e, 2], x, y, z) + along(a.planes, a.edges[e, 3], x, y, z) < 0.0:
        scale = -scale
    n[0], n[1], n[2] = x * scale, y * scale, z * scale
    # Normals of warped faces are not exactly perpendicular to their edges: the vertices decide.
    i, j = support(a.vertices, n[0], n[1], n[2]), support(b.vertices, -n[0], -n[1], -n[2])
    return along(b.vertices, j, n[0], n[1], n[2]) - along(a.vertices, i, n[0], n[1], n[2])


@inner
def best_edges(a, b, far, n):
    """Greatest separation [m] over all pairs of edges, that over the pairs a contact may use, and these two edges."""
    most = usable = -np.inf
    best_e = best_f = -1
    # Structs are taken apart here: a function called for every pair would count references to all their arrays.
    edges_a, vertices_a, planes_a = a.edges, a.vertices, a.planes
    edges_b, vertices_b, planes_b = b.edges, b.vertices, b.planes
    for e in range(edges_a.shape[0]):
        u = difference(vertices_a, edges_a[e, 0], edges_a[e, 1])
        for f in range(edges_b.shape[0]):
            w = difference(vertices_b, edges_b[f, 0], edges_b[f, 1])
            if not arcs_cross(planes_a, edges_a[e, 2], edges_a[e, 3], u, planes_b, edges_b[f, 2], edges_b[f, 3], w):
                continue
            s = edge_axis(a, e, b, f, n)
            most = max(most, s)
            if s <= usable:
                continue
            cut = planes_a[edges_a[e, 2], 4] + planes_a[edges_a[e, 3], 4]
            if cut + planes_b[edges_b[f, 2], 4] + planes_b[edges_b[f, 3], 4] == 0.0:
                usable, best_e, best_f = s, e, f
        if most > far:
            break
    return most, usable, best_e, best_f


@inner
def separating_axis(a, b, size, far, before, n):
    """Axis of the greatest separation.

    Parameters
    ----------
    a, b : Hull
    size, far : float
        [m]; beyond `far` any separating axis is returned.
    before : int
        Kind of the axis found last time, NONE if unknown.
    n : array (3,)
        Working memory.

    Returns
    -------
    separation : float
        [m]; exact if not beyond `far`.
    kind : int
    i, j : int
        Face or edge of A; face or edge of B.
    """
    most_a, usable_a, face_a = best_face(a.planes, b.vertices, b.planes, far)
    if most_a > far:
        return most_a, FACE_A, face_a, -1
    most_b, usable_b, face_b = best_face(b.planes, a.vertices, a.planes, far)
    if most_b > far:
        return most_b, FACE_B, -1, face_b
    most_e, usable_e, edge_a, edge_b = best_edges(a, b, far, n)
    most = max(most_a, most_b, most_e)
    usable = max(usable_a, usable_b, usable_e)
    if usable == -np.inf or most > max(usable, 0.0) + ROUNDING * size:
        return most, NONE, -1, -1
    tie = TIE * size
    if usable_e > max(usable_a, usable_b) + tie:
        return most, EDGES, edge_a, edge_b
    if usable_b > usable_a + (-tie if before == FACE_B else tie if before == FACE_A else 0.0):
        return most, FACE_B, -1, face_b
    return most, FACE_A, face_a, -1
