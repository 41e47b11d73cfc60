"""Contact patch of two convex polyhedra.

The face that gives the separating axis is the reference face. The face of the other hull that faces it most is the
incident face; it is clipped by the sides of the reference face (face-face, edge-face, vertex-face). Crossing edges meet
in one point. If their faces lie nearly flat on each other, the patch of these faces is used instead: with one point the
block would tip freely. A contact point is a pair of material points, one on either block, with a gap between them along
the normal. Points are kept up to a margin above the plane: an open contact costs little in the problem of a step.

A patch that reaches less than GRAZE into the reference face is a corner that passes a corner, as between diagonal
neighbours in a wall. It carries no force unless the hulls overlap: it would hold blocks that can slip past each other.
"""

import math
from typing import NamedTuple

import numpy as np

from nscd_engine.kernels.geometry.gjk import closest_points
from nscd_engine.kernels.geometry.hull import along, difference, support
from nscd_engine.kernels.geometry.separating_axis import EDGES, FACE_A, NONE, edge_axis, separating_axis
from nscd_engine.kernels.jit import inner

#: Width of the common part of two faces, over the size, below which they pass each other; also the penetration of hulls
#: from which corners are in contact [-]. Larger: narrow bearings are lost. Smaller: blocks catch on corners of their
#: neighbours.
GRAZE = 1e-4
#: Distance, over the size, below which a point is on a side or on a straight edge [-]. Larger: short edges vanish.
#: Smaller: points and keys of aligned blocks change from step to step.
SNAP = 1e-7
#: Cosine between the normals beyond which two faces lie flat on each other [-]. Larger: warped faces get gaps from
#: their corners. Smaller: faces at an angle are treated as parallel.
FLAT = 0.999
#: Cosine between a normal and that of a face below which no gap is measured on it [-]. Larger: edges of sharp blocks
#: have one contact only. Smaller: gaps are measured far from their edge.
STEEP = 1e-2
#: Distance from another point, over the common part of two edges, below which its end is no point of its own [-].
#: Larger: blocks turn about a point near the end and penetrate. Smaller: points in pairs.
NEAR = 0.02
#: Kind of a contact between corners: its normal is the line of the nearest points.
CORNERS = 4
#: Base of the keys, which are polynomials modulo KEY_PRIME.
KEY_BASE = 1000003
#: Prime below 2**42. Larger: the product of a key with the base does not fit in 64 bits.
KEY_PRIME = 4398046511093


class Search(NamedTuple):
    """Parameters of the narrow phase of one pair."""

    size: float  # [m] of the smaller block; tolerances refer to it
    margin: float  # [m] points up to this far apart are kept
    corners: bool  # whether corners that approach each other make contact while they are apart
    before: int  # kind of the axis found last time, NONE if unknown


class Scratch(NamedTuple):
    """Working memory of a narrow phase; K corners at most in a patch."""

    vertices: np.ndarray  # [m] (v, 3): hull B in the axes of A
    planes: np.ndarray  # (f, 5)
    work: np.ndarray  # [m] (2, K, 3): a polygon before and after a clip
    label: np.ndarray  # (2, K) int64: where its edges come from
    rotation: np.ndarray  # (3, 3): axes of B to axes of A
    normal: np.ndarray  # (3,): of the patch, from A to B
    on_a: np.ndarray  # [m] (K, 3): contact points on A; all in the axes of A
    on_b: np.ndarray  # [m] (K, 3): contact points on B
    key: np.ndarray  # (K,) int64


def scratch_for(parts):
    """Scratch for any pair of the parts."""
    vertices = int(np.diff(parts.vertex_start).max(initial=1))
    faces = int(np.diff(parts.part_face_start).max(initial=1))
    # Each side of a convex clip adds one corner at most.
    corners = 2 * int(np.diff(parts.face_start).max(initial=2)) + 2
    return Scratch(
        np.empty((vertices, 3)),
        np.empty((faces, 5)),
        np.empty((2, corners, 3)),
        np.empty((2, corners), np.int64),
        np.empty((3, 3)),
        np.empty(3),
        np.empty((corners, 3)),
        np.empty((corners, 3)),
        np.empty(corners, np.int64),
    )


