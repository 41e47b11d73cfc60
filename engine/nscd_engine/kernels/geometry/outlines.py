"""Outlines of convex polygons that share edges: what is left when edges that run both ways cancel.

Parts of a joint between faces in several pieces become the polygons that a mason would draw.
"""

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, error_model="numpy")
def _root(parent, k):
    while parent[k] != k:
        k = parent[k]
    return k


@njit(cache=True, nogil=True, error_model="numpy")
def _weld(points, tolerance, node):
    """Number the points so that those within the tolerance share the number of the first of them."""
    for k in range(points.shape[0]):
        node[k] = k
        for j in range(k):
            if abs(points[j, 0] - points[k, 0]) <= tolerance and abs(points[j, 1] - points[k, 1]) <= tolerance:
                node[k] = node[j]
                break


@njit(cache=True, nogil=True, error_model="numpy")
def _split_edges(points, start, node, tolerance, edges):
    """Directed edges between points, cut where others lie on them: rows from, to, polygon, 0. Returns how many."""
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
def _follow(edges, total, parent, part, loop):
    """Points of the one simple loop around a part, or 0 if there are several or it meets itself."""
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

    A part with holes, or one that meets itself, stays in its polygons: no area is lost.

    Parameters
    ----------
    points (n, 2), start (K + 1,) : polygons
    tolerance : float: points nearer than this are one
    edges (e, 4), out (n + e, 2), out_start (K + 1,) : room for edges, and for the outlines

    Returns
    -------
    int, int: number of outlines and of edges; nothing is written if there is no room for the edges
    """
    polygons = start.shape[0] - 1
    node = np.empty(points.shape[0], np.int64)
    _weld(points, tolerance, node)
    total = _split_edges(points, start, node, tolerance, edges)
    if total > edges.shape[0]:
        return 0, total
    parent = np.arange(polygons)
    for e in range(total):
        for f in range(e):
            twins = edges[e, 0] == edges[f, 1] and edges[e, 1] == edges[f, 0]
            if twins and edges[e, 3] == 0 and edges[f, 3] == 0:
                edges[e, 3] = edges[f, 3] = 1
                parent[_root(parent, edges[e, 2])] = _root(parent, edges[f, 2])
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
