"""Contact points that integrate over a joint: a joint with springs or a bond is a section, not its corners.

The joint is divided into triangles. A triangle of area A has a point of weight A/12 at each corner and one of 3A/4 at
its centroid: area, first and second moments are exact. Springs of the points then have the stiffness k A, and in
bending k I, of the section. Corners of the joint are among the points, so that it can hinge about its edges, and a
bond begins to crack where M = ft W.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from nscd_engine.geometry.polygons import cross, triangles

#: Share of a triangle at each of its corners [-]; the rest is at its centroid. Another share: second moments are wrong.
AT_CORNER = 1.0 / 12.0
#: Distance of points over the size of the joint below which they are one [-].
SAME = 1e-9


def section_points(outline: np.ndarray, halvings: int = 0) -> Tuple[np.ndarray, np.ndarray]:
    """Points (F, 2) and areas (F,) of a joint.

    Parameters
    ----------
    outline : array (n, 2)
        Counter-clockwise; it may have notches.
    halvings : int, optional
        How often the sides of the triangles are halved.
    """
    parts = triangles(outline)
    for _ in range(halvings):
        parts = _quartered(parts)
    area = 0.5 * cross(parts[:, 1] - parts[:, 0], parts[:, 2] - parts[:, 0])
    point = np.concatenate([parts.reshape(-1, 2), parts.mean(axis=1)])
    weight = np.concatenate([np.repeat(AT_CORNER * area, 3), (1.0 - 3.0 * AT_CORNER) * area])
    return _merged(point, weight, SAME * np.ptp(outline, axis=0).max())


def _quartered(parts):
    """Triangles (4 T, 3, 2) between corners and middles of sides of triangles (T, 3, 2)."""
    middle = 0.5 * (parts + np.roll(parts, -1, axis=1))
    corners = [np.stack([parts[:, k], middle[:, k], middle[:, k - 1]], axis=1) for k in range(3)]
    return np.concatenate(corners + [middle])


def _merged(point, weight, distance):
    """Points closer than a distance as one, with the sum of their weights."""
    order = np.rint((point - point.min(axis=0)) / (2.0 * distance)).astype(np.int64)
    _, first, of = np.unique(order, axis=0, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # in the order in which they come
    total = np.bincount(rank[of.ravel()], weight)
    return point[np.sort(first)], total
