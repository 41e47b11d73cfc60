"""Outlines of a set of convex polygons that share edges: what is left when edges run both ways cancel.

Parts of a joint between faces in several pieces become the polygons that a mason would draw.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _root(parent, k):
    while parent[k] != k:
        parent[k] = parent[parent[k]]
        k = parent[k]
    return k


@njit(cache=True, nogil=True)
def _weld(points, count, tolerance, node):
    """Number the points so that those within the tolerance share a number; returns how many there are.

    node[k] is the number, and the first point of number i is found by node being set in rising order.
    """
    unique = 0
    for k in range(count):
        node[k] = -1
        for j in range(k):
            if abs(points[j, 0] - points[k, 0]) <= tolerance and abs(points[j, 1] - points[k, 1]) <= tolerance:
                node[k] = node[j]
                break
        if node[k] < 0:
            node[k] = unique
            unique += 1
    return unique


@njit(cache=True, nogil=True)
def _split_edges(points, start, node, place, unique, tolerance):
    """Directed edges between numbered points, cut where another point lies on them; (E, 3): from, to, polygon."""
    edges = np.empty((4 * start[-1] + 16, 3), np.int64)
    count = 0
    on = np.empty(unique, np.int64)
    at = np.empty(unique)
    for polygon in range(start.shape[0] - 1):
        for k in range(start[polygon], start[polygon + 1]):
            i = node[k]
            j = node[k + 1 if k + 1 < start[polygon + 1] else start[polygon]]
            dx, dy = place[j, 0] - place[i, 0], place[j, 1] - place[i, 1]
            length = np.sqrt(dx * dx + dy * dy)
            if i == j or length == 0.0:
                continue
            m = 0
            for p in range(unique):
                ex, ey = place[p, 0] - place[i, 0], place[p, 1] - place[i, 1]
                along = (ex * dx + ey * dy) / length
                if p != i and p != j and 0.0 < along < length and abs(ex * dy - ey * dx) <= tolerance * length:
                    q = m
                    while q > 0 and at[q - 1] > along:
                        at[q] = at[q - 1]
                        on[q] = on[q - 1]
                        q -= 1
                    at[q] = along
                    on[q] = p
                    m += 1
            if count + m + 1 > edges.shape[0]:
                longer = np.empty((2 * (count + m + 1), 3), np.int64)
                longer[:count] = edges[:count]
                edges = longer
            previous = i
            for q in range(m + 1):
                edges[count, 0] = previous
                edges[count, 1] = on[q] if q < m else j
                edges[count, 2] = polygon
                previous = edges[count, 1]
                count += 1
    return edges[:count]


@njit(cache=True, nogil=True)
def _cancel(edges, parent):
    """Mark edges that run both ways and join the polygons they belong to."""
    gone = np.zeros(edges.shape[0], np.bool_)
    for e in range(edges.shape[0]):
        for f in range(e):
            if not gone[f] and not gone[e] and edges[e, 0] == edges[f, 1] and edges[e, 1] == edges[f, 0]:
                gone[e] = True
                gone[f] = True
                parent[_root(parent, edges[e, 2])] = _root(parent, edges[f, 2])
    return gone


@njit(cache=True, nogil=True)
def _follow(edges, gone, parent, part, loop):
    """Corners of the one simple loop around a part, or 0 if there are several or it meets itself."""
    first = -1
    total = 0
    for e in range(edges.shape[0]):
        if not gone[e] and _root(parent, edges[e, 2]) == part:
            first = e if first < 0 else first
            total += 1
    if first < 0:
        return 0
    here = edges[first, 0]
    for count in range(total):
        following = -1
        for e in range(edges.shape[0]):
            if not gone[e] and edges[e, 0] == here and _root(parent, edges[e, 2]) == part:
                if following >= 0:
                    return 0
                following = e
        if following < 0 or (count > 0 and here == edges[first, 0]):
            return 0
        loop[count] = here
        here = edges[following, 1]
    return total if here == edges[first, 0] else 0


@njit(cache=True, nogil=True)
def outlines(points, start, tolerance):
    """Outline of every connected part of a union of polygons that do not overlap.

    Parameters
    ----------
    points : array (n, 2); start : array (K + 1,): polygon k is points[start[k]:start[k + 1]]
    tolerance : float: points nearer than this are one

    Returns
    -------
    points (m, 2), start (L + 1,). A part with holes, or one that meets itself, stays in its polygons: no area is lost.
    """
    polygons = start.shape[0] - 1
    node = np.empty(start[-1], np.int64)
    unique = _weld(points, start[-1], tolerance, node)
    place = np.empty((unique, 2))
    for k in range(start[-1] - 1, -1, -1):
        place[node[k], 0] = points[k, 0]
        place[node[k], 1] = points[k, 1]
    edges = _split_edges(points, start, node, place, unique, tolerance)
    parent = np.arange(polygons)
    gone = _cancel(edges, parent)
    out = np.empty((edges.shape[0] + start[-1], 2))
    out_start = np.zeros(polygons + 1, np.int64)
    loop = np.empty(edges.shape[0] + 1, np.int64)
    parts = 0
    for polygon in range(polygons):
        part = _root(parent, polygon)
        count = _follow(edges, gone, parent, part, loop)
        if count > 0 and part != polygon:
            continue
        begin = out_start[parts]
        if count > 0:
            for k in range(count):
                out[begin + k, 0] = place[loop[k], 0]
                out[begin + k, 1] = place[loop[k], 1]
        else:
            count = start[polygon + 1] - start[polygon]
            for k in range(count):
                out[begin + k, 0] = points[start[polygon] + k, 0]
                out[begin + k, 1] = points[start[polygon] + k, 1]
        parts += 1
        out_start[parts] = begin + count
    return out, out_start[: parts + 1]
