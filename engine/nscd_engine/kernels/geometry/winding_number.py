"""Winding number of a closed surface: 1 inside, 0 outside."""

import math

from numba import njit


@njit(cache=True, nogil=True, error_model="numpy")
def winding(triangle, begin, end, x, y, z):
    """Winding number about a point, from the solid angles of the triangles begin:end of a closed surface (T, 3, 3) [m].

    The solid angle is that of Van Oosterom and Strackee (1983).
    """
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