@inner
def key_with(key, number):
    """Append a number to a key."""
    return (key * KEY_BASE + number + 1) % KEY_PRIME


@inner
def facing_face(planes, x, y, z):
    """Face whose normal is most opposed to (x, y, z); surface is preferred to cuts."""
    best, least = -1, np.inf
    for k in range(planes.shape[0]):
        d = along(planes, k, x, y, z) + 2.0 * planes[k, 4]
        if d < least:
            best, least = k, d
    return best


@inner
def inward_side(ref, face, k, n):
    """Side from corner k of the reference face: first vertex, and unit normal perpendicular to n, into the face."""
    first, last = ref.face_start[face], ref.face_start[face + 1]
    p, q = ref.face_vertices[k], ref.face_vertices[k + 1 if k + 1 < last else first]
    x, y, z = difference(ref.vertices, p, q)
    a, b, c = n
    mx, my, mz = b * z - c * y, c * x - a * z, a * y - b * x
    scale = 1.0 / math.sqrt(mx * mx + my * my + mz * mz)
    return p, mx * scale, my * scale, mz * scale


@inner
def clip_by_sides(ref, face, inc, incident, n, snap, scratch):
    """Clip the incident face by the sides of the reference face, planes parallel to n.

    Polygon and labels alternate between the two halves of `work` and `label` of the scratch. The label of a corner is
    that of the edge that leaves it: the number of an incident edge, or -1 - number of a reference side.

    Returns
    -------
    now : int
        The half that holds the result.
    count : int
        Its number of corners.
    reach : float
        Distance [m] that the polygon reached inside the side where it reached least.
    """
    work, label = scratch.work, scratch.label
    first, last = ref.face_start[face], ref.face_start[face + 1]
    count, now, reach = 0, 0, np.inf
    for k in range(inc.face_start[incident], inc.face_start[incident + 1]):
        for d in range(3):
            work[0, count, d] = inc.vertices[inc.face_vertices[k], d]
        label[0, count] = count
        count += 1
    for k in range(first, last):
        p, x, y, z = inward_side(ref, face, k, n)
        plane = x, y, z, along(ref.vertices, p, x, y, z)
        count, most = clip_by_side(work, label, now, count, plane, snap, first - 1 - k)
        reach = min(reach, most)
        now = 1 - now
    return now, count, reach


@inner
def clip_by_side(work, label, now, count, plane, snap, side):
    """Keep the part where (x, y, z) . p >= level; returns the corners left and the greatest height [m] above it."""
    x, y, z, level = plane
    kept, most, to = 0, -np.inf, 1 - now
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        dv = work[now, i, 0] * x + work[now, i, 1] * y + work[now, i, 2] * z - level
        dw = work[now, j, 0] * x + work[now, j, 1] * y + work[now, j, 2] * z - level
        most = max(most, dv)
        inside_v, inside_w = dv >= -snap, dw >= -snap
        if inside_v:
            for d in range(3):
                work[to, kept, d] = work[now, i, d]
            label[to, kept] = label[now, i]
            kept += 1
        if inside_v != inside_w:
            s = min(max(dv / (dv - dw), 0.0), 1.0)
            for d in range(3):
                work[to, kept, d] = work[now, i, d] + s * (work[now, j, d] - work[now, i, d])
            label[to, kept] = side if inside_v else label[now, i]
            kept += 1
    return kept, most


@inner
def between(points, now, i, j, k, tolerance):
    """Whether corner j is within `tolerance` [m] of the segment from i to k: a patch with i and k needs no j."""
    bx, px = points[now, k, 0] - points[now, i, 0], points[now, j, 0] - points[now, i, 0]
    by, py = points[now, k, 1] - points[now, i, 1], points[now, j, 1] - points[now, i, 1]
    bz, pz = points[now, k, 2] - points[now, i, 2], points[now, j, 2] - points[now, i, 2]
    length2 = bx * bx + by * by + bz * bz
    if px * px + py * py + pz * pz <= tolerance * tolerance:
        return True
    ahead = px * bx + py * by + pz * bz
    if ahead <= 0.0 or ahead >= length2:
        return False
    x, y, z = py * bz - pz * by, pz * bx - px * bz, px * by - py * bx
    return x * x + y * y + z * z <= tolerance * tolerance * length2


