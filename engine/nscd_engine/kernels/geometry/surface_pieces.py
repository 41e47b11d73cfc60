"""Pieces of the surface of a block in a convex cell: which run through the cell, and how a plane cuts them.

Pieces are polygons, one after the other: points [m] (m, 3), start (k + 1,), and the face (k,) of each.
"""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.geometry.hull import along
from nscd_engine.kernels.jit import inner


@inner
def height_above(points, k, planes, f):
    """Height [m] of point k above plane f."""
    return along(points, k, planes[f, 0], planes[f, 1], planes[f, 2]) - planes[f, 3]


@inner
def crosses(vertices, planes, f, tolerance):
    """Whether there are vertices on both sides of plane f, farther than the tolerance [m]."""
    low, high = np.inf, -np.inf
    for i in range(vertices.shape[0]):
        d = height_above(vertices, i, planes, f)
        low, high = min(low, d), max(high, d)
    return low < -tolerance and high > tolerance


@inner
def lies_in_one(points, first, last, planes, tolerance):
    """Whether the points first:last all lie in one of the planes."""
    for f in range(planes.shape[0]):
        k = first
        while k < last and abs(height_above(points, k, planes, f)) <= tolerance:
            k += 1
        if k == last:
            return True
    return False


@inner
def doubled_area(points, first, last):
    """Twice the area [m2] of a plane polygon."""
    x = y = z = 0.0
    for k in range(first + 1, last - 1):
        ax, bx = points[k, 0] - points[first, 0], points[k + 1, 0] - points[first, 0]
        ay, by = points[k, 1] - points[first, 1], points[k + 1, 1] - points[first, 1]
        az, bz = points[k, 2] - points[first, 2], points[k + 1, 2] - points[first, 2]
        x, y, z = x + ay * bz - az * by, y + az * bx - ax * bz, z + ax * by - ay * bx
    return math.sqrt(x * x + y * y + z * z)


@njit(cache=True, nogil=True, error_model="numpy")
def pieces_inside(points, start, face, planes, vertices, sides, tolerance, size):
    """Points, start and face of the pieces that run through a cell, not along its boundary or outside.

    `planes` (F, 4) are those of the faces; `vertices` (v, 3) and `sides` (f, 4) those of the cell.
    """
    kept_points, kept_start, kept_face = np.empty_like(points), np.zeros_like(start), np.empty_like(face)
    count = total = 0
    for k in range(face.shape[0]):
        first, last = start[k], start[k + 1]
        if last - first < 3 or not crosses(vertices, planes, face[k], tolerance):
            continue
        if lies_in_one(points, first, last, sides, tolerance):
            continue
        if doubled_area(points, first, last) <= tolerance * size:
            continue
        for i in range(first, last):
            for d in range(3):
                kept_points[total, d] = points[i, d]
            total += 1
        kept_face[count] = face[k]
        count += 1
        kept_start[count] = total
    return kept_points[:total], kept_start[: count + 1], kept_face[:count]


@njit(cache=True, nogil=True, error_model="numpy")
def pieces_below(points, start, plane, tolerance):
    """Points and start of the parts of pieces below a plane (4,). Parts of concave pieces may have coincident edges."""
    out, out_start = np.empty((2 * points.shape[0], 3)), np.zeros_like(start)
    total = 0
    for k in range(start.shape[0] - 1):
        first, last = start[k], start[k + 1]
        for i in range(first, last):
            j = i + 1 if i + 1 < last else first
            hi = along(points, i, plane[0], plane[1], plane[2]) - plane[3]
            hj = along(points, j, plane[0], plane[1], plane[2]) - plane[3]
            hi, hj = 0.0 if abs(hi) <= tolerance else hi, 0.0 if abs(hj) <= tolerance else hj
            if hi <= 0.0:
                for d in range(3):
                    out[total, d] = points[i, d]
                total += 1
            if hi * hj < 0.0:
                for d in range(3):
                    out[total, d] = points[i, d] + hi / (hi - hj) * (points[j, d] - points[i, d])
                total += 1
        out_start[k + 1] = total
    return out[:total], out_start


@njit(cache=True, nogil=True, error_model="numpy")
def pieces_split(points, start, candidates, planes, tolerance):
    """For each candidate plane the number of pieces that it splits, plus one half if any piece lies above it."""
    score = np.zeros(candidates.shape[0])
    for c in range(candidates.shape[0]):
        any_above = False
        for k in range(start.shape[0] - 1):
            above = below = False
            for i in range(start[k], start[k + 1]):
                d = height_above(points, i, planes, candidates[c])
                above, below = above or d > tolerance, below or d < -tolerance
            score[c] += 1.0 if above and below else 0.0
            any_above = any_above or above
        score[c] += 0.5 if any_above else 0.0
    return score
