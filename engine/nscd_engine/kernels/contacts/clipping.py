"""Facets that face each other, and what they share when they are clipped in the plane between them."""

import math

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


@njit(cache=True, nogil=True, error_model="numpy")
def facing_facets(pairs, eps, block_start, normal, lower, upper, warp, lean, found):
    """Pairs of facets, one of either block of a pair, that look at each other and whose boxes meet.

    Parameters
    ----------
    pairs : array (P, 2); eps : array (P,): reach [m], to which the warp of the facets is added
    lean : array (K,): angle by which the normal of a facet may be off [rad]
    found : array (n, 3): room for rows of pair, facet of a, facet of b

    Returns
    -------
    int: how many there are; those for which there is room are written
    """
    count = 0
    for pair in range(pairs.shape[0]):
        a, b = pairs[pair, 0], pairs[pair, 1]
        for ka in range(block_start[a], block_start[a + 1]):
            for kb in range(block_start[b], block_start[b + 1]):
                cosine = 0.0
                for i in range(3):
                    cosine += normal[ka, i] * normal[kb, i]
                if cosine > -0.5:
                    continue
                reach = eps[pair] + warp[ka] + warp[kb]
                apart = cosine > -math.cos(min(lean[ka] + lean[kb], 1.0))
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
def _project(point, corner, begin, end, origin, axes, case, backward, out):
    """Corners of a convex piece in the plane of a case, counter-clockwise; returns how many."""
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


@njit(cache=True, nogil=True, error_model="numpy")
def _cut_to_reach(polygon, n, gap, case, reach, spare):
    """Cut a polygon to where -reach[1] <= g + gx x + gy y <= reach[0]."""
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
def clip_facets(
    point, piece_start, corner_start, corner, facet, origin, axes, gap, reach, noise, work, out, owner, start
):
    """What pairs of facets share, piece by piece, in the plane of each case.

    Parameters
    ----------
    facet : array (M, 2): the facets of each case; origin (M, 3), axes (M, 3, 3) rows n, t1, t2: its plane
    gap : array (M, 3): g, gx, gy of the distance of the facets at (x, y)
    reach : array (M, 2): greatest distance and depth; noise (M,): width of what is only rounding [m]
    work : three buffers for polygons
    out, owner, start : room for corners (n, 2), the case (m,) and the first corner (m + 1,) of each polygon

    Returns
    -------
    int, int: polygons and corners there are; nothing is written beyond the room, and then the numbers are too small
    """
    subject, clip, spare = work
    polygons = corners = 0
    for case in range(facet.shape[0]):
        ka, kb = facet[case, 0], facet[case, 1]
        for qa in range(piece_start[ka], piece_start[ka + 1]):
            for qb in range(piece_start[kb], piece_start[kb + 1]):
                n = _project(point, corner, corner_start[qa], corner_start[qa + 1], origin, axes, case, False, subject)
                m = _project(point, corner, corner_start[qb], corner_start[qb + 1], origin, axes, case, True, clip)
                n = clip_convex(subject, n, clip, m, spare)
                n = _cut_to_reach(subject, n, gap, case, reach, spare)
                if n < 3 or area_centroid(subject, n)[0] <= noise[case] * diameter(subject, n):
                    continue
                if polygons == owner.shape[0] or corners + n > out.shape[0]:
                    return polygons + 1, corners + n
                for k in range(n):
                    out[corners + k, 0] = subject[k, 0]
                    out[corners + k, 1] = subject[k, 1]
                corners += n
                owner[polygons] = case
                polygons += 1
                start[polygons] = corners
    return polygons, corners


@njit(cache=True, nogil=True, error_model="numpy")
def reduce_polygons(points, start, tolerance, count, hull, hull_count, measure, work):
    """Clean polygons in place and find the corners of their hulls.

    Parameters
    ----------
    points (n, 2), start (m + 1,) : polygons; count (m,) gets the corners that stay of each
    hull (n, 2), hull_count (m,) : get the corners of the hulls, from the same start
    measure (m, 4) : gets area, x and y of the centroid, diameter
    tolerance : float: over the diameter; corners nearer to the line of their neighbours go
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
def fan_heights(fan_start, fan, facet, origin, axes, case, xy, z):
    """Heights of warped facets above the planes of their cases at points (n, 2); z (n,) keeps that of a plane facet.

    The height is that of the fan triangle around the point, or of the nearest one if rounding puts it outside all.
    """
    for p in range(xy.shape[0]):
        c = case[p]
        best = -0.1
        for t in range(fan_start[facet[c]], fan_start[facet[c] + 1]):
            x, y, h = np.zeros(3), np.zeros(3), np.zeros(3)
            for k in range(3):
                for i in range(3):
                    d = fan[t, k, i] - origin[c, i]
                    h[k] += d * axes[c, 0, i]
                    x[k] += d * axes[c, 1, i]
                    y[k] += d * axes[c, 2, i]
            d = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0])
            if d == 0.0:
                continue
            s = ((xy[p, 0] - x[0]) * (y[2] - y[0]) - (xy[p, 1] - y[0]) * (x[2] - x[0])) / d
            t1 = ((x[1] - x[0]) * (xy[p, 1] - y[0]) - (y[1] - y[0]) * (xy[p, 0] - x[0])) / d
            inside = min(s, t1, 1.0 - s - t1)
            if inside > best:
                best = inside
                z[p] = h[0] + s * (h[1] - h[0]) + t1 * (h[2] - h[0])
