"""Depth to which blocks share volume.

Convex blocks: the least overlap along the normals of both and the cross products of their edges, which is exactly how
far they would have to be moved apart. Others: the deepest point found of one block inside the other, among vertices,
the middles of what edges run inside, and points just behind the facets; inside is where the winding number is one.
"""

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, error_model="numpy")
def _below_facets(point, vertex_start, a, b, facet_start, normal, origin, margin, depth):
    """The least depth of block b behind the facets of block a, or `depth` if that is less; stops at the margin."""
    for k in range(facet_start[a], facet_start[a + 1]):
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


@njit(cache=True, nogil=True, error_model="numpy")
def _along(point, i, j, x, y, z):
    return (point[j, 0] - point[i, 0]) * x + (point[j, 1] - point[i, 1]) * y + (point[j, 2] - point[i, 2]) * z


@njit(cache=True, nogil=True, error_model="numpy")
def _extent(point, begin, end, x, y, z):
    """Least and greatest distance of vertices from the first of them along a direction."""
    low, high = np.inf, -np.inf
    for v in range(begin, end):
        d = _along(point, begin, v, x, y, z)
        low, high = min(low, d), max(high, d)
    return low, high


@njit(cache=True, nogil=True, error_model="numpy")
def _along_edges(point, vertex_start, a, b, edge_start, edge, margin, depth):
    """The least overlap along cross products of edges, or `depth` if that is less."""
    ba, bb = vertex_start[a], vertex_start[b]
    for e in range(edge_start[a], edge_start[a + 1]):
        i, j = edge[e, 0], edge[e, 1]
        ux, uy, uz = point[j, 0] - point[i, 0], point[j, 1] - point[i, 1], point[j, 2] - point[i, 2]
        for g in range(edge_start[b], edge_start[b + 1]):
            k, m = edge[g, 0], edge[g, 1]
            vx, vy, vz = point[m, 0] - point[k, 0], point[m, 1] - point[k, 1], point[m, 2] - point[k, 2]
            x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            length2 = x * x + y * y + z * z
            if length2 <= 1e-12 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
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
def convex_depths(point, vertex_start, pairs, margin, facet_start, normal, origin, edge_start, edge, depth):
    """Depths [m] (P,) of pairs of convex blocks; a depth within the margin (P,) is only known to be within it."""
    for p in range(pairs.shape[0]):
        a, b = pairs[p, 0], pairs[p, 1]
        d = _below_facets(point, vertex_start, a, b, facet_start, normal, origin, margin[p], np.inf)
        if d > margin[p]:
            d = _below_facets(point, vertex_start, b, a, facet_start, normal, origin, margin[p], d)
        if d > margin[p]:
            d = _along_edges(point, vertex_start, a, b, edge_start, edge, margin[p], d)
        depth[p] = d


@njit(cache=True, nogil=True, error_model="numpy")
def winding(triangle, begin, end, x, y, z):
    """Winding number of a closed surface about a point, from the solid angles of its triangles."""
    total = 0.0
    for t in range(begin, end):
        ax, ay, az = triangle[t, 0, 0] - x, triangle[t, 0, 1] - y, triangle[t, 0, 2] - z
        bx, by, bz = triangle[t, 1, 0] - x, triangle[t, 1, 1] - y, triangle[t, 1, 2] - z
        cx, cy, cz = triangle[t, 2, 0] - x, triangle[t, 2, 1] - y, triangle[t, 2, 2] - z
        a = math.sqrt(ax * ax + ay * ay + az * az)
        b = math.sqrt(bx * bx + by * by + bz * bz)
        c = math.sqrt(cx * cx + cy * cy + cz * cz)
        det = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        ab, bc, ca = ax * bx + ay * by + az * bz, bx * cx + by * cy + bz * cz, cx * ax + cy * ay + cz * az
        total += 2.0 * math.atan2(det, a * b * c + ab * c + bc * a + ca * b)
    return total / (4.0 * math.pi)


