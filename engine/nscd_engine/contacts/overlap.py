"""Pairs of blocks that share volume."""

from __future__ import annotations

from typing import Callable, List, Tuple

import numpy as np

from nscd_engine.contacts.facets import Facets
from nscd_engine.contacts.line_point import Edges
from nscd_engine.core.structs import Polyhedra
from nscd_engine.kernels.contacts.overlap import Solids, Surfaces, convex_depths, sampled_depths

#: Distance of a sample behind a triangle, over the size of the block [-]. Larger: overlaps of thin blocks are missed.
#: Smaller: samples of blocks that nearly coincide are within the margin.
BEHIND = 0.02


def find_overlaps(
    poly: Polyhedra,
    facets: Facets,
    edges: Callable[[], Edges],
    pairs: np.ndarray,
    margin: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
) -> List[Tuple[int, int, float]]:
    """Pairs that overlap by more than the margin, as [(a, b, depth [m])].

    Parameters
    ----------
    poly : Polyhedra
    facets : Facets
    edges : callable
        Returns the Edges; called only if there is a pair to examine.
    pairs : array (P, 2)
    margin : array (P,)
        [m]
    lower, upper : arrays (B, 3)
        Bounding boxes [m].
    """
    a, b = pairs.T
    common = np.minimum(upper[a], upper[b]) - np.maximum(lower[a], lower[b])
    deep = np.flatnonzero((common > margin[:, None]).all(axis=1))
    if len(deep) == 0:
        return []
    edge = edges()
    solids = Solids(
        poly.vertices, poly.vertex_start.astype(np.int64), facets.block_start, facets.normal, facets.origin, edge.start,
        edge.edge,
    )  # fmt: skip
    convex = facets.convex[a[deep]] & facets.convex[b[deep]]
    depth = np.zeros(len(pairs))
    chosen = deep[convex]
    some = np.zeros(len(chosen))
    convex_depths(solids, pairs[chosen], margin[chosen], some)
    depth[chosen] = some
    chosen = deep[~convex]
    if len(chosen):
        some = np.zeros(len(chosen))
        sampled_depths(solids, _surfaces(poly, facets, lower, upper), pairs[chosen], margin[chosen], some)
        depth[chosen] = some
    found = np.flatnonzero(depth > margin)
    return [(int(a[k]), int(b[k]), float(depth[k])) for k in found]


def is_row(pairs: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Which of the pairs (P, 2) are among `some` (n, 2); (P,) bool."""
    count = int(max(pairs.max(initial=0), some.max(initial=0))) + 1
    return np.isin(pairs[:, 0] * count + pairs[:, 1], some[:, 0] * count + some[:, 1])


def too_deep(overlaps: list, pairs: np.ndarray, depth: np.ndarray) -> List[Tuple[int, int, float]]:
    """Overlaps that are deeper than their pair (P, 2) of blocks allows [m] (P,)."""
    if not overlaps:
        return []
    most = {(a, b): limit for (a, b), limit in zip(pairs.tolist(), depth.tolist())}
    return [each for each in overlaps if each[2] > most[each[0], each[1]]]


def _surfaces(poly, facets, lower, upper):
    triangle, start = _triangles(poly, facets)
    behind = _behind(triangle, np.repeat(np.linalg.norm(upper - lower, axis=1), np.diff(start)))
    return Surfaces(triangle, start, behind, lower, upper)


def _triangles(poly, facets):
    """Triangles of the boundaries by block, warped facets as their fans: (T, 3, 3) [m], start (B + 1,)."""
    size = np.diff(facets.corner_start)
    piece_facet = np.repeat(np.arange(len(facets.area)), np.diff(facets.piece_start))
    plane = np.diff(facets.fan_start)[piece_facet] == 0
    count = np.where(plane, size - 2, 0)
    piece = np.repeat(np.arange(len(size)), count)
    turn = np.arange(len(piece)) - np.repeat(np.cumsum(count) - count, count)
    base = facets.corner_start[piece]
    corner = facets.corner[np.stack([base, base + turn + 1, base + turn + 2], axis=1)]
    triangle = np.concatenate([poly.vertices[corner], facets.fan])
    fan_facet = np.repeat(np.arange(len(facets.area)), np.diff(facets.fan_start))
    facet = np.concatenate([piece_facet[piece], fan_facet])
    block = np.repeat(np.arange(len(facets.convex)), np.diff(facets.block_start))[facet]
    order = np.argsort(block, kind="stable")
    return triangle[order], np.searchsorted(block[order], np.arange(len(facets.convex) + 1))


def _behind(triangle, size):
    """Points (T, 3) [m] behind the middles of triangles, for blocks of size (T,) [m].

    They find blocks that coincide: then no vertex of one is inside the other.
    """
    normal = np.cross(triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), np.finfo(float).tiny)[:, None]
    return triangle.mean(axis=1) - BEHIND * size[:, None] * normal
