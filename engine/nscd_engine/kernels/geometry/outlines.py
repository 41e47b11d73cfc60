"""Outlines of the union of convex polygons that share edges: edges that occur in both directions cancel.

The parts of a joint between faces of several pieces become one polygon.
"""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.union_find import root_of


@inner
def _between(points, order, low, high):
    """Range of `order`, the points by their x, that has all points with low <= x <= high."""
    first, last = 0, order.shape[0]
    while first < last:
        middle = (first + last) // 2
        if points[order[middle], 0] < low:
            first = middle + 1
        else:
            last = middle
    end = first
    while end < order.shape[0] and points[order[end], 0] <= high:
        end += 1
    return first, end


@inner
def _weld(points, order, tolerance, node):
    """Number the points; points within the tolerance [m] of each other get the number of the first of them."""
    for k in range(points.shape[0]):
        first = k
        # Twice the tolerance, because the bounds are rounded.
        begin, end = _between(points, order, points[k, 0] - 2.0 * tolerance, points[k, 0] + 2.0 * tolerance)
        for m in range(begin, end):
            j = order[m]
            near = abs(points[j, 0] - points[k, 0]) <= tolerance and abs(points[j, 1] - points[k, 1]) <= tolerance
            if j < first and near:
                first = j
        node[k] = k if first == k else node[first]


@inner
def _points_on(points, order, node, i, j, tolerance, found):
    """Points on the edge from i to j other than its ends into `found`, by their numbers; returns how many.

    With them the direction of the edge and its length [m].
    """
    length = math.hypot(points[j, 0] - points[i, 0], points[j, 1] - points[i, 1])
    ux, uy = (points[j, 0] - points[i, 0]) / length, (points[j, 1] - points[i, 1]) / length
    low, high = min(points[i, 0], points[j, 0]), max(points[i, 0], points[j, 0])
    begin, end = _between(points, order, low - 2.0 * tolerance, high + 2.0 * tolerance)
    count = 0
    for m in range(begin, end):
        p = order[m]
        ex, ey = points[p, 0] - points[i, 0], points[p, 1] - points[i, 1]
        along = ex * ux + ey * uy
        if node[p] == p and p != i and tolerance < along < length - tolerance and abs(ex * uy - ey * ux) <= tolerance:
            found[count] = p
            count += 1
    found[:count].sort()
    return count, ux, uy, length


@inner
def _split_edges(points, start, order, node, tolerance, edges):
    """Directed edges, split at points that lie on them: rows from, to, polygon, 0. Returns their number."""
    total = 0
    found = np.empty(points.shape[0], np.int64)
    for polygon in range(start.shape[0] - 1):
        for k in range(start[polygon], start[polygon + 1]):
            i = node[k]
            j = node[k + 1 if k + 1 < start[polygon + 1] else start[polygon]]
            if i == j or (points[i, 0] == points[j, 0] and points[i, 1] == points[j, 1]):
                continue
            count, ux, uy, length = _points_on(points, order, node, i, j, tolerance, found)
            here, reached = i, 0.0
            while here != j:
                # The nearest point further along, or the end.
                ahead, at = j, length
                for m in range(count):
                    p = found[m]
                    along = (points[p, 0] - points[i, 0]) * ux + (points[p, 1] - points[i, 1]) * uy
                    if reached + tolerance < along < at - tolerance:
                        ahead, at = p, along
                if total < edges.shape[0]:
                    edges[total, 0], edges[total, 1], edges[total, 2], edges[total, 3] = here, ahead, polygon, 0
                total += 1
                here, reached = ahead, at
    return total


@inner
def _cancel(edges, total, nodes, parent):
    """Mark pairs of edges of opposite direction with 1 in their last column, and join their polygons."""
    key = edges[:total, 0] * nodes + edges[:total, 1]
    order = np.argsort(key, kind="mergesort")  # which keeps the order of equal ones
    by_key = key[order]
    for e in range(total):
        opposite = edges[e, 1] * nodes + edges[e, 0]
        m = np.searchsorted(by_key, opposite)
        while m < total and by_key[m] == opposite and order[m] < e and edges[e, 3] == 0:
            f = order[m]
            if edges[f, 3] == 0:
                edges[e, 3] = edges[f, 3] = 1
                parent[root_of(parent, edges[e, 2])] = root_of(parent, edges[f, 2])
            m += 1


@inner
def _follow(edges, chosen, loop, following):
    """Points of the loop of some edges into `loop`; returns their number, 0 if they are no single simple loop.

    `following` is working memory (nodes,), -1 before and after.
    """
    simple, length = True, chosen.shape[0]
    for e in chosen:
        simple = simple and following[edges[e, 0]] < 0
        following[edges[e, 0]] = edges[e, 1]
    first = edges[chosen[0], 0] if length > 0 else -1
    here, count = first, 0
    while simple and count < length and here >= 0 and (count == 0 or here != first):
        loop[count] = here
        count += 1
        here = following[here]
    for e in chosen:
        following[edges[e, 0]] = -1
    return length if simple and count == length and here == first else 0


@inner
def _left_by_part(edges, total, parent):
    """Edges that are left, those of one part after the other, and where each part begins (polygons + 1,)."""
    start = np.zeros(parent.shape[0] + 1, np.int64)
    for e in range(total):
        if edges[e, 3] == 0:
            start[root_of(parent, edges[e, 2]) + 1] += 1
    for k in range(parent.shape[0]):
        start[k + 1] += start[k]
    left, filled = np.empty(start[-1], np.int64), start.copy()
    for e in range(total):
        if edges[e, 3] == 0:
            part = root_of(parent, edges[e, 2])
            left[filled[part]] = e
            filled[part] += 1
    return left, start


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
    polygons, nodes = start.shape[0] - 1, points.shape[0]
    node, order = np.empty(nodes, np.int64), np.argsort(points[:, 0])
    _weld(points, order, tolerance, node)
    total = _split_edges(points, start, order, node, tolerance, edges)
    if total > edges.shape[0]:
        return 0, total
    parent = np.arange(polygons)
    _cancel(edges, total, nodes, parent)
    left, left_start = _left_by_part(edges, total, parent)
    loop, following = np.empty(total + nodes + 1, np.int64), np.full(nodes, -1)
    simple = np.full(polygons, -1)  # of the parts: whether they have a single loop, -1 unknown
    parts = 0
    for polygon in range(polygons):
        part = root_of(parent, polygon)
        count = 0
        if part == polygon or simple[part] < 0:
            count = _follow(edges, left[left_start[part] : left_start[part + 1]], loop, following)
            simple[part] = count > 0
        if simple[part] and part != polygon:
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