@njit(cache=True, nogil=True, error_model="numpy")
def _to_segment(px, py, pz, qx, qy, qz):
    """Squared distance of the origin from a segment."""
    dx, dy, dz = qx - px, qy - py, qz - pz
    length2 = dx * dx + dy * dy + dz * dz
    s = min(max(-(px * dx + py * dy + pz * dz) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
    return (px + s * dx) ** 2 + (py + s * dy) ** 2 + (pz + s * dz) ** 2


@njit(cache=True, nogil=True, error_model="numpy")
def _to_surface(triangle, begin, end, x, y, z):
    """Distance of a point from the triangles."""
    least = np.inf
    for t in range(begin, end):
        ax, ay, az = triangle[t, 0, 0] - x, triangle[t, 0, 1] - y, triangle[t, 0, 2] - z
        bx, by, bz = triangle[t, 1, 0] - x, triangle[t, 1, 1] - y, triangle[t, 1, 2] - z
        cx, cy, cz = triangle[t, 2, 0] - x, triangle[t, 2, 1] - y, triangle[t, 2, 2] - z
        ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        n2 = nx * nx + ny * ny + nz * nz
        # The foot of the point is inside if it is left of all three sides: n . (p x q) >= 0 for each side p -> q.
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


@njit(cache=True, nogil=True, error_model="numpy")
def _crossing(triangle, t, p, q):
    """Fraction of the segment p -> q at which it passes triangle t, or -1."""
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


@njit(cache=True, nogil=True, error_model="numpy")
def _deepest(sample, begin, end, triangle, start, own, other, lower, upper, margin, depth):
    """The greatest depth of samples inside block `other`, or `depth` if that is more.

    Samples count only if they are inside block `own` as well; own = -1 if they are on its surface anyway.
    """
    first, last = start[other], start[other + 1]
    for s in range(begin, end):
        x, y, z = sample[s, 0], sample[s, 1], sample[s, 2]
        boxed = True
        for i in range(3):
            boxed = boxed and lower[other, i] + margin < sample[s, i] < upper[other, i] - margin
        if boxed:
            d = _to_surface(triangle, first, last, x, y, z)
            if d > depth and winding(triangle, first, last, x, y, z) > 0.5:
                if own < 0 or winding(triangle, start[own], start[own + 1], x, y, z) > 0.5:
                    depth = d
    return depth


@njit(cache=True, nogil=True, error_model="numpy")
def _edge_samples(point, edge, begin, end, triangle, first, last, sample):
    """Middles of the parts into which the triangles of another block cut the edges of a block; returns how many."""
    count = 0
    for e in range(begin, end):
        p, q = point[edge[e, 0]], point[edge[e, 1]]
        here = 0.0
        while here < 1.0 and count < sample.shape[0]:
            following = 1.0
            for t in range(first, last):
                s = _crossing(triangle, t, p, q)
                if here < s < following:
                    following = s
            for i in range(3):
                sample[count, i] = p[i] + 0.5 * (here + following) * (q[i] - p[i])
            count += 1
            here = following
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def sampled_depths(
    point, vertex_start, behind, edge, edge_start, triangle, triangle_start, lower, upper, pairs, margin, depth
):
    """Depths [m] (P,) of pairs of any blocks, from below: of the deepest sample.

    triangle (T, 3, 3), triangle_start (B + 1,) : boundaries of the blocks; behind (T, 3): a point behind each triangle
    """
    middles = np.empty((4096, 3))
    zero, none = np.int64(0), np.int64(-1)  # plain constants would have `_deepest` compiled for each
    for p in range(pairs.shape[0]):
        d = 0.0
        for side in range(2):
            a, b = pairs[p, side], pairs[p, 1 - side]
            begin, end = vertex_start[a], vertex_start[a + 1]
            d = _deepest(point, begin, end, triangle, triangle_start, none, b, lower, upper, margin[p], d)
            begin, end = triangle_start[a], triangle_start[a + 1]
            d = _deepest(behind, begin, end, triangle, triangle_start, a, b, lower, upper, margin[p], d)
            begin, end = edge_start[a], edge_start[a + 1]
            n = _edge_samples(point, edge, begin, end, triangle, triangle_start[b], triangle_start[b + 1], middles)
            d = _deepest(middles, zero, n, triangle, triangle_start, none, b, lower, upper, margin[p], d)
        depth[p] = d
