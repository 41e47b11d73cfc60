"""Penetration depth of blocks that share volume.

Convex blocks: the least overlap along the normals of both and the cross products of their edges. It is the exact
distance by which they would have to be moved apart. Other blocks: the depth of the deepest sample of one block inside
the other. Samples are vertices, middles of the parts of edges, and points just behind the facets; inside is where the
winding number is one.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.core.monitor import STOP
from nscd_engine.kernels.geometry.winding_number import winding
from nscd_engine.kernels.jit import inner

#: Sine of the angle between two edges, squared, below which they are parallel and span no axis [-]. Larger: axes are
#: missed, and the depth is too great. Smaller: axes are rounding errors.
PARALLEL2 = 1e-12
#: Most parts of edges of one block that are sampled [-]. Larger: more memory. Smaller: overlaps of blocks with very
#: many edges may be missed.
MAX_SAMPLES = 4096


class Solids(NamedTuple):
    """Vertices, facets and edges of blocks."""

    point: np.ndarray  # [m] (V, 3)
    vertex_start: np.ndarray  # (B + 1,) int64
    facet_start: np.ndarray  # (B + 1,) int64
    normal: np.ndarray  # (K, 3)
    origin: np.ndarray  # [m] (K, 3)
    edge_start: np.ndarray  # (B + 1,) int64
    edge: np.ndarray  # (E, 2) int64


class Surfaces(NamedTuple):
    """Boundaries of blocks in triangles."""

    triangle: np.ndarray  # [m] (T, 3, 3)
    start: np.ndarray  # (B + 1,) int64
    behind: np.ndarray  # [m] (T, 3): a point behind each triangle
    lower: np.ndarray  # [m] (B, 3): bounding boxes
    upper: np.ndarray  # [m] (B, 3)
    signal: np.ndarray  # (2,) int64 of a monitor: blocks of many thousand triangles are compared for seconds


@inner
def _below_facets(solids, a, b, margin, depth):
    """The least depth [m] of block b behind the facets of block a, or `depth` if that is less; stops at the margin."""
    point, vertex_start, normal, origin = solids.point, solids.vertex_start, solids.normal, solids.origin
    for k in range(solids.facet_start[a], solids.facet_start[a + 1]):
        lowest = np.inf
        for v in range(vertex_start[b], vertex_start[b + 1]):
            h = 0.0
            for i in range(3):
                h += (point[v, i] - origin[k, i]) * normal[k, i]
            lowest = min(lowest, h)
        depth = min(depth, -lowest)
        if depth <= margin:
            break
    return depth


@inner
def _along(point, i, j, x, y, z):
    """Component along (x, y, z) of the vector from point i to point j."""
    return (point[j, 0] - point[i, 0]) * x + (point[j, 1] - point[i, 1]) * y + (point[j, 2] - point[i, 2]) * z


@inner
def _extent(point, begin, end, x, y, z):
    """Least and greatest component along (x, y, z) of vertices begin:end, measured from the first of them [m]."""
    low, high = np.inf, -np.inf
    for v in range(begin, end):
        d = _along(point, begin, v, x, y, z)
        low, high = min(low, d), max(high, d)
    return low, high


@inner
def _along_edges(solids, a, b, margin, depth):
    """The least overlap [m] along cross products of edges, or `depth` if that is less; stops at the margin."""
    point, vertex_start, edge_start, edge = solids.point, solids.vertex_start, solids.edge_start, solids.edge
    ba, bb = vertex_start[a], vertex_start[b]
    for e in range(edge_start[a], edge_start[a + 1]):
        i, j = edge[e, 0], edge[e, 1]
        ux, uy, uz = point[j, 0] - point[i, 0], point[j, 1] - point[i, 1], point[j, 2] - point[i, 2]
        for g in range(edge_start[b], edge_start[b + 1]):
            k, m = edge[g, 0], edge[g, 1]
            vx, vy, vz = point[m, 0] - point[k, 0], point[m, 1] - point[k, 1], point[m, 2] - point[k, 2]
            x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            length2 = x * x + y * y + z * z
            if length2 <= PARALLEL2 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
                continue
            length = math.sqrt(length2)
            x, y, z = x / length, y / length, z / length
            low_a, high_a = _extent(point, ba, vertex_start[a + 1], x, y, z)
            low_b, high_b = _extent(point, bb, vertex_start[b + 1], x, y, z)
            shift = _along(point, ba, bb, x, y, z)
            depth = min(depth, high_a - low_b - shift, high_b + shift - low_a)
            if depth <= margin:
                return depth
    return depth


@njit(cache=True, nogil=True, error_model="numpy")
def convex_depths(solids, pairs, margin, depth):
    """Penetration depths of pairs (P, 2) of convex blocks into `depth` (P,) [m].

    A depth at or below the margin [m] (P,) is only known to be so.
    """
    for p in range(pairs.shape[0]):
        a, b = pairs[p, 0], pairs[p, 1]
        d = _below_facets(solids, a, b, margin[p], np.inf)
        if d > margin[p]:
            d = _below_facets(solids, b, a, margin[p], d)
        if d > margin[p]:
            d = _along_edges(solids, a, b, margin[p], d)
        depth[p] = d


@inner
def _to_segment(px, py, pz, qx, qy, qz):
    """Squared distance [m2] of the origin from a segment."""
    dx, dy, dz = qx - px, qy - py, qz - pz
    length2 = dx * dx + dy * dy + dz * dz
    s = min(max(-(px * dx + py * dy + pz * dz) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
    return (px + s * dx) ** 2 + (py + s * dy) ** 2 + (pz + s * dz) ** 2


@inner
def _to_surface(triangle, begin, end, x, y, z):
    """Distance [m] of a point from the triangles begin:end."""
    least = np.inf
    for t in range(begin, end):
        ax, ay, az = triangle[t, 0, 0] - x, triangle[t, 0, 1] - y, triangle[t, 0, 2] - z
        bx, by, bz = triangle[t, 1, 0] - x, triangle[t, 1, 1] - y, triangle[t, 1, 2] - z
        cx, cy, cz = triangle[t, 2, 0] - x, triangle[t, 2, 1] - y, triangle[t, 2, 2] - z
        ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        n2 = nx * nx + ny * ny + nz * nz
        # The projection of the point is inside if it is left of all three sides: n . (p x q) >= 0 for a side p -> q.
        sa = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx)
        sb = nx * (by * cz - bz * cy) + ny * (bz * cx - bx * cz) + nz * (bx * cy - by * cx)
        sc = nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax)
        if n2 > 0.0 and sa >= 0.0 and sb >= 0.0 and sc >= 0.0:
            d = nx * ax + ny * ay + nz * az
            least = min(least, d * d / n2)
        else:
            least = min(least, _to_segment(ax, ay, az, bx, by, bz))
            least = min(least, _to_segment(bx, by, bz, cx, cy, cz))
            least = min(least, _to_segment(cx, cy, cz, ax, ay, az))
    return math.sqrt(least)


@inner
def _crossing(triangle, t, p, q):
    """Fraction of the segment p -> q at which it crosses triangle t, or -1."""
    ux, uy, uz = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    a, b, c = triangle[t, 0], triangle[t, 1], triangle[t, 2]
    ex, ey, ez = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    fx, fy, fz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    hx, hy, hz = uy * fz - uz * fy, uz * fx - ux * fz, ux * fy - uy * fx
    det = ex * hx + ey * hy + ez * hz
    if det == 0.0:
        return -1.0
    sx, sy, sz = p[0] - a[0], p[1] - a[1], p[2] - a[2]
    v = (sx * hx + sy * hy + sz * hz) / det
    gx, gy, gz = sy * ez - sz * ey, sz * ex - sx * ez, sx * ey - sy * ex
    w = (ux * gx + uy * gy + uz * gz) / det
    s = (fx * gx + fy * gy + fz * gz) / det
    return s if v >= 0.0 and w >= 0.0 and v + w <= 1.0 and 0.0 <= s <= 1.0 else -1.0


@inner
def _deepest(sample, begin, end, surfaces, own, other, margin, depth):
    """The greatest depth [m] of samples begin:end inside block `other`, or `depth` if that is more.

    Samples count only if they are inside block `own` as well; own = -1 if they are on its surface.
    """
    triangle, start, lower, upper = surfaces.triangle, surfaces.start, surfaces.lower, surfaces.upper
    first, last = start[other], start[other + 1]
    for s in range(begin, end):
        x, y, z = sample[s, 0], sample[s, 1], sample[s, 2]
        boxed = True
        for i in range(3):
            boxed = boxed and lower[other, i] + margin < sample[s, i] < upper[other, i] - margin
        if surfaces.signal[STOP] != 0:
            return depth
        if boxed:
            d = _to_surface(triangle, first, last, x, y, z)
            if d > depth and winding(triangle, first, last, x, y, z) > 0.5:
                if own < 0 or winding(triangle, start[own], start[own + 1], x, y, z) > 0.5:
                    depth = d
    return depth


@inner
def _edge_samples(solids, a, surfaces, b, margin, sample):
    """Middles of the parts into which the triangles of block b cut the edges of block a; returns their number.

    Edges that do not reach into the box of block b, less the margin [m], have none.
    """
    point, edge, triangle = solids.point, solids.edge, surfaces.triangle
    lower, upper = surfaces.lower, surfaces.upper
    count = 0
    for e in range(solids.edge_start[a], solids.edge_start[a + 1]):
        p, q = point[edge[e, 0]], point[edge[e, 1]]
        apart = False
        for i in range(3):
            apart = apart or max(p[i], q[i]) < lower[b, i] + margin or min(p[i], q[i]) > upper[b, i] - margin
        if apart or surfaces.signal[STOP] != 0:
            continue
        here = 0.0
        while here < 1.0 and count < sample.shape[0]:
            following = 1.0
            for t in range(surfaces.start[b], surfaces.start[b + 1]):
                s = _crossing(triangle, t, p, q)
                if here < s < following:
                    following = s
            for i in range(3):
                sample[count, i] = p[i] + 0.5 * (here + following) * (q[i] - p[i])
            count += 1
            here = following
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def sampled_depths(solids, surfaces, pairs, margin, depth):
    """Penetration depths of pairs (P, 2) of any blocks into `depth` (P,) [m]: of the deepest sample, a lower bound."""
    middles = np.empty((MAX_SAMPLES, 3))
    vertex_start, start = solids.vertex_start, surfaces.start
    zero, none = np.int64(0), np.int64(-1)  # numba would compile `_deepest` once more for every literal
    for p in range(pairs.shape[0]):
        d = 0.0
        for side in range(2):
            a, b = pairs[p, side], pairs[p, 1 - side]
            d = _deepest(solids.point, vertex_start[a], vertex_start[a + 1], surfaces, none, b, margin[p], d)
            d = _deepest(surfaces.behind, start[a], start[a + 1], surfaces, a, b, margin[p], d)
            n = _edge_samples(solids, a, surfaces, b, margin[p], middles)
            d = _deepest(middles, zero, n, surfaces, none, b, margin[p], d)
        depth[p] = d
