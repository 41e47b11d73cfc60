"""Areas, second moments and outlines of joints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from nscd_engine.core.structs import Interfaces
from nscd_engine.geometry.polygons import cross


class Sections(NamedTuple):
    """Joints as sections in their principal axes. I joints, E edges; joints without area have no edges."""

    frame: np.ndarray  # (I, 3, 3): rows n, t, w
    area: np.ndarray  # [m2] (I,)
    polar: np.ndarray  # [m4] (I,): second moment about n
    about_t: np.ndarray  # [m4] (I,): second moment about t
    about_w: np.ndarray  # [m4] (I,): second moment about w
    twist_modulus: np.ndarray  # [m3] (I,): polar moment over the greatest distance
    modulus_t: np.ndarray  # [m3] (I,): about t
    modulus_w: np.ndarray  # [m3] (I,): about w
    start: np.ndarray  # (I + 1,) int64
    edge: np.ndarray  # [-, -, m] (E, 3): outward normals along t and w, and distances from the centroid
    corner: np.ndarray  # [m] (E, 2): along t and w


def sections(joints: Interfaces, frame: np.ndarray) -> Sections:
    """Sections of joints whose contacts have the given frames (I, 3, 3)."""
    area = np.where(np.diff(joints.polygon_start) > 2, joints.area, 0.0)
    flat, start = _outlines(joints, frame, area)
    tt, ww, tw = _second_moments(flat, start)
    turn = 0.5 * np.arctan2(2.0 * tw, tt - ww)
    cos, sin = np.cos(turn), np.sin(turn)
    t, w = (
        cos[:, None] * frame[:, 1] + sin[:, None] * frame[:, 2],
        cos[:, None] * frame[:, 2] - sin[:, None] * frame[:, 1],
    )
    of = np.repeat(np.arange(len(area)), np.diff(start))
    x, y = flat.T
    flat = np.column_stack([cos[of] * x + sin[of] * y, cos[of] * y - sin[of] * x])
    flat, start = _convex(flat, start)
    mean, half = 0.5 * (tt + ww), np.hypot(0.5 * (tt - ww), tw)
    about_t, about_w = np.maximum(mean - half, 0.0), mean + half
    far_t, far_w, far = _extents(flat, start)
    return Sections(
        frame=np.stack([frame[:, 0], t, w], axis=1),
        area=area,
        polar=2.0 * mean,
        about_t=about_t,
        about_w=about_w,
        twist_modulus=2.0 * mean / far,
        modulus_t=about_t / far_w,
        modulus_w=about_w / far_t,
        start=start,
        edge=_edges(flat, start),
        corner=flat,
    )


def _outlines(joints, frame, area):
    """Outlines (E, 2) of the joints with an area about their centroids, along t1 and t2, and their starts (I + 1,)."""
    count = np.diff(joints.polygon_start)
    of = np.repeat(np.arange(len(count)), count)
    used = area[of] > 0.0
    of = of[used]
    offset = joints.polygon[used] - joints.centroid[of]
    flat = np.einsum("ei,eki->ek", offset, frame[of, 1:])
    return flat, np.concatenate([[0], np.cumsum(np.where(area > 0.0, count, 0))]).astype(np.int64)


def _following(start):
    """Number of the next corner of every corner (E,)."""
    after = np.arange(start[-1]) + 1
    some = np.flatnonzero(np.diff(start))
    after[start[some + 1] - 1] = start[some]
    return after


def _second_moments(p, start):
    """Integrals of t^2, w^2 and t w over outlines (E, 2) [m4] (I,) each."""
    q = p[_following(start)]
    of = np.repeat(np.arange(len(start) - 1), np.diff(start))
    (x, y), (u, v) = p.T, q.T
    twice = x * v - y * u
    terms = (
        (x * x + x * u + u * u) / 12.0,
        (y * y + y * v + v * v) / 12.0,
        (x * v + 2.0 * x * y + 2.0 * u * v + u * y) / 24.0,
    )
    return [np.bincount(of, twice * term, minlength=len(start) - 1) for term in terms]


def _convex(p, start):
    """The outlines with their notches filled: where pressure may be centred."""
    after = _following(start)
    side = p[after] - p
    notched = np.flatnonzero(cross(side, side[after]) <= 0.0)
    if not len(notched):
        return p, start
    rows = [np.arange(a, b) for a, b in zip(start[:-1], start[1:])]
    for i in np.unique(np.searchsorted(start, notched, side="right") - 1):
        rows[i] = rows[i][ConvexHull(p[rows[i]]).vertices]
    return p[np.concatenate(rows)], np.cumsum([0] + [len(own) for own in rows]).astype(np.int64)


def _edges(p, start):
    """Outward normals and distances from the centroid (E, 3) of the edges of outlines (E, 2)."""
    side = p[_following(start)] - p
    length = np.hypot(side[:, 0], side[:, 1])
    x, y = side[:, 1] / length, -side[:, 0] / length
    return np.column_stack([x, y, x * p[:, 0] + y * p[:, 1]])


def _extents(p, start):
    """Greatest distances along t, along w, and of a corner [m] (I,) each; 1 without an outline."""
    some = np.flatnonzero(np.diff(start))
    found = np.ones((3, len(start) - 1))
    if len(some):
        sizes = np.column_stack([np.abs(p), np.hypot(p[:, 0], p[:, 1])])
        found[:, some] = np.maximum.reduceat(sizes, start[some]).T
    return found
