"""Distance of two disjoint convex polyhedra: Gilbert, Johnson, Keerthi 1988.

The polyhedra are disjoint if and only if the origin is outside their Minkowski difference A - B. The algorithm moves a
simplex of at most four points of the difference towards the origin; the nearest point of a simplex is inside it or on
one of its sides. It ends when no vertex of the difference is closer to the origin than the plane through the present
nearest point. For polyhedra this takes finitely many steps.
"""

import math

import numpy as np

from nscd_engine.kernels.geometry.hull import along, difference, support
from nscd_engine.kernels.jit import inner

#: Most steps [-]; then the best point so far is returned. Polyhedra of 20 vertices need about 6. Smaller: distances of
#: polyhedra with very many vertices are too great.
MAX_STEPS = 100
#: Relative error of the squared distance at which to stop [-]. Larger: less accurate. Smaller: rounding errors prevent
#: the end.
ACCURACY = 1e-14


@inner
def try_point(s, trial, weight, best):
    """Take the weights `trial` if the squared distance [m2] of their point is below `best`; returns the smaller one."""
    total = 0.0
    for d in range(3):
        x = trial[0] * s[0, d] + trial[1] * s[1, d] + trial[2] * s[2, d] + trial[3] * s[3, d]
        total += x * x
    if total < best:
        for k in range(4):
            weight[k] = trial[k]
        return total
    return best


@inner
def try_segment(s, i, j, trial, weight, best):
    """Nearest point of the segment s[i] s[j]."""
    x, y, z = difference(s, i, j)
    length2, ahead = x * x + y * y + z * z, -along(s, i, x, y, z)
    t = 0.0 if ahead <= 0.0 else 1.0 if ahead >= length2 else ahead / length2
    for k in range(4):
        trial[k] = 0.0
    trial[i], trial[j] = 1.0 - t, t
    return try_point(s, trial, weight, best)


@inner
def try_triangle(s, i, j, k, trial, weight, best):
    """Nearest point of the triangle s[i] s[j] s[k], by the signs of its barycentric coordinates."""
    bx, by, bz = difference(s, i, j)
    cx, cy, cz = difference(s, i, k)
    d1, d2 = -along(s, i, bx, by, bz), -along(s, i, cx, cy, cz)
    d3, d4 = -along(s, j, bx, by, bz), -along(s, j, cx, cy, cz)
    d5, d6 = -along(s, k, bx, by, bz), -along(s, k, cx, cy, cz)
    a, b, c = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if a > 0.0 and b > 0.0 and c > 0.0:
        total = a + b + c
        for m in range(4):
            trial[m] = 0.0
        trial[i], trial[j], trial[k] = a / total, b / total, c / total
        return try_point(s, trial, weight, best)
    for side in range(3):
        p = i if side == 0 else j if side == 1 else k
        q = j if side == 0 else k if side == 1 else i
        best = try_segment(s, p, q, trial, weight, best)
    return best


@inner
def nearest_point(s, count, trial, weight):
    """Weights of the point of the simplex s[:count] nearest to the origin; its squared distance."""
    best = np.inf
    if count == 2:
        return try_segment(s, 0, 1, trial, weight, best)
    # The origin is outside: the nearest point of a tetrahedron is on one of its triangles.
    for skip in range(3 if count == 3 else 0, 4):
        i, j, k = (1 if skip == 0 else 0), (2 if skip <= 1 else 1), (3 if skip <= 2 else 2)
        best = try_triangle(s, i, j, k, trial, weight, best)
    return best


@inner
def closest_points(va, vb, pa, pb):
    """Distance [m] of two disjoint convex hulls; writes their nearest points into row 0 of pa, pb.

    va (v, 3) and vb (w, 3) are their vertices, in the same axes. The caller knows a separating axis: whether the origin
    is inside a flat tetrahedron cannot be decided because of rounding errors.
    """
    s, at = np.zeros((4, 3)), np.zeros((4, 2), np.int64)
    weight, trial = np.zeros(4), np.zeros(4)
    v = np.zeros(3)
    weight[0] = 1.0
    count, d2, new = 0, np.inf, 0.0
    i = j = 0
    for _ in range(MAX_STEPS):
        for d in range(3):
            s[count, d] = va[i, d] - vb[j, d]
        at[count, 0], at[count, 1] = i, j
        count += 1
        new = s[0, 0] ** 2 + s[0, 1] ** 2 + s[0, 2] ** 2 if count == 1 else nearest_point(s, count, trial, weight)
        if new >= d2:  # rounding: the last point was the best
            break
        d2 = new
        count = shrink(s, at, weight)
        for d in range(3):
            pa[0, d] = pb[0, d] = 0.0
            for k in range(count):
                pa[0, d] += weight[k] * va[at[k, 0], d]
                pb[0, d] += weight[k] * vb[at[k, 1], d]
            v[d] = pa[0, d] - pb[0, d]
        i = support(va, -v[0], -v[1], -v[2])
        j = support(vb, v[0], v[1], v[2])
        if d2 - along(va, i, v[0], v[1], v[2]) + along(vb, j, v[0], v[1], v[2]) <= ACCURACY * d2:
            break
    return math.sqrt(d2)


@inner
def shrink(s, at, weight):
    """Keep only the corners with a weight above 0; returns their number."""
    count = 0
    for k in range(4):
        w = weight[k]
        weight[k] = 0.0
        if w > 0.0:
            for d in range(3):
                s[count, d] = s[k, d]
            at[count, 0], at[count, 1], weight[count] = at[k, 0], at[k, 1], w
            count += 1
    return count
