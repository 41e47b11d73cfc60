"""Contact patch of two convex polyhedra.

The face that gives the separating axis is the reference; the face of the other hull that looks at it most is the
incident one and is clipped by the sides of the reference (face-face, edge-face, vertex-face). Crossing edges meet in
one point; where they bound faces that lie nearly flat on each other, the patch of these is kept with it, lest the block
tip about the point as if there were nothing around it. A point has a material place on either block and a gap between
them along the normal; points are kept up to a margin above the plane, because an open gap costs nothing in the step
problem.

A patch that reaches less than GRAZE into the reference face is a corner passing by a corner, as between diagonal
neighbours in a wall. It carries no force unless the hulls overlap: it would hold blocks that can slip past each other.
"""

import math
from typing import NamedTuple

import numpy as np

from nscd_engine.kernels.geometry.gjk import closest_points
from nscd_engine.kernels.geometry.hull import along, difference, support
from nscd_engine.kernels.geometry.separating_axis import EDGES, FACE_A, NONE, edge_axis, separating_axis
from nscd_engine.kernels.jit import inner

#: Overlap of two faces, over the size, below which they pass each other; also the overlap of hulls from which a corner
#: holds. Larger: narrow bearings are lost. Smaller: blocks catch on the corners of their neighbours.
GRAZE = 1e-4
#: Distance, over the size, below which a point is on a side or on a straight edge: keeps points and keys of aligned
#: blocks the same from step to step.
SNAP = 1e-7
#: Cosine beyond which two faces meet flat.
FLAT = 0.999
#: Kind of a contact between corners: its normal is the line of the nearest points.
CORNERS = 4
#: Keys are polynomials modulo a prime below 2**42, so that the product with the base fits in 64 bits.
KEY_BASE, KEY_PRIME = 1000003, 4398046511093


class Scratch(NamedTuple):
    """Memory of one narrow phase; K corners at most in a patch."""

    vertices: np.ndarray  # [m] (v, 3): hull B in the axes of A
    planes: np.ndarray  # (f, 5)
    work: np.ndarray  # [m] (2, K, 3): a polygon before and after a clip
    label: np.ndarray  # (2, K) int64: where its edges come from
    normal: np.ndarray  # (3,): of the patch, from A to B
    on_a: np.ndarray  # [m] (K, 3): places on A, all in the axes of A
    on_b: np.ndarray  # [m] (K, 3)
    key: np.ndarray  # (K,) int64


def scratch_for(parts):
    """Scratch that is large enough for any pair of the parts."""
    vertices = int(np.diff(parts.vertex_start).max(initial=1))
    faces = int(np.diff(parts.part_face_start).max(initial=1))
    # Each side of a convex clip adds one corner at most.
    corners = 2 * int(np.diff(parts.face_start).max(initial=2)) + 2
    return Scratch(
        np.empty((vertices, 3)),
        np.empty((faces, 5)),
        np.empty((2, corners, 3)),
        np.empty((2, corners), np.int64),
        np.empty(3),
        np.empty((corners, 3)),
        np.empty((corners, 3)),
        np.empty(corners, np.int64),
    )


@inner
def key_with(key, number):
    """Fold one more number into a key."""
    return (key * KEY_BASE + number + 1) % KEY_PRIME


@inner
def facing_face(planes, x, y, z):
    """Face that looks most against (x, y, z), preferring surface to cuts."""
    best, least = -1, np.inf
    for k in range(planes.shape[0]):
        d = along(planes, k, x, y, z) + 2.0 * planes[k, 4]
        if d < least:
            best, least = k, d
    return best


@inner
def inward_side(ref, face, k, a, b, c):
    """Side from corner k of the reference face: first vertex, and unit normal square to (a, b, c), into the face."""
    first, last = ref.face_start[face], ref.face_start[face + 1]
    p, q = ref.face_vertices[k], ref.face_vertices[k + 1 if k + 1 < last else first]
    x, y, z = difference(ref.vertices, p, q)
    mx, my, mz = b * z - c * y, c * x - a * z, a * y - b * x
    scale = 1.0 / math.sqrt(mx * mx + my * my + mz * mz)
    return p, mx * scale, my * scale, mz * scale


@inner
def clip_by_sides(ref, face, inc, incident, a, b, c, snap, work, label):
    """Clip the incident face by the sides of the reference face, which stand along (a, b, c).

    Polygon and labels go back and forth between the two halves of `work` (2, K, 3) and `label` (2, K): the label of a
    corner is that of the edge that leaves it, the number of an incident edge or -1 - number of a reference side.
    Returns the half that holds the result, its number of corners, and how far [m] the polygon reached inside the side
    where it reached least.
    """
    first, last = ref.face_start[face], ref.face_start[face + 1]
    count, now, reach = 0, 0, np.inf
    for k in range(inc.face_start[incident], inc.face_start[incident + 1]):
        for d in range(3):
            work[0, count, d] = inc.vertices[inc.face_vertices[k], d]
        label[0, count] = count
        count += 1
    for k in range(first, last):
        p, x, y, z = inward_side(ref, face, k, a, b, c)
        level = along(ref.vertices, p, x, y, z)
        count, most = clip_by_side(work, label, now, count, x, y, z, level, snap, first - 1 - k)
        reach = min(reach, most)
        now = 1 - now
    return now, count, reach


