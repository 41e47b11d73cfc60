"""Interfaces of pairs of blocks: opposing facets, clipped against each other in the plane between them."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.clip import (
    area_centroid,
    clean,
    clip_convex,
    clip_half_plane,
    convex_hull,
    diameter,
    is_convex,
)
from nscd_engine.kernels.facets import plane_axes
from nscd_engine.kernels.outline import outlines

#: Corners nearer than this, over the diameter of the patch, are one: below what moves a centre of pressure visibly.
COLLINEAR = 1e-9
#: A facet with less warp than this, over the size of its block, is plane.
PLANE = 1e-9


class Patches(NamedTuple):
    """Room for the interfaces that `find_patches` finds. A patch is an interface before its blocks are judged."""

    pair: np.ndarray  # (I,) int32: row of the pairs
    facet: np.ndarray  # (I, 2) int32
    frame: np.ndarray  # (I, 3, 3): rows n, t1, t2
    area: np.ndarray  # [m2] (I,)
    width: np.ndarray  # [m] (I,): area over diameter
    centroid: np.ndarray  # [m] (I, 3)
    gap: np.ndarray  # [m] (I,)
    polygon: np.ndarray  # [m] (P, 3)
    polygon_start: np.ndarray  # (I + 1,) int32
    point: np.ndarray  # [m] (C, 3)
    point_gap: np.ndarray  # [m] (C,)
    point_start: np.ndarray  # (I + 1,) int32


class Work(NamedTuple):
    """Buffers for one polygon each."""

    subject: np.ndarray  # (n, 2)
    clip: np.ndarray  # (n, 2)
    spare: np.ndarray  # (n, 2)
    axes: np.ndarray  # (3, 3): rows t1, t2, n
    gap: np.ndarray  # (3,): g, gx, gy of the gap g + gx x + gy y of the two planes [m, -, -]


def make_room(old, patches, corners):
    """Room for a number of patches and of their corners in all, with what is in the old room copied."""
    shapes = ((), (2,), (3, 3), (), (), (3,), (), (3,), (), (3,), (), ())
    lengths = [patches] * 7 + [corners, patches + 1, corners, corners, patches + 1]
    whole = {"pair", "facet", "polygon_start", "point_start"}
    room = Patches(
        *(
            np.zeros((n,) + shape, np.int32 if field in whole else np.float64)
            for field, n, shape in zip(Patches._fields, lengths, shapes)
        )
    )
    for new, copied in zip(room, old or ()):
        new[: len(copied)] = copied
    return room


def make_work(facets):
    corners = 2 * int(np.diff(facets.corner_start).max()) + 8
    return Work(*(np.empty((corners, 2)) for _ in range(3)), np.empty((3, 3)), np.empty(3))


@njit(cache=True, nogil=True)
def _dot(u, i, v, j):
    return u[i, 0] * v[j, 0] + u[i, 1] * v[j, 1] + u[i, 2] * v[j, 2]


@njit(cache=True, nogil=True)
def _common_plane(poly, facets, ka, kb, work):
    """Plane between two opposing facets, through the origin of the first: axes, and the gap as a linear function."""
    axes = work.axes
    length = 0.0
    for i in range(3):
        axes[2, i] = facets.normal[ka, i] - facets.normal[kb, i]
        length += axes[2, i] ** 2
    length = math.sqrt(length)
    for i in range(3):
        axes[2, i] /= length
    plane_axes(poly, facets, ka, axes)
    # A facet with normal m through p has the height z = (m . (p - o) - m . (x t1 + y t2)) / (m . n) above the plane.
    na = _dot(facets.normal, ka, axes, 2)
    nb = _dot(facets.normal, kb, axes, 2)
    offset = 0.0
    for i in range(3):
        offset += facets.normal[kb, i] * (facets.origin[kb, i] - facets.origin[ka, i])
    work.gap[0] = offset / nb
    work.gap[1] = _dot(facets.normal, ka, axes, 0) / na - _dot(facets.normal, kb, axes, 0) / nb
    work.gap[2] = _dot(facets.normal, ka, axes, 1) / na - _dot(facets.normal, kb, axes, 1) / nb


@njit(cache=True, nogil=True)
def _project(poly, facets, piece, origin, backward, axes, out):
    """Corners of a convex piece in the plane, counter-clockwise; returns how many."""
    begin, end = facets.corner_start[piece], facets.corner_start[piece + 1]
    for c in range(begin, end):
        v = facets.corner[begin + end - 1 - c if backward else c]
        for j in range(2):
            x = 0.0
            for i in range(3):
                x += (poly.vertices[v, i] - facets.origin[origin, i]) * axes[j, i]
            out[c - begin, j] = x
    return end - begin


@njit(cache=True, nogil=True)
def _clip_pieces(poly, facets, ka, kb, qa, qb, reach, work):
    """What two pieces share where their planes are within reach; the polygon stays in work.subject."""
    n = _project(poly, facets, qa, ka, False, work.axes, work.subject)
    m = _project(poly, facets, qb, ka, True, work.axes, work.clip)
    n = clip_convex(work.subject, n, work.clip, m, work.spare)
    g, gx, gy = work.gap[0], work.gap[1], work.gap[2]
    for sign in (-1.0, 1.0):
        outside = False
        for k in range(n):
            outside = outside or sign * (g + gx * work.subject[k, 0] + gy * work.subject[k, 1]) + reach < 0.0
        if outside:
            n = clip_half_plane(work.subject, n, sign * gx, sign * gy, sign * g + reach, work.spare)
            for k in range(n):
                work.subject[k, 0] = work.spare[k, 0]
                work.subject[k, 1] = work.spare[k, 1]
    return n if n > 2 else 0


@njit(cache=True, nogil=True)
def _gather(poly, facets, ka, kb, reach, noise, work):
    """All that two facets share, as convex polygons: points (n, 2), start (K + 1,)."""
    points = np.empty((32, 2))
    start = np.zeros(9, np.int64)
    count = 0
    for qa in range(facets.piece_start[ka], facets.piece_start[ka + 1]):
        for qb in range(facets.piece_start[kb], facets.piece_start[kb + 1]):
            n = _clip_pieces(poly, facets, ka, kb, qa, qb, reach, work)
            if n == 0 or area_centroid(work.subject, n)[0] <= noise * diameter(work.subject, n):
                continue
            if start[count] + n > points.shape[0]:
                longer = np.empty((2 * (start[count] + n), 2))
                longer[: start[count]] = points[: start[count]]
                points = longer
            if count + 2 > start.shape[0]:
                more = np.zeros(2 * count + 2, np.int64)
                more[: count + 1] = start
                start = more
            for k in range(n):
                points[start[count] + k, 0] = work.subject[k, 0]
                points[start[count] + k, 1] = work.subject[k, 1]
            count += 1
            start[count] = start[count - 1] + n
    return points, start[: count + 1]


@njit(cache=True, nogil=True)
def height(poly, facets, k, origin, axes, x, y, plane):
    """Height of facet k above the plane at (x, y): of its plane, or of the fan triangle there if it is warped."""
    normal_n = _dot(facets.normal, k, axes, 2)
    z = 0.0
    for i in range(3):
        d = facets.origin[k, i] - facets.origin[origin, i] - x * axes[0, i] - y * axes[1, i]
        z += facets.normal[k, i] * d
    z /= normal_n
    if facets.warp[k] <= plane:
        return z
    best = -0.1  # how far outside a triangle a point may lie to take its height from it
    for f in range(facets.face_start[k], facets.face_start[k + 1]):
        face = facets.face[f]
        begin, end = poly.face_start[face], poly.face_start[face + 1]
        mx = my = mz = 0.0
        for c in range(begin, end):
            v = poly.face_vertices[c]
            for i in range(3):
                d = (poly.vertices[v, i] - facets.origin[origin, i]) / (end - begin)
                mx += d * axes[0, i]
                my += d * axes[1, i]
                mz += d * axes[2, i]
        for c in range(begin, end):
            v = poly.face_vertices[c]
            w = poly.face_vertices[c + 1 if c + 1 < end else begin]
            vx = vy = vz = wx = wy = wz = 0.0
            for i in range(3):
                dv = poly.vertices[v, i] - facets.origin[origin, i]
                dw = poly.vertices[w, i] - facets.origin[origin, i]
                vx += dv * axes[0, i]
                vy += dv * axes[1, i]
                vz += dv * axes[2, i]
                wx += dw * axes[0, i]
                wy += dw * axes[1, i]
                wz += dw * axes[2, i]
            d = (vx - mx) * (wy - my) - (vy - my) * (wx - mx)
            if d == 0.0:
                continue
            s = ((x - mx) * (wy - my) - (y - my) * (wx - mx)) / d
            t = ((vx - mx) * (y - my) - (vy - my) * (x - mx)) / d
            inside = min(s, t, 1.0 - s - t)
            if inside > best:
                best = inside
                z = mz + s * (vz - mz) + t * (wz - mz)
    return z


@njit(cache=True, nogil=True)
def _place(facets, ka, axes, x, y, z, out, row):
    for i in range(3):
        out[row, i] = facets.origin[ka, i] + x * axes[0, i] + y * axes[1, i] + z * axes[2, i]


@njit(cache=True, nogil=True)
def _emit(poly, facets, pair, ka, kb, polygon, count, plane, work, hull, out, patches):
    """Write one patch; its contact points are the corners of its hull, each between the two surfaces there."""
    axes, gap = work.axes, work.gap
    area, cx, cy = area_centroid(polygon, count)
    across = diameter(polygon, count)
    out.pair[patches] = pair
    out.facet[patches, 0] = ka
    out.facet[patches, 1] = kb
    out.area[patches] = area
    out.width[patches] = area / across
    for i in range(3):
        out.frame[patches, 0, i] = axes[2, i]
        out.frame[patches, 1, i] = axes[0, i]
        out.frame[patches, 2, i] = axes[1, i]
    za = height(poly, facets, ka, ka, axes, cx, cy, np.inf)
    out.gap[patches] = gap[0] + gap[1] * cx + gap[2] * cy
    _place(facets, ka, axes, cx, cy, za + 0.5 * out.gap[patches], out.centroid, patches)
    row = out.polygon_start[patches]
    for k in range(count):
        x, y = polygon[k, 0], polygon[k, 1]
        za = height(poly, facets, ka, ka, axes, x, y, plane)
        zb = height(poly, facets, kb, ka, axes, x, y, plane)
        _place(facets, ka, axes, x, y, 0.5 * (za + zb), out.polygon, row + k)
    out.polygon_start[patches + 1] = row + count
    if not is_convex(polygon, count, COLLINEAR * across):
        m = convex_hull(polygon, count, COLLINEAR * across, hull)
    else:
        m = count
        for k in range(count):
            hull[k, 0] = polygon[k, 0]
            hull[k, 1] = polygon[k, 1]
    row = out.point_start[patches]
    for k in range(m):
        x, y = hull[k, 0], hull[k, 1]
        za = height(poly, facets, ka, ka, axes, x, y, plane)
        zb = height(poly, facets, kb, ka, axes, x, y, plane)
        _place(facets, ka, axes, x, y, 0.5 * (za + zb), out.point, row + k)
        out.point_gap[row + k] = zb - za
    out.point_start[patches + 1] = row + m


@njit(cache=True, nogil=True)
def _boxes_meet(facets, ka, kb, reach):
    for i in range(3):
        if facets.lower[ka, i] > facets.upper[kb, i] + reach or facets.lower[kb, i] > facets.upper[ka, i] + reach:
            return False
    return True


@njit(cache=True, nogil=True)
def _meet(poly, facets, pair, ka, kb, tolerance, angle, work, out, patches):
    """Patches of two facets; returns the number of patches so far, or -1 if the room is used up."""
    size, eps, noise = tolerance
    warp = facets.warp[ka] + facets.warp[kb]
    reach = eps + warp
    if facets.area[ka] == 0.0 or facets.area[kb] == 0.0 or not _boxes_meet(facets, ka, kb, reach):
        return patches
    lean = angle + facets.warp[ka] / math.sqrt(facets.area[ka]) + facets.warp[kb] / math.sqrt(facets.area[kb])
    if _dot(facets.normal, ka, facets.normal, kb) > -math.cos(min(lean, 0.5)):
        return patches
    _common_plane(poly, facets, ka, kb, work)
    points, start = _gather(poly, facets, ka, kb, reach, noise, work)
    if start.shape[0] > 2:
        points, start = outlines(points, start, 0.1 * noise)
    for part in range(start.shape[0] - 1):
        polygon = points[start[part] : start[part + 1]]
        count = clean(polygon, polygon.shape[0], COLLINEAR * diameter(polygon, polygon.shape[0]))
        room = patches + 1 < out.pair.shape[0] and out.polygon_start[patches] + count <= out.polygon.shape[0]
        if not room or out.point_start[patches] + count > out.point.shape[0]:
            return -1
        hull = np.empty((2 * count + 2, 2))
        _emit(poly, facets, pair, ka, kb, polygon, count, PLANE * size, work, hull, out, patches)
        patches += 1
    return patches


@njit(cache=True, nogil=True)
def find_patches(poly, facets, pairs, size, eps, noise, angle, first, patches, work, out):
    """Patches of the pairs from `first` on, after the `patches` that are there already.

    size, eps, noise : arrays (P,): of the smaller block; gap that still touches; width that is rounding only [m]
    Returns the pair at which the room was used up, or the number of pairs, and the number of patches.
    """
    for pair in range(first, pairs.shape[0]):
        a, b = pairs[pair]
        before = patches
        tolerance = (size[pair], eps[pair], noise[pair])
        for ka in range(facets.block_start[a], facets.block_start[a + 1]):
            for kb in range(facets.block_start[b], facets.block_start[b + 1]):
                patches = _meet(poly, facets, pair, ka, kb, tolerance, angle, work, out, patches)
                if patches < 0:
                    return pair, before
    return pairs.shape[0], patches