@inner
def face_patch(ref, face, inc, n, search, separation, scratch, places):
    """Points of the patch on a reference face, and their number.

    Parameters
    ----------
    ref, inc : Hull
        With the reference face, with the incident face.
    face : int
    n : three floats
        Direction along which gaps are measured: the normal of the face, or close to it.
    search : Search
    separation : float
        Of the hulls [m], negative if they overlap.
    scratch : Scratch
        Receives the keys.
    places : two arrays (K, 3)
        Receive the points on `ref` and on `inc` [m].
    """
    x, y, z = n
    on_ref, on_inc = places
    size, margin = search.size, search.margin
    incident = facing_face(inc.planes, x, y, z)
    work, label = scratch.work, scratch.label
    now, count, reach = clip_by_sides(ref, face, inc, incident, n, SNAP * size, scratch)
    if count == 0 or (separation > -GRAZE * size and reach < GRAZE * size):
        return 0
    slope, rise = along(inc.planes, incident, x, y, z), along(ref.planes, face, x, y, z)
    pair = key_with(key_with(0, face), incident)
    kept, last = 0, count - 1
    for i in range(count):
        if between(work, now, last, i, i + 1 if i + 1 < count else 0, SNAP * size):
            continue
        last = i
        px, py, pz = work[now, i, 0], work[now, i, 1], work[now, i, 2]
        gap = (along(ref.planes, face, px, py, pz) - ref.planes[face, 3]) / rise
        # Faces that lie flat on each other count as their planes: corners of warped faces are off by more than the gap.
        lift = (inc.planes[incident, 3] - along(inc.planes, incident, px, py, pz)) / slope if slope < -FLAT else 0.0
        gap += lift
        if gap > margin:
            continue
        on_inc[kept, 0], on_inc[kept, 1], on_inc[kept, 2] = px + lift * x, py + lift * y, pz + lift * z
        drop(on_inc, on_ref, kept, gap, x, y, z)
        scratch.key[kept] = key_with(key_with(pair, label[now, i - 1 if i > 0 else count - 1]), label[now, i])
        kept += 1
    if kept == 0 and separation < -GRAZE * size:
        # The hulls overlap and no corner is below the face: the deepest vertex is the contact.
        deepest_vertex(inc, n, ref.planes[face, 3], on_ref, on_inc)
        scratch.key[0] = key_with(pair, -1)
        kept = 1
    return kept


@inner
def deepest_vertex(inc, n, offset, on_ref, on_inc):
    """Vertex of a hull that is deepest below the plane n . x = offset [m], and its projection, into row 0."""
    x, y, z = n
    j = support(inc.vertices, -x, -y, -z)
    for d in range(3):
        on_inc[0, d] = inc.vertices[j, d]
    drop(on_inc, on_ref, 0, along(inc.vertices, j, x, y, z) - offset, x, y, z)


@inner
def drop(points, feet, k, height, x, y, z):
    """Projection of point k on the plane `height` [m] below it along (x, y, z)."""
    feet[k, 0], feet[k, 1], feet[k, 2] = (
        points[k, 0] - height * x,
        points[k, 1] - height * y,
        points[k, 2] - height * z,
    )


