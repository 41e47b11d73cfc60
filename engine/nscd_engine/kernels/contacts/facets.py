"""Coplanar faces of a block joined into facets, concave faces cut into triangles, and the convexity of a block."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner

#: Least cosine between the normals of faces in one plane [-] (5 degrees). The distance of corners from the plane is
#: bounded as well. Larger: small triangles, whose normals are poor, become facets. Smaller: folds of tiny faces vanish.
SAME_PLANE = 0.996
#: Relative difference of areas below which the first of two faces is the seed [-]. Larger: a smaller face gives the
#: plane. Smaller: rounding decides which of two equal faces does.
SAME_AREA = 1e-9


@njit(cache=True, nogil=True, error_model="numpy")
def group_faces(block_start, faces, tolerance):
    """Facet (F,) int64 of every face; facets are numbered in the order of the blocks.

    A facet is the largest face that has none yet, and the faces in its plane. A face is in the plane if all its corners
    are within the tolerance [m] (B,) of it and its normal is within 5 degrees.

    Parameters
    ----------
    block_start : array (B + 1,)
        Faces of each block.
    faces : Faces
    tolerance : array (B,)
    """
    face_start, corner, point = faces.start, faces.corner, faces.point
    normal, mean, area = faces.normal, faces.mean, faces.area
    label = np.full(area.shape[0], -1)
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
    return label


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