@inner
def clip_by_side(work, label, now, count, x, y, z, level, snap, side):
    """Keep what has (x, y, z) . p >= level; number of corners left, and the greatest height above the level."""
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
    """Whether corner j is within `tolerance` of the segment from i to k, so that a patch with those needs no j."""
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
def face_patch(ref, face, inc, x, y, z, size, margin, separation, scratch, on_ref, on_inc):
    """Points of the patch on a reference face; places on either hull into on_ref, on_inc, keys into the scratch.

    Gaps are measured along (x, y, z), the normal of the face or a direction near it.
    """
    incident = facing_face(inc.planes, x, y, z)
    work, label = scratch.work, scratch.label
    now, count, reach = clip_by_sides(ref, face, inc, incident, x, y, z, SNAP * size, work, label)
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
        # Faces that meet flat are taken as their planes: the corners of warped faces are off by more than the gap.
        lift = (inc.planes[incident, 3] - along(inc.planes, incident, px, py, pz)) / slope if slope < -FLAT else 0.0
        gap += lift
        if gap > margin:
            continue
        on_inc[kept, 0], on_inc[kept, 1], on_inc[kept, 2] = px + lift * x, py + lift * y, pz + lift * z
        drop(on_inc, on_ref, kept, gap, x, y, z)
        scratch.key[kept] = key_with(key_with(pair, label[now, i - 1 if i > 0 else count - 1]), label[now, i])
        kept += 1
    if kept == 0 and separation < -GRAZE * size:
        # Deep, and nothing under the face: the deepest vertex must do.
        j = support(inc.vertices, -x, -y, -z)
        for d in range(3):
            on_inc[0, d] = inc.vertices[j, d]
        drop(on_inc, on_ref, 0, along(inc.vertices, j, x, y, z) - ref.planes[face, 3], x, y, z)
        scratch.key[0] = key_with(pair, -1)
        kept = 1
    return kept


@inner
def drop(points, feet, k, height, x, y, z):
    """Foot of point k on the plane `height` below it."""
    feet[k, 0], feet[k, 1], feet[k, 2] = (
        points[k, 0] - height * x,
        points[k, 1] - height * y,
        points[k, 2] - height * z,
    )


@inner
def edge_point(a, e, b, f, size, separation, on_a, on_b):
    """Where two crossing edges are nearest; 1, or 0 if they only graze each other's ends."""
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
def edge_patch(a, b, size, margin, separation, scratch):
    """Patch of the faces whose edges cross, if they lie nearly flat on each other along the normal in the scratch."""
    x, y, z = scratch.normal[0], scratch.normal[1], scratch.normal[2]
    face, incident = facing_face(a.planes, -x, -y, -z), facing_face(b.planes, x, y, z)
    if along(a.planes, face, x, y, z) < FLAT or along(b.planes, incident, x, y, z) > -FLAT:
        return 0
    return face_patch(a, face, b, x, y, z, size, margin, separation, scratch, scratch.on_a, scratch.on_b)


@inner
def collide(a, b, size, margin, corners, before, scratch):
    """Patch of two hulls that are given in the same axes.

    Parameters
    ----------
    a, b : Hull
    size, margin : [m]; points up to `margin` apart are kept
    corners : whether corners that fly at each other while they are apart make contact too
    before : kind of axis found last time

    Returns
    -------
    separation [m], exact if there are points, else a lower bound; kind; number of points in scratch.on_a, on_b, key;
    the normal is in scratch.normal
    """
    n, on_a, on_b = scratch.normal, scratch.on_a, scratch.on_b
    separation, kind, i, j = separating_axis(a, b, size, margin, before, n)
    count = 0
    if separation > margin or kind == NONE:
        return separation, kind, count
    if kind == EDGES:
        edge_axis(a, i, b, j, n)
        count = edge_patch(a, b, size, margin, separation, scratch)
        if count == 0:
            count = edge_point(a, i, b, j, size, separation, on_a, on_b)
            scratch.key[0] = key_with(key_with(0, i), j)
    else:
        ref, inc, face, sign = (a, b, i, 1.0) if kind == FACE_A else (b, a, j, -1.0)
        on_ref, on_inc = (on_a, on_b) if kind == FACE_A else (on_b, on_a)
        for d in range(3):
            n[d] = sign * ref.planes[face, d]
        x, y, z = ref.planes[face, 0], ref.planes[face, 1], ref.planes[face, 2]
        count = face_patch(ref, face, inc, x, y, z, size, margin, separation, scratch, on_ref, on_inc)
    if corners and count == 0 and separation > 0.0:
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
    """Distance [m] of two hulls in the same axes, or minus the depth by which they overlap."""
    separation = separating_axis(a, b, 0.0, np.inf, NONE, scratch.normal)[0]
    if separation > 0.0:
        return closest_points(a.vertices, b.vertices, scratch.on_a, scratch.on_b)
    return separation
