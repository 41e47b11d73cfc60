"""Pairs of blocks that share volume."""

from __future__ import annotations

from typing import List, Tuple

import numpy as np

from nscd_engine.contacts.facing import Surroundings
from nscd_engine.kernels.contacts.overlap import Solids, Surfaces, convex_depths, sampled_depths

#: Work of the samples of a pair of blocks, over the product of the numbers of their triangles [pairs of facets].
SAMPLES = 3.0
#: Distance of a sample behind a triangle, over the size of the block [-]. Larger: overlaps of thin blocks are missed.
#: Smaller: samples of blocks that nearly coincide are within the margin.
BEHIND = 0.02


def find_overlaps(around: Surroundings, pairs: np.ndarray, margin: np.ndarray) -> List[Tuple[int, int, float]]:
    """Pairs that overlap by more than the margin, as [(a, b, depth [m])].

    Parameters
    ----------
    around : Surroundings
        With polyhedra; their edges are asked for only if there is a pair to examine.
    pairs : array (P, 2)
    margin : array (P,)
        [m]
    """
    poly, facets, edges, lower, upper = around[:5]
    assert facets is not None and edges is not None
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
    cost = np.diff(facets.block_start)[pairs[chosen]].sum(axis=1)
    depth[chosen] = _depths(around.stream, convex_depths, (solids,), pairs[chosen], margin[chosen], cost)
    chosen = deep[~convex]
    if len(chosen):
        surfaces = _surfaces(poly, facets, lower, upper, around.stream.monitor.signal)
        cost = SAMPLES * np.diff(surfaces.start)[pairs[chosen]].prod(axis=1)
        both = (solids, surfaces)
        depth[chosen] = _depths(around.stream, sampled_depths, both, pairs[chosen], margin[chosen], cost)
    found = np.flatnonzero(depth > margin)
    return [(int(a[k]), int(b[k]), float(depth[k])) for k in found]


def _depths(stream, kernel, solids, pairs, margin, cost):
    """Depths (P,) [m] of pairs (P, 2) by a kernel, in runs of a cost (P,)."""
    depth = np.zeros(len(pairs))
    stream.runs("overlaps", cost, lambda rows: kernel(*solids, pairs[rows], margin[rows], depth[rows]))
    return depth


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


def _surfaces(poly, facets, lower, upper, signal):
    triangle, start = _triangles(poly, facets)
    behind = _behind(triangle, np.repeat(np.linalg.norm(upper - lower, axis=1), np.diff(start)))
    return Surfaces(triangle, start, behind, lower, upper, signal)


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
