"""Contact points that integrate over a joint: a joint with springs or a bond is a section, not its corners.

The joint is divided into triangles. A triangle of area A has a point of weight A/12 at each corner and one of 3A/4 at
its centroid: area, first and second moments are exact. Springs of the points then have the stiffness k A, and in
bending k I, of the section. Corners of the joint are among the points, so that it can hinge about its edges, and a
bond begins to crack where M = ft W.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Sequence, Tuple

import numpy as np

from nscd_engine.geometry.polygons import cross, ears

#: Share of a triangle at each of its corners [-]; the rest is at its centroid. Another share: second moments are wrong.
AT_CORNER = 1.0 / 12.0
#: Distance of points over the size of the joint below which they are one [-].
SAME = 1e-9


class FanRule(NamedTuple):
    """Points of the fan of triangles between the n sides of an outline and its centroid."""

    place: np.ndarray  # [-] (F, n + 1): points as sums of the corners and the centroid
    share: np.ndarray  # [-] (F, n): areas of the points as sums of those of the triangles


def sections(outlines: Sequence[np.ndarray], halvings: Sequence[int]) -> list[Tuple[np.ndarray, np.ndarray]]:
    """Points (F, 2) and areas (F,) of joints with outlines (n, 2), as `section_points`; alike ones together."""
    alike: dict = {}
    for k, outline in enumerate(outlines):
        alike.setdefault((len(outline), max(halvings[k], 0)), []).append(k)
    found: list = [None] * len(outlines)
    for (n, times), rows in alike.items():
        given = np.array([outlines[k] for k in rows])
        following = np.roll(given, -1, axis=1)
        size = cross(given, following)
        centre = np.einsum("jn,jni->ji", size, given + following) / (3.0 * size.sum(axis=1))[:, None]
        area = 0.5 * cross(given - centre[:, None], following - centre[:, None])
        rule = fan_rule(n, times)
        point = rule.place @ np.concatenate([given, centre[:, None]], axis=1)
        weight = area @ rule.share.T
        for j, k in enumerate(rows):
            seen = bool((area[j] > 0.0).all())  # the centroid sees every side
            found[k] = (point[j], weight[j]) if seen else _by_ears(outlines[k], times)
    return found


def section_points(outline: np.ndarray, halvings: int = 0) -> Tuple[np.ndarray, np.ndarray]:
    """Points (F, 2) and areas (F,) of a joint.

    Parameters
    ----------
    outline : array (n, 2)
        Counter-clockwise; it may have notches.
    halvings : int, optional
        How often the sides of the triangles are halved.
    """
    return sections([outline], [halvings])[0]


@lru_cache(maxsize=64)
def fan_rule(corners: int, halvings: int) -> FanRule:
    """The rule of an outline with so many corners."""
    base = np.eye(corners + 1)
    sides = np.stack([np.broadcast_to(base[-1], (corners, corners + 1)), base[:-1], np.roll(base[:-1], -1, axis=0)])
    parts, share = sides.transpose(1, 0, 2), np.eye(corners)
    for _ in range(halvings):
        parts, share = _quartered(parts), np.tile(0.25 * share, (4, 1))
    place = np.concatenate([parts.reshape(-1, corners + 1), parts.mean(axis=1)])
    share = np.concatenate([np.repeat(AT_CORNER * share, 3, axis=0), (1.0 - 3.0 * AT_CORNER) * share])
    _, first, of = np.unique(place, axis=0, return_index=True, return_inverse=True)
    total = np.zeros((len(first), corners))
    np.add.at(total, of.ravel(), share)
    order = np.argsort(first)  # in the order in which they come
    return FanRule(place[first[order]], total[order])


def _by_ears(outline, halvings):
    """As `section_points`, of an outline whose centroid does not see every side."""
    parts = ears(outline)
    for _ in range(halvings):
        parts = _quartered(parts)
    area = 0.5 * cross(parts[:, 1] - parts[:, 0], parts[:, 2] - parts[:, 0])
    point = np.concatenate([parts.reshape(-1, 2), parts.mean(axis=1)])
    weight = np.concatenate([np.repeat(AT_CORNER * area, 3), (1.0 - 3.0 * AT_CORNER) * area])
    return _merged(point, weight, SAME * np.ptp(outline, axis=0).max())


def _quartered(parts):
    """Triangles (4 T, 3, d) between corners and middles of sides of triangles (T, 3, d)."""
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
