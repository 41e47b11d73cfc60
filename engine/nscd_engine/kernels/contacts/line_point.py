"""Blocks that meet in a line or a point: an edge or a vertex on a facet, two edges that cross, corner on corner.

n points out of the facet that is touched. An edge or a vertex touches only from outside: what continues from it stays
on the outer side. Two corners, where several normals would do, share the mean of the normals around them.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

#: Kinds. Like other numbers handed from kernel to kernel here, not Python's int: numba would compile for each value.
EDGE_ON_FACET, VERTEX_ON_FACET, CROSSED_EDGES, CORNERS = np.arange(4)
#: Sine of the angle by which a block may dip below the facet that it touches.
DIP = 1e-3
#: Sine of the angle below which edges are parallel to each other or to a facet.
PARALLEL = 1e-2
#: A line contact is longer than this many times the tolerance; shorter ones are points.
LINE = 4.0


class Features(NamedTuple):
    """Vertices, edges and facets of blocks."""

    point: np.ndarray  # [m] (V, 3)
    vertex_start: np.ndarray  # (B + 1,) int64
    edge: np.ndarray  # (E, 2) int64: vertices i, j
    edge_facet: np.ndarray  # (E, 2) int64: left and right of i -> j, seen from outside
    edge_start: np.ndarray  # (B + 1,) int64
    inward: np.ndarray  # (E, 2, 3): unit, in each of the two facets, away from the edge
    facet_start: np.ndarray  # (B + 1,) int64
    normal: np.ndarray  # (K, 3)
    origin: np.ndarray  # [m] (K, 3)
    piece_start: np.ndarray  # (K + 1,) int64
    corner_start: np.ndarray  # (Q + 1,) int64
    corner: np.ndarray  # int64


class Touches(NamedTuple):
    """Room for what is found. Touches of one or two points."""

    pair: np.ndarray  # (n,) int64
    kind: np.ndarray  # (n,) int64
    normal: np.ndarray  # (n, 3): from a to b
    ends: np.ndarray  # [m] (n, 2, 3): the same twice for a point
    gap: np.ndarray  # [m] (n, 2)


@njit(cache=True, nogil=True, error_model="numpy")
def _height(f, x, y, z, k):
    return (
        (x - f.origin[k, 0]) * f.normal[k, 0]
        + (y - f.origin[k, 1]) * f.normal[k, 1]
        + (z - f.origin[k, 2]) * f.normal[k, 2]
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _edge_in_facet(f, e, k):
    """Part [low, high] of edge e, as fractions of it, above or below facet k; low > high if none."""
    i, j = f.edge[e, 0], f.edge[e, 1]
    n = f.normal[k]
    least, most = 2.0, -1.0
    for q in range(f.piece_start[k], f.piece_start[k + 1]):
        low, high = 0.0, 1.0
        begin, end = f.corner_start[q], f.corner_start[q + 1]
        for c in range(begin, end):
            p, r = f.point[f.corner[c]], f.point[f.corner[c + 1 if c + 1 < end else begin]]
            # Left of the side p -> r: (n x (r - p)) . (x - p) >= 0.
            ux, uy, uz = r[0] - p[0], r[1] - p[1], r[2] - p[2]
            mx, my, mz = n[1] * uz - n[2] * uy, n[2] * ux - n[0] * uz, n[0] * uy - n[1] * ux
            s = mx * (f.point[i, 0] - p[0]) + my * (f.point[i, 1] - p[1]) + mz * (f.point[i, 2] - p[2])
            t = mx * (f.point[j, 0] - p[0]) + my * (f.point[j, 1] - p[1]) + mz * (f.point[j, 2] - p[2])
            if s < 0.0 and t < 0.0:
                high = -1.0
            elif s < 0.0:
                low = max(low, s / (s - t))
            elif t < 0.0:
                high = min(high, s / (s - t))
        if low <= high:
            least, most = min(least, low), max(most, high)
    return least, most


@njit(cache=True, nogil=True, error_model="numpy")
def _distance_to_edge(f, x, y, z, e):
    """Distance of a point from edge e, and the fraction along it."""
    i, j = f.edge[e, 0], f.edge[e, 1]
    ux, uy, uz = f.point[j, 0] - f.point[i, 0], f.point[j, 1] - f.point[i, 1], f.point[j, 2] - f.point[i, 2]
    dx, dy, dz = x - f.point[i, 0], y - f.point[i, 1], z - f.point[i, 2]
    length2 = ux * ux + uy * uy + uz * uz
    s = min(max((ux * dx + uy * dy + uz * dz) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
    return math.sqrt((dx - s * ux) ** 2 + (dy - s * uy) ** 2 + (dz - s * uz) ** 2), s


@njit(cache=True, nogil=True, error_model="numpy")
def _on_rim(f, x, y, z, block, k, eps):
    """Whether a point is within eps of an edge of facet k."""
    for e in range(f.edge_start[block], f.edge_start[block + 1]):
        if (f.edge_facet[e, 0] == k or f.edge_facet[e, 1] == k) and _distance_to_edge(f, x, y, z, e)[0] <= eps:
            return True
    return False


@njit(cache=True, nogil=True, error_model="numpy")
def _rises(f, e, sign, nx, ny, nz):
    """Whether both facets of a convex edge leave a plane on the side that sign * n points to."""
    a, b = f.inward[e, 0], f.inward[e, 1]
    left = f.normal[f.edge_facet[e, 0]]
    convex = left[0] * b[0] + left[1] * b[1] + left[2] * b[2] < DIP
    da, db = a[0] * nx + a[1] * ny + a[2] * nz, b[0] * nx + b[1] * ny + b[2] * nz
    return convex and sign * da > -DIP and sign * db > -DIP


@njit(cache=True, nogil=True, error_model="numpy")
def _write(out, count, pair, kind, sign, nx, ny, nz, ends, gap0, gap1):
    """Write a touch if there is room; n points out of the touched facet, sign * n from a to b."""
    if count < out.pair.shape[0]:
        out.pair[count] = pair
        out.kind[count] = kind
        out.normal[count, 0], out.normal[count, 1], out.normal[count, 2] = sign * nx, sign * ny, sign * nz
        out.gap[count, 0], out.gap[count, 1] = gap0, gap1
        for k in range(2):
            for i in range(3):
                out.ends[count, k, i] = ends[k, i]
    return count + 1


@njit(cache=True, nogil=True, error_model="numpy")
def _known(out, first, count, x, y, z, eps):
    """Whether a touch of this pair ends within eps of a point already."""
    for t in range(first, min(count, out.pair.shape[0])):
        for m in range(2):
            p = out.ends[t, m]
            if (p[0] - x) ** 2 + (p[1] - y) ** 2 + (p[2] - z) ** 2 <= eps * eps:
                return True
    return False


@njit(cache=True, nogil=True, error_model="numpy")
def _edges_on_facets(f, pair, a, b, sign, eps, near_edge, near_facet, ends, out, count):
    for e in range(f.edge_start[a], f.edge_start[a + 1]):
        if not near_edge[e - f.edge_start[a]]:
            continue
        p, q = f.point[f.edge[e, 0]], f.point[f.edge[e, 1]]
        length = math.sqrt((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2 + (q[2] - p[2]) ** 2)
        for k in range(f.facet_start[b], f.facet_start[b + 1]):
            if not near_facet[k - f.facet_start[b]]:
                continue
            h0, h1 = _height(f, p[0], p[1], p[2], k), _height(f, q[0], q[1], q[2], k)
            if min(h0, h1) > eps or max(h0, h1) < -eps or abs(h1 - h0) > PARALLEL * length:
                continue
            n = f.normal[k]
            low, high = _edge_in_facet(f, e, k)
            if h0 != h1:  # the part within eps of the plane
                s, t = (eps - h0) / (h1 - h0), (-eps - h0) / (h1 - h0)
                low, high = max(low, min(s, t)), min(high, max(s, t))
            if (high - low) * length <= LINE * eps or not _rises(f, e, 1.0, n[0], n[1], n[2]):
                continue
            mid = 0.5 * (low + high)
            for i in range(3):
                ends[0, i] = p[i] + low * (q[i] - p[i])
                ends[1, i] = p[i] + high * (q[i] - p[i])
            x, y, z = p[0] + mid * (q[0] - p[0]), p[1] + mid * (q[1] - p[1]), p[2] + mid * (q[2] - p[2])
            if not _on_rim(f, x, y, z, b, k, eps):
                g0, g1 = h0 + low * (h1 - h0), h0 + high * (h1 - h0)
                count = _write(out, count, pair, EDGE_ON_FACET, sign, n[0], n[1], n[2], ends, g0, g1)
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _vertices_on_facets(f, pair, a, b, sign, eps, near_facet, ends, out, count, first):
    for v in range(f.vertex_start[a], f.vertex_start[a + 1]):
        p = f.point[v]
        for k in range(f.facet_start[b], f.facet_start[b + 1]):
            if not near_facet[k - f.facet_start[b]]:
                continue
            h = _height(f, p[0], p[1], p[2], k)
            if abs(h) > eps:
                continue
            n = f.normal[k]
            rises = False
            inside = False
            for e in range(f.edge_start[a], f.edge_start[a + 1]):
                if f.edge[e, 0] == v or f.edge[e, 1] == v:
                    w = f.point[f.edge[e, 0] if f.edge[e, 1] == v else f.edge[e, 1]]
                    dx, dy, dz = w[0] - p[0], w[1] - p[1], w[2] - p[2]
                    up = dx * n[0] + dy * n[1] + dz * n[2]
                    rises = up > -DIP * math.sqrt(dx * dx + dy * dy + dz * dz)
                    if not rises:
                        break
                    low, high = _edge_in_facet(f, e, k)
                    inside = inside or (low <= 0.0 <= high if f.edge[e, 0] == v else low <= 1.0 <= high)
            known = _known(out, first, count, p[0], p[1], p[2], eps)
            if rises and inside and not known and not _on_rim(f, p[0], p[1], p[2], b, k, eps):
                for i in range(3):
                    ends[0, i] = ends[1, i] = p[i]
                count = _write(out, count, pair, VERTEX_ON_FACET, sign, n[0], n[1], n[2], ends, h, h)
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _edges_on_edges(f, pair, a, b, eps, near_a, near_b, ends, out, count, first, crossed):
    """Edges that cross inside both, or else parallel edges that run along each other."""
    u, v, w, sums = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for e in range(f.edge_start[a], f.edge_start[a + 1]):
        for g in range(f.edge_start[b], f.edge_start[b + 1]):
            if not (near_a[e - f.edge_start[a]] and near_b[g - f.edge_start[b]]):
                continue
            p, r = f.point[f.edge[e, 0]], f.point[f.edge[g, 0]]
            uu = vv = uv = uw = vw = 0.0
            for i in range(3):
                u[i], v[i], w[i] = f.point[f.edge[e, 1], i] - p[i], f.point[f.edge[g, 1], i] - r[i], r[i] - p[i]
                uu += u[i] * u[i]
                vv += v[i] * v[i]
                uv += u[i] * v[i]
                uw += u[i] * w[i]
                vw += v[i] * w[i]
            det = uu * vv - uv * uv
            if crossed != (det > PARALLEL * PARALLEL * uu * vv):
                continue
            if crossed:
                s, t = (uw * vv - uv * vw) / det, (uv * uw - uu * vw) / det
                margin_s, margin_t = eps / math.sqrt(uu), eps / math.sqrt(vv)
                if not (margin_s < s < 1.0 - margin_s and margin_t < t < 1.0 - margin_t):
                    continue
                nx, ny, nz = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
                low = high = s
            else:
                low, high = max(0.0, min(uw, uw + uv) / uu), min(1.0, max(uw, uw + uv) / uu)
                if (high - low) * math.sqrt(uu) <= LINE * eps:
                    continue
                k, m = f.edge_facet[e], f.edge_facet[g]
                for i in range(3):
                    sums[i] = f.normal[k[0], i] + f.normal[k[1], i] - f.normal[m[0], i] - f.normal[m[1], i]
                nx, ny, nz = sums[0], sums[1], sums[2]
                s = 0.5 * (low + high)
                t = (s * uv - vw) / vv
            length = math.sqrt(nx * nx + ny * ny + nz * nz)
            if length == 0.0:
                continue
            nx, ny, nz = nx / length, ny / length, nz / length
            dx, dy, dz = w[0] + t * v[0] - s * u[0], w[1] + t * v[1] - s * u[1], w[2] + t * v[2] - s * u[2]
            if dx * dx + dy * dy + dz * dz > eps * eps:
                continue
            if _known(out, first, count, p[0] + s * u[0], p[1] + s * u[1], p[2] + s * u[2], eps):
                continue
            for flip in (1.0, -1.0):
                if _rises(f, e, -flip, nx, ny, nz) and _rises(f, g, flip, nx, ny, nz):
                    h = flip * (dx * nx + dy * ny + dz * nz)
                    for i in range(3):
                        ends[0, i] = p[i] + low * u[i]
                        ends[1, i] = p[i] + high * u[i]
                    kind = CROSSED_EDGES if crossed else CORNERS
                    count = _write(out, count, pair, kind, flip, nx, ny, nz, ends, h, h)
                    break
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _add_normals(f, e, sums):
    for i in range(3):
        sums[i] += f.normal[f.edge_facet[e, 0], i] + f.normal[f.edge_facet[e, 1], i]


@njit(cache=True, nogil=True, error_model="numpy")
def _length(v):
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@njit(cache=True, nogil=True, error_model="numpy")
def _vertex_on_corner(f, pair, a, b, sign, eps, ends, out, count):
    """The first vertex of a on an edge or a vertex of b; n is the mean of the normals there."""
    n, m = np.empty(3), np.empty(3)
    for v in range(f.vertex_start[a], f.vertex_start[a + 1]):
        p = f.point[v]
        for i in range(3):
            n[i] = m[i] = 0.0
            ends[0, i] = ends[1, i] = p[i]
        for e in range(f.edge_start[b], f.edge_start[b + 1]):
            if _distance_to_edge(f, p[0], p[1], p[2], e)[0] <= eps:
                _add_normals(f, e, n)
        if n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0:
            continue
        for e in range(f.edge_start[a], f.edge_start[a + 1]):
            if f.edge[e, 0] == v or f.edge[e, 1] == v:
                _add_normals(f, e, m)
        of_n, of_m = _length(n), max(_length(m), DIP)
        for i in range(3):
            n[i] = n[i] / of_n - m[i] / of_m
        length = _length(n)
        if length > DIP:
            return _write(out, count, pair, CORNERS, sign, n[0] / length, n[1] / length, n[2] / length, ends, 0.0, 0.0)
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _near_edges(f, block, low, high, near):
    for e in range(f.edge_start[block], f.edge_start[block + 1]):
        hit = True
        p, q = f.point[f.edge[e, 0]], f.point[f.edge[e, 1]]
        for i in range(3):
            hit = hit and min(p[i], q[i]) <= high[i] and max(p[i], q[i]) >= low[i]
        near[e - f.edge_start[block]] = hit


@njit(cache=True, nogil=True, error_model="numpy")
def find_touches(f, pairs, eps, lower, upper, facet_lower, facet_upper, out):
    """Touches of pairs of blocks that share no patch.

    Parameters
    ----------
    f : Features; pairs : array (P, 2); eps : array (P,): distance that still touches [m]
    lower, upper : arrays (B, 3): boxes of the blocks; facet_lower, facet_upper : arrays (K, 3)
    out : Touches

    Returns
    -------
    int: how many there are; those for which there is room are written
    """
    edges = facets = 0
    for block in range(lower.shape[0]):
        edges = max(edges, f.edge_start[block + 1] - f.edge_start[block])
        facets = max(facets, f.facet_start[block + 1] - f.facet_start[block])
    near_edge = (np.zeros(edges, np.bool_), np.zeros(edges, np.bool_))
    near_facet = (np.zeros(facets, np.bool_), np.zeros(facets, np.bool_))
    low, high, ends = np.empty(3), np.empty(3), np.empty((2, 3))
    count = np.int64(0)
    for pair in range(pairs.shape[0]):
        for i in range(3):
            low[i] = max(lower[pairs[pair, 0], i], lower[pairs[pair, 1], i]) - eps[pair]
            high[i] = min(upper[pairs[pair, 0], i], upper[pairs[pair, 1], i]) + eps[pair]
        for side in range(2):
            block = pairs[pair, side]
            _near_edges(f, block, low, high, near_edge[side])
            for k in range(f.facet_start[block], f.facet_start[block + 1]):
                hit = True
                for i in range(3):
                    hit = hit and facet_lower[k, i] <= high[i] and facet_upper[k, i] >= low[i]
                near_facet[side][k - f.facet_start[block]] = hit
        first = count
        for side in range(2):
            # A facet of b is touched from a: its normal points from b to a, against the normal of the pair.
            a, b, sign = pairs[pair, side], pairs[pair, 1 - side], 2.0 * side - 1.0
            arrays = near_edge[side], near_facet[1 - side]
            count = _edges_on_facets(f, pair, a, b, sign, eps[pair], arrays[0], arrays[1], ends, out, count)
            count = _vertices_on_facets(f, pair, a, b, sign, eps[pair], arrays[1], ends, out, count, first)
        a, b = pairs[pair, 0], pairs[pair, 1]
        for crossed in (True, False):
            if crossed or count == first:
                count = _edges_on_edges(
                    f, pair, a, b, eps[pair], near_edge[0], near_edge[1], ends, out, count, first, crossed
                )
        for side in range(2):
            if count == first:
                a, b, sign = pairs[pair, side], pairs[pair, 1 - side], 2.0 * side - 1.0
                count = _vertex_on_corner(f, pair, a, b, sign, eps[pair], ends, out, count)
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def find_filled(pairs, place, eps, start, other, patch, normal, centroid, point, point_start, filled):
    """Whether a third block fills the angle in which two blocks touch: one with a patch to either of them at the place.

    Then the patches carry, and the two corners have no say.

    Parameters
    ----------
    pairs : array (n, 2) of blocks; place : array (n, 3): where they touch; eps : array (n,) [m]
    start, other, patch : patches of each block (B + 1,), as the block on the other side and the row of the patch
    normal, centroid (I, 3), point (C, 3), point_start (I + 1,) : planes and convex hulls of the patches
    filled : array (n,) of bool, written
    """
    for t in range(pairs.shape[0]):
        a, b = pairs[t, 0], pairs[t, 1]
        for i in range(start[a], start[a + 1]):
            for j in range(start[b], start[b + 1]):
                if other[i] == other[j] and not filled[t]:
                    at_a = _in_patch(place, t, eps[t], normal, centroid, point, point_start, patch[i])
                    at_b = _in_patch(place, t, eps[t], normal, centroid, point, point_start, patch[j])
                    filled[t] = at_a and at_b


@njit(cache=True, nogil=True, error_model="numpy")
def _in_patch(place, t, eps, normal, centroid, point, point_start, k):
    """Whether a place is within eps of the hull of patch k."""
    n = normal[k]
    d = 0.0
    for i in range(3):
        d += (place[t, i] - centroid[k, i]) * n[i]
    inside = abs(d) <= eps
    begin, end = point_start[k], point_start[k + 1]
    for c in range(begin, end):
        p, q = point[c], point[c + 1 if c + 1 < end else begin]
        u, v, w = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        x, y, z = place[t, 0] - p[0], place[t, 1] - p[1], place[t, 2] - p[2]
        left = n[0] * (v * z - w * y) + n[1] * (w * x - u * z) + n[2] * (u * y - v * x)
        inside = inside and left >= -eps * math.sqrt(u * u + v * v + w * w)
    return inside
