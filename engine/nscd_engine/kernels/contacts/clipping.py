"""Opposing facets of two blocks, and their intersection after projection to the plane between them."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.geometry.polygons import (
    area_centroid,
    clean,
    clip_convex,
    clip_half_plane,
    convex_hull,
    diameter,
)
from nscd_engine.kernels.jit import inner

#: Greatest sum of the angles by which two facets may lean [rad]. Larger: facets that are nearly square to each other
#: may share a patch. Smaller: warped facets lose their joints.
GREATEST_LEAN = 1.0
#: Cosine between the normals of two facets above which they are not compared further [-]: a little above
#: -cos(GREATEST_LEAN), so that no opposing facets are lost.
NOT_FACING = -0.5
#: Least barycentric coordinate of a point that still belongs to a fan triangle [-]. Below 0 because of rounding on the
#: rim. Closer to 0: points on the rim keep the height of the plane. Farther: a triangle extends beyond the facet.
FAN_RIM = -0.1


class Cases(NamedTuple):
    """M pairs of opposing facets with the plane between them. Heights are along n, from the origin."""

    pair: np.ndarray  # (M,) int64: row of the pairs of blocks
    facet: np.ndarray  # (M, 2) int64
    origin: np.ndarray  # [m] (M, 3): that of the first facet
    axes: np.ndarray  # (M, 3, 3): rows n, t1, t2
    height: np.ndarray  # (M, 2, 3): z = h0 + h1 x + h2 y of the planes of the two facets [m, -, -]


class Limits(NamedTuple):
    """Which part of the intersection of two facets is contact."""

    gap: np.ndarray  # (M, 3): g + gx x + gy y is the distance of the facets at (x, y) [m, -, -]
    reach: np.ndarray  # [m] (M, 2): greatest distance, greatest penetration
    noise: np.ndarray  # [m] (M,): width below which a polygon is rounding error


class Polygons(NamedTuple):
    """Capacity for m polygons with n corners."""

    corner: np.ndarray  # [m] (n, 2)
    case: np.ndarray  # (m,) int64
    start: np.ndarray  # (m + 1,) int64: into corner


@njit(cache=True, nogil=True, error_model="numpy")
def facing_facets(pairs, eps, facets, lean, found):
    """Pairs of facets, one of each block of a pair, with opposing normals and boxes that meet.

    Parameters
    ----------
    pairs : array (P, 2) of blocks
    eps : array (P,)
        Greatest distance [m], to which the warp of the facets is added, and the bulge of two curved surfaces.
    facets : Facets
    lean : array (K,)
        Angle by which the normal of a facet may be off [rad]; in a curved surface, by half its turn in addition.
    found : array (n, 3)
        Receives rows of pair, facet of a, facet of b.

    Returns
    -------
    int
        Number of pairs of facets; those beyond the capacity of `found` are not written.
    """
    block_start, normal, warp = facets.block_start, facets.normal, facets.warp
    lower, upper, turn, bulge = facets.lower, facets.upper, facets.turn, facets.bulge
    count = 0
    for pair in range(pairs.shape[0]):
        a, b = pairs[pair, 0], pairs[pair, 1]
        for ka in range(block_start[a], block_start[a + 1]):
            for kb in range(block_start[b], block_start[b + 1]):
                cosine = 0.0
                for i in range(3):
                    cosine += normal[ka, i] * normal[kb, i]
                if cosine > NOT_FACING:
                    continue
                reach = eps[pair] + warp[ka] + warp[kb]
                angle = lean[ka] + lean[kb]
                if turn[ka] > 0.0 and turn[kb] > 0.0:
                    reach += bulge[ka] + bulge[kb]
                    angle += 0.5 * (turn[ka] + turn[kb])
                apart = cosine > -math.cos(min(angle, GREATEST_LEAN))
                for i in range(3):
                    apart = apart or lower[ka, i] > upper[kb, i] + reach or lower[kb, i] > upper[ka, i] + reach
                if apart:
                    continue
                if count < found.shape[0]:
                    found[count, 0] = pair
                    found[count, 1] = ka
                    found[count, 2] = kb
                count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def set_planes(normal, point, along, cases):
    """Fill origins, axes and heights of cases; normals, origins [m] and longest edges of the facets are (K, 3)."""
    origin, axes, height = cases.origin, cases.axes, cases.height
    for case in range(cases.facet.shape[0]):
        ka, kb = cases.facet[case, 0], cases.facet[case, 1]
        n, t1, t2 = axes[case, 0], axes[case, 1], axes[case, 2]
        size = off = 0.0
        for i in range(3):
            origin[case, i] = point[ka, i]
            n[i] = normal[ka, i] - normal[kb, i]
            size += n[i] * n[i]
        size = math.sqrt(size)
        for i in range(3):
            n[i] /= size
            off += along[ka, i] * n[i]
        size = 0.0
        for i in range(3):
            t1[i] = along[ka, i] - off * n[i]
            size += t1[i] * t1[i]
        size = math.sqrt(size)
        for i in range(3):
            t1[i] /= size
        t2[0], t2[1], t2[2] = n[1] * t1[2] - n[2] * t1[1], n[2] * t1[0] - n[0] * t1[2], n[0] * t1[1] - n[1] * t1[0]
        # A facet with normal m through p has the height z = (m . (p - o) - m . t1 x - m . t2 y) / (m . n).
        for side in range(2):
            k = cases.facet[case, side]
            rise = offset = x = y = 0.0
            for i in range(3):
                m = normal[k, i]
                offset += m * (point[k, i] - origin[case, i])
                rise += m * n[i]
                x += m * t1[i]
                y += m * t2[i]
            height[case, side, 0], height[case, side, 1], height[case, side, 2] = offset / rise, -x / rise, -y / rise


@inner
def _project(point, facets, piece, cases, case, backward, out):
    """Corners of a convex piece in the plane of a case, counter-clockwise; returns their number."""
    begin, end = facets.corner_start[piece], facets.corner_start[piece + 1]
    corner, origin, axes = facets.corner, cases.origin, cases.axes
    for c in range(begin, end):
        v = corner[begin + end - 1 - c if backward else c]
        x = y = 0.0
        for i in range(3):
            d = point[v, i] - origin[case, i]
            x += d * axes[case, 1, i]
            y += d * axes[case, 2, i]
        out[c - begin, 0] = x
        out[c - begin, 1] = y
    return end - begin


@inner
def _cut_to_reach(polygon, n, limits, case, spare):
    """Cut a polygon to where -reach[1] <= g + gx x + gy y <= reach[0]; returns its number of corners."""
    gap, reach = limits.gap, limits.reach
    for side in range(2):
        sign = 2.0 * side - 1.0
        a, b, c = sign * gap[case, 1], sign * gap[case, 2], sign * gap[case, 0] + reach[case, side]
        outside = False
        for k in range(n):
            outside = outside or a * polygon[k, 0] + b * polygon[k, 1] + c < 0.0
        if outside:
            n = clip_half_plane(polygon, n, a, b, c, spare)
            for k in range(n):
                polygon[k, 0] = spare[k, 0]
                polygon[k, 1] = spare[k, 1]
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def clip_facets(point, facets, cases, limits, work, out):
    """Intersections of the facets of each case, piece by piece, in its plane.

    Parameters
    ----------
    point : array (V, 3)
        Vertices of the blocks [m].
    facets : Facets
    cases : Cases
    limits : Limits
    work : three buffers for polygons
    out : Polygons

    Returns
    -------
    int, int
        Polygons and corners. Beyond the capacity of `out` nothing is written; one of the two numbers then exceeds it,
        and both are lower bounds.
    """
    subject, clip, spare = work
    polygons = corners = 0
    for case in range(cases.facet.shape[0]):
        ka, kb = cases.facet[case, 0], cases.facet[case, 1]
        for qa in range(facets.piece_start[ka], facets.piece_start[ka + 1]):
            for qb in range(facets.piece_start[kb], facets.piece_start[kb + 1]):
                n = _project(point, facets, qa, cases, case, False, subject)
                m = _project(point, facets, qb, cases, case, True, clip)
                n = clip_convex(subject, n, clip, m, spare)
                n = _cut_to_reach(subject, n, limits, case, spare)
                if n < 3 or area_centroid(subject, n)[0] <= limits.noise[case] * diameter(subject, n):
                    continue
                if polygons == out.case.shape[0] or corners + n > out.corner.shape[0]:
                    return polygons + 1, corners + n
                for k in range(n):
                    out.corner[corners + k, 0] = subject[k, 0]
                    out.corner[corners + k, 1] = subject[k, 1]
                corners += n
                out.case[polygons] = case
                polygons += 1
                out.start[polygons] = corners
    return polygons, corners


@njit(cache=True, nogil=True, error_model="numpy")
def reduce_polygons(points, start, tolerance, count, hull, hull_count, measure, work):
    """Clean polygons in place and find the corners of their hulls.

    Parameters
    ----------
    points, start : arrays (n, 2), (m + 1,)
        The polygons [m].
    tolerance : float
        Distance from the line through its neighbours, over the diameter, below which a corner is removed [-].
    count : array (m,)
        Receives the number of corners left of each polygon.
    hull, hull_count : arrays (n, 2), (m,)
        Receive the corners of the hulls, from the same start, and their numbers.
    measure : array (m, 4)
        Receives area, x and y of the centroid, diameter.
    work : two buffers for polygons
    """
    polygon, spare = work
    for p in range(start.shape[0] - 1):
        n = start[p + 1] - start[p]
        for k in range(n):
            polygon[k, 0] = points[start[p] + k, 0]
            polygon[k, 1] = points[start[p] + k, 1]
        across = diameter(polygon, n)
        measure[p, 3] = across
        n = clean(polygon, n, tolerance * across)
        measure[p, 0], measure[p, 1], measure[p, 2] = area_centroid(polygon, n)
        for k in range(n):
            points[start[p] + k, 0] = polygon[k, 0]
            points[start[p] + k, 1] = polygon[k, 1]
        count[p] = n
        m = convex_hull(polygon, n, tolerance * across, spare)
        for k in range(m):
            hull[start[p] + k, 0] = spare[k, 0]
            hull[start[p] + k, 1] = spare[k, 1]
        hull_count[p] = m


@njit(cache=True, nogil=True, error_model="numpy")
def surface_points(cases, case, xy, above):
    """Points half way between two surfaces (n, 3) [m], and the distances of the surfaces there (n,) [m].

    Parameters
    ----------
    cases : Cases
    case : array (n,)
        Row of the cases of every point.
    xy : array (n, 2)
        Points in the planes of their cases [m].
    above : array (n, 2)
        Heights of the surfaces above the planes of their facets [m]; (0, 2) if all are plane.
    """
    height, axes, origin = cases.height, cases.axes, cases.origin
    point, gap = np.empty((xy.shape[0], 3)), np.empty(xy.shape[0])
    for p in range(xy.shape[0]):
        c, x, y = case[p], xy[p, 0], xy[p, 1]
        low = height[c, 0, 0] + height[c, 0, 1] * x + height[c, 0, 2] * y
        high = height[c, 1, 0] + height[c, 1, 1] * x + height[c, 1, 2] * y
        if above.shape[0] > 0:
            low, high = low + above[p, 0], high + above[p, 1]
        gap[p] = high - low
        middle = (low + high) / 2.0
        for i in range(3):
            point[p, i] = origin[c, i] + middle * axes[c, 0, i] + x * axes[c, 1, i] + y * axes[c, 2, i]
    return point, gap


@njit(cache=True, nogil=True, error_model="numpy")
def fan_heights(facets, cases, case, xy, above):
    """Fill the heights (n, 2) [m] of warped facets above their planes at points xy (n, 2) of the planes of cases (n,).

    The height is that of the fan triangle around the point, or of the nearest one if rounding puts the point outside
    all. Without a fan the facet is plane.
    """
    for p in range(xy.shape[0]):
        for side in range(2):
            plane = cases.height[case[p], side]
            height = plane[0] + plane[1] * xy[p, 0] + plane[2] * xy[p, 1]
            facet = cases.facet[case[p], side]
            above[p, side] = _fan_height(facets, cases, case[p], facet, xy[p, 0], xy[p, 1], height) - height


@inner
def _fan_height(facets, cases, case, facet, x, y, plane):
    """Height [m] of a facet above the plane of a case at (x, y), that of its plane being given."""
    found, best = plane, FAN_RIM
    for t in range(facets.fan_start[facet], facets.fan_start[facet + 1]):
        x0, y0, h0 = _in_plane(facets.fan[t, 0], cases, case)
        x1, y1, h1 = _in_plane(facets.fan[t, 1], cases, case)
        x2, y2, h2 = _in_plane(facets.fan[t, 2], cases, case)
        d = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
        if d == 0.0:
            continue
        s = ((x - x0) * (y2 - y0) - (y - y0) * (x2 - x0)) / d
        t1 = ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / d
        inside = min(s, t1, 1.0 - s - t1)
        if inside > best:
            found, best = h0 + s * (h1 - h0) + t1 * (h2 - h0), inside
    return found


@inner
def _in_plane(point, cases, case):
    """x and y of a point (3,) [m] in the plane of a case, and its height above it."""
    x = y = h = 0.0
    for i in range(3):
        d = point[i] - cases.origin[case, i]
        h += d * cases.axes[case, 0, i]
        x += d * cases.axes[case, 1, i]
        y += d * cases.axes[case, 2, i]
    return x, y, h
