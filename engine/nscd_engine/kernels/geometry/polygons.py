"""Polygons in a plane: clipping, cleaning, hull. A polygon is the first rows of a buffer (n, 2), counter-clockwise.

Convex against convex after Sutherland and Hodgman (1974); hull after Andrew (1979).
"""

import math

from nscd_engine.kernels.jit import inner


@inner
def clip_half_plane(polygon, count, a, b, c, out):
    """The part of a convex polygon where a x + b y + c >= 0; returns its number of corners."""
    m = 0
    for k in range(count):
        j = k + 1 if k + 1 < count else 0
        dk = a * polygon[k, 0] + b * polygon[k, 1] + c
        dj = a * polygon[j, 0] + b * polygon[j, 1] + c
        if dk >= 0.0:
            out[m, 0] = polygon[k, 0]
            out[m, 1] = polygon[k, 1]
            m += 1
        if (dk < 0.0 < dj) or (dj < 0.0 < dk):
            s = dk / (dk - dj)
            out[m, 0] = polygon[k, 0] + s * (polygon[j, 0] - polygon[k, 0])
            out[m, 1] = polygon[k, 1] + s * (polygon[j, 1] - polygon[k, 1])
            m += 1
    return m


@inner
def clip_convex(subject, count, clip, clip_count, work):
    """Cut a convex polygon to a convex polygon, in place; buffers hold at least count + clip_count rows."""
    for k in range(clip_count):
        if count < 3:
            return 0
        j = k + 1 if k + 1 < clip_count else 0
        # Left of the edge k -> j, measured as a distance.
        dx, dy = clip[j, 0] - clip[k, 0], clip[j, 1] - clip[k, 1]
        length = math.sqrt(dx * dx + dy * dy)
        if length == 0.0:
            continue
        a, b = -dy / length, dx / length
        m = clip_half_plane(subject, count, a, b, -a * clip[k, 0] - b * clip[k, 1], work)
        for i in range(m):
            subject[i, 0] = work[i, 0]
            subject[i, 1] = work[i, 1]
        count = m
    return count


@inner
def area_centroid(polygon, count):
    """Signed area and centroid; coordinates are relative to the first corner, against cancellation."""
    x0, y0 = polygon[0, 0], polygon[0, 1]
    area = mx = my = 0.0
    for k in range(1, count - 1):
        ax, ay = polygon[k, 0] - x0, polygon[k, 1] - y0
        bx, by = polygon[k + 1, 0] - x0, polygon[k + 1, 1] - y0
        d = ax * by - ay * bx
        area += 0.5 * d
        mx += d * (ax + bx) / 6.0
        my += d * (ay + by) / 6.0
    if area == 0.0:
        return 0.0, x0, y0
    return area, x0 + mx / area, y0 + my / area


@inner
def diameter(polygon, count):
    """Greatest distance of two corners."""
    most = 0.0
    for i in range(count):
        for j in range(i):
            dx, dy = polygon[i, 0] - polygon[j, 0], polygon[i, 1] - polygon[j, 1]
            most = max(most, dx * dx + dy * dy)
    return math.sqrt(most)


@inner
def clean(polygon, count, tolerance):
    """Remove, in place, corners within the tolerance of the line through their neighbours; returns the number left."""
    k = 0
    kept = 0  # corners passed in a row without a removal
    while count > 2 and kept < count:
        k %= count
        i = k - 1 if k > 0 else count - 1
        j = k + 1 if k + 1 < count else 0
        dx, dy = polygon[j, 0] - polygon[i, 0], polygon[j, 1] - polygon[i, 1]
        ex, ey = polygon[k, 0] - polygon[i, 0], polygon[k, 1] - polygon[i, 1]
        fx, fy = polygon[k, 0] - polygon[j, 0], polygon[k, 1] - polygon[j, 1]
        off = abs(dx * ey - dy * ex)
        near = tolerance * math.sqrt(dx * dx + dy * dy)
        doubled = min(ex * ex + ey * ey, fx * fx + fy * fy) <= tolerance * tolerance
        if doubled or (off <= near and ex * fx + ey * fy <= 0.0):
            for m in range(k, count - 1):
                polygon[m, 0] = polygon[m + 1, 0]
                polygon[m, 1] = polygon[m + 1, 1]
            count -= 1
            kept = 0
        else:
            k += 1
            kept += 1
    return count


@inner
def convex_hull(polygon, count, tolerance, out):
    """Corners of the convex hull, counter-clockwise from the least (x, y), without nearly collinear ones.

    Sorts the polygon in place. `out` holds count + 1 rows.
    """
    for k in range(1, count):
        x, y = polygon[k, 0], polygon[k, 1]
        i = k - 1
        while i >= 0 and (polygon[i, 0] > x or (polygon[i, 0] == x and polygon[i, 1] > y)):
            polygon[i + 1, 0] = polygon[i, 0]
            polygon[i + 1, 1] = polygon[i, 1]
            i -= 1
        polygon[i + 1, 0] = x
        polygon[i + 1, 1] = y
    m = 0
    base = 1  # corners that the second chain may not remove
    for step in range(2 * count - 1):
        k = step if step < count else 2 * count - 2 - step
        if step == count:
            base = m
        while m > base:
            dx, dy = polygon[k, 0] - out[m - 2, 0], polygon[k, 1] - out[m - 2, 1]
            ex, ey = out[m - 1, 0] - out[m - 2, 0], out[m - 1, 1] - out[m - 2, 1]
            if ex * dy - ey * dx > 0.0:
                break
            m -= 1
        out[m, 0] = polygon[k, 0]
        out[m, 1] = polygon[k, 1]
        m += 1
    return clean(out, m - 1, tolerance)
