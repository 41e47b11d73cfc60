"""Outlines of the union of convex polygons that share edges: edges that occur in both directions cancel.

The parts of a joint between faces of several pieces become one polygon.
"""

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, error_model="numpy")
def _root(parent, k):
    """Representative of the part of polygon k."""
    while parent[k] != k:
        k = parent[k]
    return k


@njit(cache=True, nogil=True, error_model="numpy")
def _weld(points, tolerance, node):
    """Number the points; points within the tolerance [m] of each other get the number of the first of them."""
    for k in range(points.shape[0]):
        node[k] = k
        for j in range(k):
            if abs(points[j, 0] - points[k, 0]) <= tolerance and abs(points[j, 1] - points[k, 1]) <= tolerance:
                node[k] = node[j]
                break


@njit(cache=True, nogil=True, error_model="numpy")
def _split_edges(points, start, node, tolerance, edges):
    """Directed edges, split at points that lie on them: rows from, to, polygon, 0. Returns their number."""
    count = 0
    for polygon in range(start.shape[0] - 1):
        for k in range(start[polygon], start[polygon + 1]):
            i = node[k]
            j = node[k + 1 if k + 1 < start[polygon + 1] else start[polygon]]
            length = math.hypot(points[j, 0] - points[i, 0], points[j, 1] - points[i, 1])
            if i == j or length == 0.0:
                continue
            ux, uy = (points[j, 0] - points[i, 0]) / length, (points[j, 1] - points[i, 1]) / length
            here, reached = i, 0.0
            while here != j:
                # The nearest point further along, or the end.
                ahead, at = j, length
                for p in range(points.shape[0]):
                    ex, ey = points[p, 0] - points[i, 0], points[p, 1] - points[i, 1]
                    along = ex * ux + ey * uy
                    if node[p] == p and p != i and reached + tolerance < along < at - tolerance:
                        if abs(ex * uy - ey * ux) <= tolerance:
                            ahead, at = p, along
                if count < edges.shape[0]:
                    edges[count, 0], edges[count, 1], edges[count, 2], edges[count, 3] = here, ahead, polygon, 0
                count += 1
                here, reached = ahead, at
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _cancel(edges, total, parent):
    """Mark pairs of edges of opposite direction with 1 in their last column, and join their polygons."""
    for e in range(total):
        for f in range(e):
            twins = edges[e, 0] == edges[f, 1] and edges[e, 1] == edges[f, 0]
            if twins and edges[e, 3] == 0 and edges[f, 3] == 0:
                edges[e, 3] = edges[f, 3] = 1
                parent[_root(parent, edges[e, 2])] = _root(parent, edges[f, 2])


@njit(cache=True, nogil=True, error_model="numpy")
def _follow(edges, total, parent, part, loop):
    """Points of the loop around a part into `loop`; returns their number, 0 if the part has no single simple loop."""
    first = -1
    length = 0
    for e in range(total):
        if edges[e, 3] == 0 and _root(parent, edges[e, 2]) == part:
            first = edges[e, 0] if first < 0 else first
            length += 1
    here = first
    for count in range(length):
        following = -1
        for e in range(total):
            if edges[e, 3] == 0 and edges[e, 0] == here and _root(parent, edges[e, 2]) == part:
                if following >= 0:
                    return 0
                following = edges[e, 1]
        if following < 0 or (count > 0 and here == first):
            return 0
        loop[count] = here
        here = following
    return length if here == first else 0


@njit(cache=True, nogil=True, error_model="numpy")
def outlines(points, start, tolerance, edges, out, out_start):
    """Outline of every connected part of a union of polygons that do not overlap.

    A part with holes, or one that touches itself, keeps its polygons: no area is lost.

    Parameters
    ----------
    points, start : arrays (n, 2), (K + 1,)
        Corners of the polygons [m].
    tolerance : float
        Distance within which points are one [m].
    edges : array (e, 4)
        Working memory.
    out, out_start : arrays (n + e, 2), (K + 1,)
        Receive the outlines [m].

    Returns
    -------
    int, int
        Number of outlines and of edges. If there are more edges than `edges` can hold, nothing is written.
    """
    polygons = start.shape[0] - 1
    node = np.empty(points.shape[0], np.int64)
    _weld(points, tolerance, node)
    total = _split_edges(points, start, node, tolerance, edges)
    if total > edges.shape[0]:
        return 0, total
    parent = np.arange(polygons)
    _cancel(edges, total, parent)
    loop = np.empty(total + points.shape[0] + 1, np.int64)
    parts = 0
    for polygon in range(polygons):
        part = _root(parent, polygon)
        count = _follow(edges, total, parent, part, loop)
        if count > 0 and part != polygon:
            continue
        if count == 0:
            count = start[polygon + 1] - start[polygon]
            for k in range(count):
                loop[k] = start[polygon] + k
        begin = out_start[parts]
        for k in range(count):
            out[begin + k, 0] = points[loop[k], 0]
            out[begin + k, 1] = points[loop[k], 1]
        parts += 1
        out_start[parts] = begin + count
    return parts, total
