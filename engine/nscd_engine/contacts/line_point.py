"""Line and point contacts of blocks that share no patch."""

from __future__ import annotations

import numpy as np

from nscd_engine.contacts.facing import Surroundings
from nscd_engine.contacts.patches import Patches
from nscd_engine.kernels.contacts.line_point import (
    CORNERS,
    Boxes,
    Features,
    Neighbours,
    PatchHulls,
    Places,
    Touches,
    find_filled,
    find_touches,
)


def _features(poly, facets, edges):
    """Features of the blocks for `find_touches`."""
    along = poly.vertices[edges.edge[:, 1]] - poly.vertices[edges.edge[:, 0]]
    along /= np.maximum(np.linalg.norm(along, axis=1), np.finfo(float).tiny)[:, None]
    inward = np.stack(
        [np.cross(facets.normal[edges.facet[:, 0]], along), -np.cross(facets.normal[edges.facet[:, 1]], along)], axis=1
    )
    vertex_start = poly.vertex_start.astype(np.int64)
    return Features(
        poly.vertices, vertex_start, edges.edge, edges.facet, edges.start, inward, facets.block_start, facets.normal,
        facets.origin, facets.piece_start, facets.corner_start, facets.corner,
    )  # fmt: skip


def touches_of(around: Surroundings, pairs: np.ndarray, eps: np.ndarray) -> Touches:
    """Line and point contacts of pairs of blocks, in the order of the pairs.

    Parameters
    ----------
    around : Surroundings
        With polyhedra.
    pairs : array (P, 2)
    eps : array (P,)
        Greatest distance [m].
    """
    facets, edges = around.facets, around.edges
    assert facets is not None and edges is not None
    features = _features(around.poly, facets, edges())
    boxes = Boxes(around.lower, around.upper, facets.lower, facets.upper)

    def found(rows: slice) -> Touches:
        some = _touches(features, boxes, pairs[rows], eps[rows])
        return some._replace(pair=some.pair + rows.start)

    cost = np.diff(edges().start)[pairs].prod(axis=1)
    several = [some for _, some in around.stream.runs("edges", cost, found)]
    return Touches(*(np.concatenate(fields) for fields in zip(*several)))


def _touches(features, boxes, pairs, eps):
    """Line and point contacts of pairs (P, 2) within distances eps (P,) [m]."""
    capacity = 4 * len(pairs) + 16
    while True:
        out = Touches(
            np.zeros(capacity, np.int64),
            np.zeros(capacity, np.int64),
            np.zeros((capacity, 3)),
            np.zeros((capacity, 2, 3)),
            np.zeros((capacity, 2)),
        )
        count = find_touches(features, pairs, eps, boxes, out)
        if count <= capacity:
            return Touches(*(field[:count] for field in out))
        capacity = count


def filled(
    blocks: int, pairs: np.ndarray, place: np.ndarray, eps: np.ndarray, body: np.ndarray, patches: Patches
) -> np.ndarray:
    """Whether a third block fills the angle at each place where two blocks touch; (n,) bool.

    Parameters
    ----------
    blocks : int
        Number of blocks.
    pairs : array (n, 2)
        The two blocks of each place.
    place : array (n, 3)
        [m]
    eps : array (n,)
        Tolerance of each place [m].
    body : array (I, 2)
        Blocks of the patches.
    patches : Patches
    """
    row = np.tile(np.arange(len(body)), 2)
    this, other = body.T.ravel(), body[:, ::-1].T.ravel()
    order = np.argsort(this, kind="stable")
    start = np.searchsorted(this[order], np.arange(blocks + 1))
    result = np.zeros(len(pairs), np.bool_)
    neighbours = Neighbours(start, other[order].astype(np.int64), row[order])
    point_start = patches.point_start.astype(np.int64)
    hulls = PatchHulls(patches.frame[:, 0].copy(), patches.centroid, patches.point, point_start)
    find_filled(Places(pairs.astype(np.int64), place, eps), neighbours, hulls, result)
    return result


def is_corner(touches: Touches) -> np.ndarray:
    """Which contacts are corner on corner, where the normal is not unique; (n,) bool."""
    return touches.kind == CORNERS


def as_patches(touches: Touches) -> Patches:
    """Line and point contacts as patches without area. t1 is along a line, any tangent at a point."""
    ends = touches.ends
    along = ends[:, 1] - ends[:, 0]
    line = np.einsum("ti,ti->t", along, along) > 0.0
    axis = np.eye(3)[np.argmin(np.abs(touches.normal), axis=1)]
    t1 = np.where(line[:, None], along, axis)
    t1 -= np.einsum("ti,ti->t", t1, touches.normal)[:, None] * touches.normal
    t1 /= np.linalg.norm(t1, axis=1)[:, None]
    frame = np.stack([touches.normal, t1, np.cross(touches.normal, t1)], axis=1)
    kept = np.stack([np.ones(len(line), bool), line], axis=1)
    start = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int32)
    nothing = np.zeros(len(line))
    none = np.full((len(line), 2), -1)
    middle, gap = ends.mean(axis=1), touches.gap.mean(axis=1)
    point = ends[kept]
    return Patches(
        touches.pair, none, frame, nothing, nothing, middle, gap, point, start, point, touches.gap[kept], start
    )
