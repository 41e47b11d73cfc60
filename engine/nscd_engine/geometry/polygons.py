"""Polygons in the plane of a joint."""

from __future__ import annotations

from typing import Tuple

import numpy as np


def plane_axes(normal: np.ndarray) -> np.ndarray:
    """Unit vectors (2, 3) perpendicular to a normal (3,), right-handed with it."""
    x = np.cross(np.eye(3)[np.argmin(np.abs(normal))], normal)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(normal, x)])


def polygon_centre(p: np.ndarray) -> np.ndarray:
    """Centroid (2,) of a convex polygon (n, 2)."""
    area, middle = quadrilaterals(np.stack([np.broadcast_to(p[0], p.shape), p, p, np.roll(p, -1, axis=0)], axis=1))
    return area @ middle / area.sum()


def quadrilaterals(corner: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Areas (F,) and centroids (F, 2) of quadrilaterals (F, 4, 2)."""
    p, q = corner, np.roll(corner, -1, axis=1)
    cross = p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0]
    area = 0.5 * cross.sum(axis=1)
    weighted = ((p + q) * cross[..., None]).sum(axis=1) / 6.0
    return area, weighted / np.where(area == 0.0, 1.0, area)[:, None]


def inside(points: np.ndarray, outline: np.ndarray) -> np.ndarray:
    """Which points (F, 2) are inside an outline (P, 2): their ray to the right crosses it an odd number of times."""
    a, b = outline, np.roll(outline, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    spans = (a[:, 1] > y) != (b[:, 1] > y)
    rise = np.where(a[:, 1] == b[:, 1], 1.0, b[:, 1] - a[:, 1])
    at = a[:, 0] + (y - a[:, 1]) / rise * (b[:, 0] - a[:, 0])
    return (spans & (x < at)).sum(axis=1) % 2 == 1


def twice_area(a: np.ndarray, b: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Signed double areas (n,) [m2] of triangles with sides a, b (n, 3), seen against the normals n (n, 3)."""
    return np.einsum("ci,ci->c", np.cross(a, b), n)


def ears(outline: np.ndarray) -> np.ndarray:
    """Triangles (n - 2, 3, 2) of any simple outline (n, 2), counter-clockwise, by cutting off the roundest ear."""
    left, found = list(range(len(outline))), []
    while len(left) > 3:
        rows = np.array([left, left[1:] + left[:1], left[2:] + left[:2]]).T
        a, b, c = outline[rows].transpose(1, 0, 2)
        sides = sum(np.einsum("ij,ij->i", side, side) for side in (b - a, c - b, a - c))
        shape = cross(b - a, c - a) / sides
        for k in np.argsort(-shape):
            others = outline[[i for i in left if i not in rows[k]]]
            if not inside(others, outline[rows[k]]).any():
                break
        found.append(rows[k])
        left.remove(rows[k, 1])
    return outline[np.array(found + [left])]


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a x b (...,) of vectors (..., 2) in the plane."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