@inner
def edge_point(a, e, b, f, size, separation, on_a, on_b):
    """Nearest points of two crossing edges; returns 1, or 0 if they meet only near their ends."""
    p, r = a.edges[e, 0], b.edges[f, 0]
    ux, uy, uz = difference(a.vertices, p, a.edges[e, 1])
    wx, wy, wz = difference(b.vertices, r, b.edges[f, 1])
    uu, uw, ww = ux * ux + uy * uy + uz * uz, ux * wx + uy * wy + uz * wz, wx * wx + wy * wy + wz * wz
    uc = along(a.vertices, p, ux, uy, uz) - along(b.vertices, r, ux, uy, uz)
    wc = along(a.vertices, p, wx, wy, wz) - along(b.vertices, r, wx, wy, wz)
    determinant = uu * ww - uw * uw
    s = (uw * wc - ww * uc) / determinant
    t = (uu * wc - uw * uc) / determinant
    end_s, end_t = GRAZE * size / math.sqrt(uu), GRAZE * size / math.sqrt(ww)
    grazes = s < end_s or s > 1.0 - end_s or t < end_t or t > 1.0 - end_t
    if grazes and separation > -GRAZE * size:
        return 0
    s, t = min(max(s, 0.0), 1.0), min(max(t, 0.0), 1.0)
    for d in range(3):
        on_a[0, d] = a.vertices[p, d] + s * (a.vertices[a.edges[e, 1], d] - a.vertices[p, d])
        on_b[0, d] = b.vertices[r, d] + t * (b.vertices[b.edges[f, 1], d] - b.vertices[r, d])
    return 1


@inner
def edge_ends(a, e, b, f, search, scratch, count):
    """Append the ends of the common part of two edges to the `count` points in the scratch; returns their number.

    The gap of an end is measured along the normal, from one edge to the faces beside the other. Ends that are points
    already are left out.
    """
    on_a, on_b = scratch.on_a, scratch.on_b
    n = scratch.normal[0], scratch.normal[1], scratch.normal[2]
    back = -n[0], -n[1], -n[2]
    p, q, r, t = a.edges[e, 0], a.edges[e, 1], b.edges[f, 0], b.edges[f, 1]
    u, w = difference(a.vertices, p, q), difference(b.vertices, r, t)
    long_a, long_b = math.sqrt(u[0] ** 2 + u[1] ** 2 + u[2] ** 2), math.sqrt(w[0] ** 2 + w[1] ** 2 + w[2] ** 2)
    if u[0] * w[0] + u[1] * w[1] + u[2] * w[2] < 0.0:
        r, t, long_b = t, r, -long_b
    # Places along both edges are measured by their mean direction.
    x, y, z = u[0] / long_a + w[0] / long_b, u[1] / long_a + w[1] / long_b, u[2] / long_a + w[2] / long_b
    p0, p1 = along(a.vertices, p, x, y, z), along(a.vertices, q, x, y, z)
    r0, r1 = along(b.vertices, r, x, y, z), along(b.vertices, t, x, y, z)
    low, high, scale = max(p0, r0), min(p1, r1), math.sqrt(x * x + y * y + z * z)
    common = (high - low) / scale if scale > 0.0 else 0.0
    if common <= GRAZE * search.size:
        return count
    first = count
    for end in range(2):
        place = high if end else low
        to_p, to_r = (place - p0) / (p1 - p0), (place - r0) / (r1 - r0)
        for d in range(3):
            on_a[count, d] = a.vertices[p, d] + to_p * (a.vertices[q, d] - a.vertices[p, d])
            on_b[count, d] = b.vertices[r, d] + to_r * (b.vertices[t, d] - b.vertices[r, d])
        gap_a = height_beside(on_a, count, b.planes, b.edges[f, 2], b.edges[f, 3], back)
        gap_b = height_beside(on_b, count, a.planes, a.edges[e, 2], a.edges[e, 3], n)
        if min(gap_a, gap_b) > search.margin:
            continue
        if gap_a <= gap_b:
            drop(on_a, on_b, count, gap_a, back[0], back[1], back[2])
        else:
            drop(on_b, on_a, count, gap_b, n[0], n[1], n[2])
        if is_twin(on_a, 0, first, count, NEAR * common):
            continue
        scratch.key[count] = key_with(key_with(key_with(0, e), f), end)
        count += 1
    return count


@inner
def is_twin(points, first, last, k, near):
    """Whether point k is within `near` [m] of one of first:last."""
    for j in range(first, last):
        x, y, z = difference(points, j, k)
        if x * x + y * y + z * z < near * near:
            return True
    return False


