"""Faces of blocks measured, coplanar ones joined into facets, concave ones cut into triangles; convexity of blocks."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner

#: Least cosine between the normals of faces in one plane [-] (5 degrees). The distance of corners from the plane is
#: bounded as well. Larger: small triangles, whose normals are poor, become facets. Smaller: folds of tiny faces vanish.
SAME_PLANE = 0.996
#: Relative difference of areas below which the first of two faces is the seed [-]. Larger: a smaller face gives the
#: plane. Smaller: rounding decides which of two equal faces does.
SAME_AREA = 1e-9
#: Distance of a corner inside the line of its neighbours, over the extent of the face, from which the face is concave
#: [-]. Larger: shallow notches are bridged. Smaller: rounding makes straight edges concave.
REFLEX = 1e-9
#: Relative difference of lengths below which two edges are equally long [-]. Larger: a shorter edge may give t1.
#: Smaller: rounding decides which edge of a square gives t1.
AS_LONG = 1e-6
#: Least weight of a face [m2], so that facets without area have an origin.
TINY = float(np.finfo(float).tiny)


class Faces(NamedTuple):
    """Faces of all blocks. F faces."""

    start: np.ndarray  # (F + 1,) int64: into corner
    corner: np.ndarray  # int64: vertices
    point: np.ndarray  # [m] (V, 3)
    normal: np.ndarray  # (F, 3): unit, 0 without an area
    mean: np.ndarray  # [m] (F, 3): of the corners
    area: np.ndarray  # [m2] (F,)


class Planes(NamedTuple):
    """Planes of facets. K facets."""

    normal: np.ndarray  # (K, 3)
    origin: np.ndarray  # [m] (K, 3)
    area: np.ndarray  # [m2] (K,)


class Pieces(NamedTuple):
    """Convex pieces of facets. K facets, Q pieces."""

    start: np.ndarray  # (K + 1,) int64: pieces of each facet
    corner_start: np.ndarray  # (Q + 1,) int64: into corner
    corner: np.ndarray  # int64: vertices


@inner
def _measure_faces(faces):
    """Fill normals, means and areas of faces."""
    start, corner, point = faces.start, faces.corner, faces.point
    normal, mean, area = faces.normal, faces.mean, faces.area
    for face in range(area.shape[0]):
        begin, end = start[face], start[face + 1]
        first = corner[begin]
        mx = my = mz = 0.0  # relative to the first corner: no digits are lost far from the origin
        for c in range(begin, end):
            mx += point[corner[c], 0] - point[first, 0]
            my += point[corner[c], 1] - point[first, 1]
            mz += point[corner[c], 2] - point[first, 2]
        count = end - begin
        mx, my, mz = mx / count, my / count, mz / count
        x = y = z = 0.0
        for c in range(begin, end):
            v, w = corner[c], corner[c + 1 if c + 1 < end else begin]
            ax, ay = point[v, 0] - point[first, 0] - mx, point[v, 1] - point[first, 1] - my
            az = point[v, 2] - point[first, 2] - mz
            bx, by = point[w, 0] - point[first, 0] - mx, point[w, 1] - point[first, 1] - my
            bz = point[w, 2] - point[first, 2] - mz
            x += ay * bz - az * by
            y += az * bx - ax * bz
            z += ax * by - ay * bx
        x, y, z = 0.5 * x, 0.5 * y, 0.5 * z
        area[face] = math.sqrt(x * x + y * y + z * z)
        size = area[face] if area[face] > 0.0 else 1.0
        normal[face, 0], normal[face, 1], normal[face, 2] = x / size, y / size, z / size
        mean[face, 0], mean[face, 1], mean[face, 2] = point[first, 0] + mx, point[first, 1] + my, point[first, 2] + mz


@njit(cache=True, nogil=True, error_model="numpy")
def group_faces(block_start, faces, tolerance):
    """Facet (F,) int64 of every face, and facets (B + 1,) int64 of every block, in whose order they are numbered.

    A facet is the largest face that has none yet, and the faces in its plane. A face is in the plane if all its corners
    are within the tolerance [m] (B,) of it and its normal is within 5 degrees.

    Parameters
    ----------
    block_start : array (B + 1,)
        Faces of each block.
    faces : Faces
        Their normals, means and areas are filled.
    tolerance : array (B,)
    """
    _measure_faces(faces)
    face_start, corner, point = faces.start, faces.corner, faces.point
    normal, mean, area = faces.normal, faces.mean, faces.area
    label = np.full(area.shape[0], -1)
    facet_start = np.zeros(block_start.shape[0], np.int64)
    count = 0
    for block in range(block_start.shape[0] - 1):
        begin, end = block_start[block], block_start[block + 1]
        while True:
            seed = -1
            for face in range(begin, end):
                if label[face] < 0 and (seed < 0 or area[face] > area[seed] * (1.0 + SAME_AREA)):
                    seed = face
            if seed < 0:
                break
            label[seed] = count
            for face in range(begin, end):
                cosine = 0.0
                for i in range(3):
                    cosine += normal[face, i] * normal[seed, i]
                member = label[face] < 0 and (cosine > SAME_PLANE or area[face] == 0.0)
                c = face_start[face]
                while member and c < face_start[face + 1]:
                    d = 0.0
                    for i in range(3):
                        d += (point[corner[c], i] - mean[seed, i]) * normal[seed, i]
                    member = abs(d) <= tolerance[block]
                    c += 1
                if member:
                    label[face] = count
            count += 1
        facet_start[block + 1] = count
    return label, facet_start


@njit(cache=True, nogil=True, error_model="numpy")
def fit_planes(faces, label, order, planes):
    """Fill the planes of facets, and tell which faces (F,) are concave.

    Parameters
    ----------
    faces : Faces
    label : array (F,)
        Facet of each face.
    order : array (F,)
        Faces in the order of the facets.
    planes : Planes
        Receives mean normals and, weighted by areas, means of the faces.
    """
    normal, mean, area = faces.normal, faces.mean, faces.area
    row = 0
    for k in range(planes.area.shape[0]):
        base = order[row]
        x = y = z = sx = sy = sz = total = 0.0
        while row < order.shape[0] and label[order[row]] == k:
            face = order[row]
            row += 1
            x += normal[face, 0] * area[face]
            y += normal[face, 1] * area[face]
            z += normal[face, 2] * area[face]
            weight = max(area[face], TINY)
            sx += (mean[face, 0] - mean[base, 0]) * weight
            sy += (mean[face, 1] - mean[base, 1]) * weight
            sz += (mean[face, 2] - mean[base, 2]) * weight
            total += weight
        planes.area[k] = math.sqrt(x * x + y * y + z * z)
        size = planes.area[k] if planes.area[k] > 0.0 else 1.0
        planes.normal[k, 0], planes.normal[k, 1], planes.normal[k, 2] = x / size, y / size, z / size
        planes.origin[k, 0] = mean[base, 0] + sx / total
        planes.origin[k, 1] = mean[base, 1] + sy / total
        planes.origin[k, 2] = mean[base, 2] + sz / total
    return _concave(faces, label, planes.normal)


@inner
def _concave(faces, label, normal):
    """Which faces (F,) are concave, seen against the normals (K, 3) of their facets."""
    start, corner, point = faces.start, faces.corner, faces.point
    concave = np.zeros(label.shape[0], np.bool_)
    for face in range(label.shape[0]):
        begin, end, n = start[face], start[face + 1], normal[label[face]]
        longest, least = 0.0, np.inf
        for c in range(begin, end):
            u = corner[c - 1 if c > begin else end - 1]
            v, w = corner[c], corner[c + 1 if c + 1 < end else begin]
            ax, ay, az = point[v, 0] - point[u, 0], point[v, 1] - point[u, 1], point[v, 2] - point[u, 2]
            bx, by, bz = point[w, 0] - point[v, 0], point[w, 1] - point[v, 1], point[w, 2] - point[v, 2]
            turn = n[0] * (ay * bz - az * by) + n[1] * (az * bx - ax * bz) + n[2] * (ax * by - ay * bx)
            least, longest = min(least, turn), max(longest, bx * bx + by * by + bz * bz)
        concave[face] = least < -REFLEX * longest
    return concave


@njit(cache=True, nogil=True, error_model="numpy")
def measure_facets(point, pieces, planes, box, along):
    """Greatest distances (K,) [m] of corners from the planes of their facets.

    Parameters
    ----------
    point : array (V, 3)
        Vertices of the blocks [m].
    pieces : Pieces
    planes : Planes
    box : array (2, K, 3)
        Receives the lower and upper corners of the bounding boxes [m].
    along : array (K, 3)
        Receives the directions of the longest edges; of edges of equal length, the first.
    """
    corner_start, corner = pieces.corner_start, pieces.corner
    warp = np.zeros(along.shape[0])
    for k in range(along.shape[0]):
        normal, origin = planes.normal[k], planes.origin[k]
        box[0, k], box[1, k] = np.inf, -np.inf
        longest = 0.0
        for piece in range(pieces.start[k], pieces.start[k + 1]):
            for c in range(corner_start[piece], corner_start[piece + 1]):
                height = 0.0
                for i in range(3):
                    x = point[corner[c], i]
                    height += (x - origin[i]) * normal[i]
                    box[0, k, i], box[1, k, i] = min(box[0, k, i], x), max(box[1, k, i], x)
                warp[k] = max(warp[k], abs(height))
                longest = max(longest, _edge(point, pieces, piece, c, normal)[3])
        _set_direction(point, pieces, k, normal, longest, along[k])
    return warp


@inner
def _edge(point, pieces, piece, c, normal):
    """The edge from corner c of a piece to the next one in a plane with a normal (3,), and its length [m]."""
    begin, end = pieces.corner_start[piece], pieces.corner_start[piece + 1]
    v, w = pieces.corner[c], pieces.corner[c + 1 if c + 1 < end else begin]
    x, y, z = point[w, 0] - point[v, 0], point[w, 1] - point[v, 1], point[w, 2] - point[v, 2]
    off = x * normal[0] + y * normal[1] + z * normal[2]
    x, y, z = x - off * normal[0], y - off * normal[1], z - off * normal[2]
    return x, y, z, math.sqrt(x * x + y * y + z * z)


@inner
def _set_direction(point, pieces, k, normal, longest, along):
    """Write the direction (3,) of the first edge of facet k that is as long as the longest [m]."""
    for piece in range(pieces.start[k], pieces.start[k + 1]):
        for c in range(pieces.corner_start[piece], pieces.corner_start[piece + 1]):
            x, y, z, length = _edge(point, pieces, piece, c, normal)
            if length >= (1.0 - AS_LONG) * longest:
                size = longest if longest > 0.0 else 1.0
                along[0], along[1], along[2] = x / size, y / size, z / size
                return


@njit(cache=True, nogil=True, error_model="numpy")
def cut_faces(start, corner, local, normal, label, concave):
    """Convex pieces of faces: a convex face is one piece, a concave face is cut into triangles (ear clipping).

    Parameters
    ----------
    start, corner : arrays (F + 1,), (n,)
        The faces and their vertices.
    local : array (n, 3)
        Corners relative to a point of the plane [m].
    normal : array (K, 3)
        Normals of the facets.
    label : array (F,)
        Facet of each face.
    concave : array (F,) of bool

    Returns
    -------
    facet (Q,), corner_start (Q + 1,), corner
    """
    total = corner.shape[0]
    facet = np.empty(total, np.int64)
    out_start = np.zeros(total + 1, np.int64)
    out = np.empty(3 * total, np.int64)
    ring = np.empty(total, np.int64)
    shape, blocker = np.empty(total), np.empty(total, np.int64)  # of the ears at the corners of the ring
    pieces = 0
    for face in range(start.shape[0] - 1):
        count = start[face + 1] - start[face]
        for k in range(count):
            ring[k] = start[face] + k
        if concave[face] and count > 3:
            for k in range(count):
                shape[k], blocker[k] = _ear(ring, count, k, local, normal, label[face])
        while True:
            facet[pieces] = label[face]
            at = out_start[pieces]
            pieces += 1
            if not concave[face] or count < 4:
                for k in range(count):
                    out[at + k] = corner[ring[k]]
                out_start[pieces] = at + count
                break
            tip = np.argmax(shape[:count])
            out[at] = corner[ring[tip - 1 if tip > 0 else count - 1]]
            out[at + 1] = corner[ring[tip]]
            out[at + 2] = corner[ring[tip + 1 if tip + 1 < count else 0]]
            out_start[pieces] = at + 3
            removed = ring[tip]
            for k in range(tip, count - 1):
                ring[k], shape[k], blocker[k] = ring[k + 1], shape[k + 1], blocker[k + 1]
            count -= 1
            for k in range(count):
                # Neighbours have other ears now; what the corner has blocked may be free.
                if k == tip - 1 or k == tip or (tip in (0, count) and k in (0, count - 1)) or blocker[k] == removed:
                    shape[k], blocker[k] = _ear(ring, count, k, local, normal, label[face])
    return facet[:pieces].copy(), out_start[: pieces + 1].copy(), out[: out_start[pieces]].copy()


@inner
def _turn(local, i, j, k, normal, facet):
    """Twice the signed area [m2] of a triangle, positive if it turns counter-clockwise about the normal of a facet."""
    ax, ay, az = local[j, 0] - local[i, 0], local[j, 1] - local[i, 1], local[j, 2] - local[i, 2]
    bx, by, bz = local[k, 0] - local[i, 0], local[k, 1] - local[i, 1], local[k, 2] - local[i, 2]
    n = normal[facet]
    return n[0] * (ay * bz - az * by) + n[1] * (az * bx - ax * bz) + n[2] * (ax * by - ay * bx)


@inner
def _ear(ring, count, k, local, normal, facet):
    """Shape [-] of the ear at corner k of a ring, and a corner in it, -1 if there is none.

    The best ear has the greatest shape. A blocked one comes after all others: a crossed polygon may have no other, and
    cutting ends all the same.
    """
    i, j = ring[k - 1 if k > 0 else count - 1], ring[k + 1 if k + 1 < count else 0]
    tip = ring[k]
    turn = _turn(local, i, tip, j, normal, facet)
    span = 0.0
    for m in range(3):
        span += (local[i, m] - local[j, m]) ** 2 + (local[i, m] - local[tip, m]) ** 2
    shape = turn / span if span > 0.0 else 0.0
    if turn > 0.0:
        for m in range(count):
            p = ring[m]
            if p == i or p == j or p == tip:
                continue
            # A corner on an edge of the ear blocks it only if that edge is the cut.
            if (
                _turn(local, i, tip, p, normal, facet) > 0.0
                and _turn(local, tip, j, p, normal, facet) > 0.0
                and _turn(local, j, i, p, normal, facet) >= 0.0
            ):
                return shape - 2.0, p
    return shape, -1


@njit(cache=True, nogil=True, error_model="numpy")
def all_behind(point, vertex_start, facet_start, origin, normal, tolerance):
    """Whether all vertices of a block are behind all its facets within the tolerance [m] (B,); (B,) bool."""
    behind = np.ones(tolerance.shape[0], np.bool_)
    for block in range(tolerance.shape[0]):
        for k in range(facet_start[block], facet_start[block + 1]):
            for v in range(vertex_start[block], vertex_start[block + 1]):
                d = 0.0
                for i in range(3):
                    d += (point[v, i] - origin[k, i]) * normal[k, i]
                if d > tolerance[block]:
                    behind[block] = False
    return behind
