"""Contacts of blocks that meet in a line or a point: an edge or a vertex on a facet, crossed edges, corner on corner.

n points out of the facet that is touched. An edge or a vertex counts only if the faces next to it leave the facet to
the outside. Two corners have no unique normal: they get the mean of the normals around them.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner

#: Kinds of contact. Numbers of numpy, because numba compiles a function once more for every literal int passed to it.
EDGE_ON_FACET, VERTEX_ON_FACET, CROSSED_EDGES, CORNERS = np.arange(4)
#: Sine of the angle by which a face may dip below the facet that its edge or vertex touches [-]. Larger: blocks that
#: overlap make line contacts. Smaller: rounding removes line contacts of blocks that lie flat.
DIP = 1e-3
#: Sine of the angle below which edges are parallel to each other or to a facet [-]. Larger: oblique edges become line
#: contacts. Smaller: edges that are parallel up to the precision of a drawing become points.
PARALLEL = 1e-2
#: Least length of a line contact over the tolerance of a gap [-]; shorter ones are points. Larger: short bearings lose
#: their second point. Smaller: the two ends of a line are hardly apart.
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


class Boxes(NamedTuple):
    """Bounding boxes [m] of blocks (B, 3) and facets (K, 3)."""

    lower: np.ndarray
    upper: np.ndarray
    facet_lower: np.ndarray
    facet_upper: np.ndarray


class Touches(NamedTuple):
    """Contacts of one or two points; capacity for n of them."""

    pair: np.ndarray  # (n,) int64
    kind: np.ndarray  # (n,) int64
    normal: np.ndarray  # (n, 3): from a to b
    ends: np.ndarray  # [m] (n, 2, 3): the same twice for a point
    gap: np.ndarray  # [m] (n, 2)


class Places(NamedTuple):
    """Points where pairs of blocks touch."""

    pair: np.ndarray  # (n, 2) int64: blocks
    point: np.ndarray  # [m] (n, 3)
    eps: np.ndarray  # [m] (n,): tolerance


class Neighbours(NamedTuple):
    """Patches of every block."""

    start: np.ndarray  # (B + 1,) int64: into the other two
    other: np.ndarray  # int64: block on the other side
    patch: np.ndarray  # int64: row of the patch


class PatchHulls(NamedTuple):
    """Planes and convex hulls of I patches."""

    normal: np.ndarray  # (I, 3)
    centroid: np.ndarray  # [m] (I, 3)
    point: np.ndarray  # [m] (C, 3)
    start: np.ndarray  # (I + 1,) int64: into point


class _Side(NamedTuple):
    """Block a of a pair looked at against block b."""

    pair: int
    a: int
    b: int
    sign: float  # 1 if n out of b points from the first block of the pair to the second, else -1
    eps: float  # [m] greatest distance
    first: int  # row of the first contact of the pair
    near_edge: np.ndarray  # bool: which edges of a are near b
    near_edge_b: np.ndarray  # bool: which edges of b are near a
    near_facet: np.ndarray  # bool: which facets of b are near a


@inner
def _height(f, x, y, z, k):
    """Height [m] of a point above facet k."""
    return (
        (x - f.origin[k, 0]) * f.normal[k, 0]
        + (y - f.origin[k, 1]) * f.normal[k, 1]
        + (z - f.origin[k, 2]) * f.normal[k, 2]
    )


@inner
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


@inner
def _distance_to_edge(f, x, y, z, e):
    """Distance [m] of a point from edge e."""
    i, j = f.edge[e, 0], f.edge[e, 1]
    ux, uy, uz = f.point[j, 0] - f.point[i, 0], f.point[j, 1] - f.point[i, 1], f.point[j, 2] - f.point[i, 2]
    dx, dy, dz = x - f.point[i, 0], y - f.point[i, 1], z - f.point[i, 2]
    length2 = ux * ux + uy * uy + uz * uz
    s = min(max((ux * dx + uy * dy + uz * dz) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
    return math.sqrt((dx - s * ux) ** 2 + (dy - s * uy) ** 2 + (dz - s * uz) ** 2)


@inner
def _on_rim(f, x, y, z, block, k, eps):
    """Whether a point is within eps of an edge of facet k."""
    for e in range(f.edge_start[block], f.edge_start[block + 1]):
        if (f.edge_facet[e, 0] == k or f.edge_facet[e, 1] == k) and _distance_to_edge(f, x, y, z, e) <= eps:
            return True
    return False


@inner
def _rises(f, e, sign, nx, ny, nz):
    """Whether e is a convex edge whose two facets leave a plane to the side of sign * n."""
    a, b = f.inward[e, 0], f.inward[e, 1]
    left = f.normal[f.edge_facet[e, 0]]
    convex = left[0] * b[0] + left[1] * b[1] + left[2] * b[2] < DIP
    da, db = a[0] * nx + a[1] * ny + a[2] * nz, b[0] * nx + b[1] * ny + b[2] * nz
    return convex and sign * da > -DIP and sign * db > -DIP


@inner
def _write(out, count, pair, kind, normal, ends, gaps):
    """Write a contact unless `out` is full; returns the number of contacts."""
    if count < out.pair.shape[0]:
        out.pair[count] = pair
        out.kind[count] = kind
        out.normal[count, 0], out.normal[count, 1], out.normal[count, 2] = normal
        out.gap[count, 0], out.gap[count, 1] = gaps
        for k in range(2):
            for i in range(3):
                out.ends[count, k, i] = ends[k, i]
    return count + 1


@inner
def _known(out, first, count, x, y, z, eps):
    """Whether a contact of this pair already ends within eps of a point."""
    for t in range(first, min(count, out.pair.shape[0])):
        for m in range(2):
            p = out.ends[t, m]
            if (p[0] - x) ** 2 + (p[1] - y) ** 2 + (p[2] - z) ** 2 <= eps * eps:
                return True
    return False


@inner
def _edges_on_facets(f, side, ends, out, count):
    """Edges of a that lie on facets of b; returns the number of contacts."""
    a, b, sign, eps = side.a, side.b, side.sign, side.eps
    near_edge, near_facet = side.near_edge, side.near_facet
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
                normal, gaps = (sign * n[0], sign * n[1], sign * n[2]), (h0 + low * (h1 - h0), h0 + high * (h1 - h0))
                count = _write(out, count, side.pair, EDGE_ON_FACET, normal, ends, gaps)
    return count


@inner
def _vertices_on_facets(f, side, ends, out, count):
    """Vertices of a that lie on facets of b; returns the number of contacts."""
    a, b, sign, eps, near_facet = side.a, side.b, side.sign, side.eps, side.near_facet
    for v in range(f.vertex_start[a], f.vertex_start[a + 1]):
        p = f.point[v]
        for k in range(f.facet_start[b], f.facet_start[b + 1]):
            if not near_facet[k - f.facet_start[b]]:
                continue
            h = _height(f, p[0], p[1], p[2], k)
            if abs(h) > eps:
                continue
            n = f.normal[k]
            rises = inside = False  # all edges leave the vertex to the outside of the facet; it is above or below
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
            if not (rises and inside) or _known(out, side.first, count, p[0], p[1], p[2], eps):
                continue
            if not _on_rim(f, p[0], p[1], p[2], b, k, eps):
                for i in range(3):
                    ends[0, i] = ends[1, i] = p[i]
                normal = (sign * n[0], sign * n[1], sign * n[2])
                count = _write(out, count, side.pair, VERTEX_ON_FACET, normal, ends, (h, h))
    return count


@inner
def _vector(point, i, j):
    """From vertex i to vertex j [m]."""
    return point[j, 0] - point[i, 0], point[j, 1] - point[i, 1], point[j, 2] - point[i, 2]


@inner
def _dot(u, v):
    return 0.0 + u[0] * v[0] + u[1] * v[1] + u[2] * v[2]  # the 0.0 makes -0.0 a 0.0


@inner
def _common_part(u, v, w, eps, crossed):
    """Where edge u meets edge v, which begins at w from the beginning of u: inside both, or along each other.

    Returns the part [low, high] of u, as fractions of it, and the fraction of v opposite its middle; low > high if the
    edges are not crossed, or not parallel, as asked.
    """
    uu, vv, uv, uw, vw = _dot(u, u), _dot(v, v), _dot(u, v), _dot(u, w), _dot(v, w)
    det = uu * vv - uv * uv
    if crossed != (det > PARALLEL * PARALLEL * uu * vv):
        return 1.0, 0.0, 0.0
    if crossed:
        s, t = (uw * vv - uv * vw) / det, (uv * uw - uu * vw) / det
        margin_s, margin_t = eps / math.sqrt(uu), eps / math.sqrt(vv)
        if not (margin_s < s < 1.0 - margin_s and margin_t < t < 1.0 - margin_t):
            return 1.0, 0.0, 0.0
        return s, s, t
    low, high = max(0.0, min(uw, uw + uv) / uu), min(1.0, max(uw, uw + uv) / uu)
    if (high - low) * math.sqrt(uu) <= LINE * eps:
        return 1.0, 0.0, 0.0
    s = 0.5 * (low + high)
    return low, high, (s * uv - vw) / vv


@inner
def _edge_normal(f, e, g, u, v, crossed):
    """Normal of edges e and g, not of unit length: u x v if they cross, else from the facets next to them."""
    if crossed:
        return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
    a, b = f.normal[f.edge_facet[e, 0]], f.normal[f.edge_facet[e, 1]]
    c, d = f.normal[f.edge_facet[g, 0]], f.normal[f.edge_facet[g, 1]]
    return a[0] + b[0] - c[0] - d[0], a[1] + b[1] - c[1] - d[1], a[2] + b[2] - c[2] - d[2]


@inner
def _edges_on_edges(f, side, crossed, ends, out, count):
    """Edges that cross inside both, or else parallel edges that run along each other; the number of contacts."""
    kind = CROSSED_EDGES if crossed else CORNERS
    # Structs are taken apart here: to pass them to a function for every pair of edges would take most of the time.
    point, edge, near_a, near_b, eps = f.point, f.edge, side.near_edge, side.near_edge_b, side.eps
    first_a, last_a = f.edge_start[side.a], f.edge_start[side.a + 1]
    first_b, last_b = f.edge_start[side.b], f.edge_start[side.b + 1]
    for e in range(first_a, last_a):
        if not near_a[e - first_a]:
            continue
        u = _vector(point, edge[e, 0], edge[e, 1])
        for g in range(first_b, last_b):
            if not near_b[g - first_b]:
                continue
            v, w = _vector(point, edge[g, 0], edge[g, 1]), _vector(point, edge[e, 0], edge[g, 0])
            low, high, t = _common_part(u, v, w, eps, crossed)
            if low > high:
                continue
            p = point[edge[e, 0]]
            nx, ny, nz = _edge_normal(f, e, g, u, v, crossed)
            length = math.sqrt(nx * nx + ny * ny + nz * nz)
            if length == 0.0:
                continue
            s = 0.5 * (low + high)
            nx, ny, nz = nx / length, ny / length, nz / length
            dx, dy, dz = w[0] + t * v[0] - s * u[0], w[1] + t * v[1] - s * u[1], w[2] + t * v[2] - s * u[2]
            if dx * dx + dy * dy + dz * dz > eps * eps:
                continue
            if _known(out, side.first, count, p[0] + s * u[0], p[1] + s * u[1], p[2] + s * u[2], eps):
                continue
            for flip in (1.0, -1.0):
                if _rises(f, e, -flip, nx, ny, nz) and _rises(f, g, flip, nx, ny, nz):
                    h = flip * (dx * nx + dy * ny + dz * nz)
                    for i in range(3):
                        ends[0, i] = p[i] + low * u[i]
                        ends[1, i] = p[i] + high * u[i]
                    normal = (flip * nx, flip * ny, flip * nz)
                    count = _write(out, count, side.pair, kind, normal, ends, (h, h))
                    break
    return count


@inner
def _add_normals(f, e, sums):
    for i in range(3):
        sums[i] += f.normal[f.edge_facet[e, 0], i] + f.normal[f.edge_facet[e, 1], i]


@inner
def _length(v):
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@inner
def _vertex_on_corner(f, side, ends, out, count):
    """The first vertex of a on an edge or a vertex of b, n the mean of the normals there; the number of contacts."""
    a, b, sign = side.a, side.b, side.sign
    n, m = np.empty(3), np.empty(3)
    for v in range(f.vertex_start[a], f.vertex_start[a + 1]):
        p = f.point[v]
        for i in range(3):
            n[i] = m[i] = 0.0
            ends[0, i] = ends[1, i] = p[i]
        for e in range(f.edge_start[b], f.edge_start[b + 1]):
            if _distance_to_edge(f, p[0], p[1], p[2], e) <= side.eps:
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
            normal = (sign * (n[0] / length), sign * (n[1] / length), sign * (n[2] / length))
            return _write(out, count, side.pair, CORNERS, normal, ends, (0.0, 0.0))
    return count


@inner
def _near_edges(f, block, low, high, near):
    """Mark the edges of a block whose boxes meet the box from low to high [m]."""
    for e in range(f.edge_start[block], f.edge_start[block + 1]):
        hit = True
        p, q = f.point[f.edge[e, 0]], f.point[f.edge[e, 1]]
        for i in range(3):
            hit = hit and min(p[i], q[i]) <= high[i] and max(p[i], q[i]) >= low[i]
        near[e - f.edge_start[block]] = hit


@inner
def _near_facets(f, boxes, block, low, high, near):
    """Mark the facets of a block whose boxes meet the box from low to high [m]."""
    lower, upper, first = boxes.facet_lower, boxes.facet_upper, f.facet_start[block]
    for k in range(first, f.facet_start[block + 1]):
        hit = True
        for i in range(3):
            hit = hit and lower[k, i] <= high[i] and upper[k, i] >= low[i]
        near[k - first] = hit


@inner
def _most(start):
    """Greatest number of rows of a block."""
    most = 0
    for block in range(start.shape[0] - 1):
        most = max(most, start[block + 1] - start[block])
    return most


@njit(cache=True, nogil=True, error_model="numpy")
def find_touches(f, pairs, eps, boxes, out):
    """Line and point contacts of pairs of blocks that share no patch, the more definite kinds first.

    Parameters
    ----------
    f : Features
    pairs : array (P, 2)
    eps : array (P,)
        Greatest distance [m].
    boxes : Boxes
    out : Touches

    Returns
    -------
    int
        Number of contacts; those beyond the capacity of `out` are not written.
    """
    edge_a, edge_b = np.zeros(_most(f.edge_start), np.bool_), np.zeros(_most(f.edge_start), np.bool_)
    facet_a, facet_b = np.zeros(_most(f.facet_start), np.bool_), np.zeros(_most(f.facet_start), np.bool_)
    low, high, ends = np.empty(3), np.empty(3), np.empty((2, 3))
    count = np.int64(0)
    for pair in range(pairs.shape[0]):
        a, b = pairs[pair, 0], pairs[pair, 1]
        for i in range(3):
            low[i] = max(boxes.lower[a, i], boxes.lower[b, i]) - eps[pair]
            high[i] = min(boxes.upper[a, i], boxes.upper[b, i]) + eps[pair]
        _near_edges(f, a, low, high, edge_a)
        _near_edges(f, b, low, high, edge_b)
        _near_facets(f, boxes, a, low, high, facet_a)
        _near_facets(f, boxes, b, low, high, facet_b)
        first = count
        # The normal of a facet of b points from b to a, against the normal of the pair.
        one = _Side(pair, a, b, -1.0, eps[pair], first, edge_a, edge_b, facet_b)
        two = _Side(pair, b, a, 1.0, eps[pair], first, edge_b, edge_a, facet_a)
        count = _edges_on_facets(f, one, ends, out, count)
        count = _vertices_on_facets(f, one, ends, out, count)
        count = _edges_on_facets(f, two, ends, out, count)
        count = _vertices_on_facets(f, two, ends, out, count)
        for crossed in (True, False):
            if crossed or count == first:
                count = _edges_on_edges(f, one, crossed, ends, out, count)
        if count == first:
            count = _vertex_on_corner(f, one, ends, out, count)
        if count == first:
            count = _vertex_on_corner(f, two, ends, out, count)
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def find_filled(places, neighbours, hulls, filled):
    """Whether a third block fills the angle between two blocks that touch: it has a patch with each of them there.

    Then these patches carry the force, and the contact of the two corners does not count.

    Parameters
    ----------
    places : Places
    neighbours : Neighbours
    hulls : PatchHulls
    filled : array (n,) of bool
        Is set where this is so.
    """
    start, other, patch = neighbours.start, neighbours.other, neighbours.patch
    for t in range(places.pair.shape[0]):
        a, b = places.pair[t, 0], places.pair[t, 1]
        for i in range(start[a], start[a + 1]):
            for j in range(start[b], start[b + 1]):
                if other[i] == other[j] and not filled[t]:
                    filled[t] = _in_patch(places, t, hulls, patch[i]) and _in_patch(places, t, hulls, patch[j])


@inner
def _in_patch(places, t, hulls, k):
    """Whether place t is within its tolerance of the hull of patch k."""
    n, place, eps = hulls.normal[k], places.point, places.eps[t]
    d = 0.0
    for i in range(3):
        d += (place[t, i] - hulls.centroid[k, i]) * n[i]
    inside = abs(d) <= eps
    begin, end = hulls.start[k], hulls.start[k + 1]
    for c in range(begin, end):
        p, q = hulls.point[c], hulls.point[c + 1 if c + 1 < end else begin]
        u, v, w = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        x, y, z = place[t, 0] - p[0], place[t, 1] - p[1], place[t, 2] - p[2]
        left = n[0] * (v * z - w * y) + n[1] * (w * x - u * z) + n[2] * (u * y - v * x)
        inside = inside and left >= -eps * math.sqrt(u * u + v * v + w * w)
    return inside