@inner
def height_beside(points, k, planes, i, j, n):
    """Height [m] of point k along n above the two planes beside an edge, whichever is met first; infinite if none."""
    height = -np.inf
    for face in (i, j):
        rise = along(planes, face, n[0], n[1], n[2])
        over = along(points, k, planes[face, 0], planes[face, 1], planes[face, 2]) - planes[face, 3]
        if rise > STEEP:
            height = max(height, over / rise)
        elif over > 0.0:
            return np.inf
    return height if height > -np.inf else np.inf


@inner
def edge_patch(a, e, b, f, search, separation, scratch):
    """Points of two edges that cross, with the normal in the scratch; returns their number.

    Edges meet in one point, but where an edge is nearly parallel to the other, or to a face beside it, a small rotation
    brings together what is far from that point. So the faces beside the edges that face each other most are clipped as
    those of a patch, with gaps along the normal of the edges; and unless they lie flat on each other, the common part
    of the edges ends in points as well.
    """
    n = scratch.normal[0], scratch.normal[1], scratch.normal[2]
    x, y, z = n
    face, incident = facing_face(a.planes, -x, -y, -z), facing_face(b.planes, x, y, z)
    rise, fall = along(a.planes, face, x, y, z), -along(b.planes, incident, x, y, z)
    on_a, on_b = scratch.on_a, scratch.on_b
    if rise >= fall or (rise > FLAT and fall > FLAT):
        count = face_patch(a, face, b, n, search, separation, scratch, (on_a, on_b))
    else:
        count = face_patch(b, incident, a, (-x, -y, -z), search, separation, scratch, (on_b, on_a))
    if count > 0 and rise > FLAT and fall > FLAT:
        return count
    if count == 0:
        count = edge_point(a, e, b, f, search.size, separation, on_a, on_b)
        scratch.key[0] = key_with(key_with(0, e), f)
    return edge_ends(a, e, b, f, search, scratch, count)


@inner
def collide(a, b, search, scratch):
    """Patch of two hulls in the same axes; the normal and the points go into the scratch.

    Parameters
    ----------
    a, b : Hull
    search : Search
    scratch : Scratch

    Returns
    -------
    separation : float
        [m]; exact if there are points, else a lower bound.
    kind : int
        Of the axis.
    count : int
        Number of points.
    """
    n, on_a, on_b = scratch.normal, scratch.on_a, scratch.on_b
    size, margin = search.size, search.margin
    separation, kind, i, j = separating_axis(a, b, size, margin, search.before, n)
    count = 0
    if separation > margin or kind == NONE:
        return separation, kind, count
    if kind == EDGES:
        edge_axis(a, i, b, j, n)
        count = edge_patch(a, i, b, j, search, separation, scratch)
    else:
        ref, inc, face, sign = (a, b, i, 1.0) if kind == FACE_A else (b, a, j, -1.0)
        places = (on_a, on_b) if kind == FACE_A else (on_b, on_a)
        for d in range(3):
            n[d] = sign * ref.planes[face, d]
        out = ref.planes[face, 0], ref.planes[face, 1], ref.planes[face, 2]
        count = face_patch(ref, face, inc, out, search, separation, scratch, places)
    if search.corners and count == 0 and separation > 0.0:
        separation = closest_points(a.vertices, b.vertices, on_a, on_b)
        if 0.0 < separation <= margin:
            kind, count = CORNERS, 1
            for d in range(3):
                n[d] = (on_b[0, d] - on_a[0, d]) / separation
            scratch.key[0] = 0
    for k in range(count):
        scratch.key[k] = key_with(scratch.key[k], kind)
    return separation, kind, count


@inner
def signed_distance(a, b, scratch):
    """Distance [m] of two hulls in the same axes, or minus their penetration."""
    separation = separating_axis(a, b, 0.0, np.inf, NONE, scratch.normal)[0]
    if separation > 0.0:
        return closest_points(a.vertices, b.vertices, scratch.on_a, scratch.on_b)
    return separation
