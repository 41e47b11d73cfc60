"""Pairs of blocks that share volume."""

import numpy as np

from nscd_engine.kernels.contacts.overlap import convex_depths, sampled_depths


def find_overlaps(poly, facets, edges, pairs, margin, lower, upper):
    """Pairs that overlap by more than the margin, as [(a, b, depth [m])].

    Parameters
    ----------
    poly : Polyhedra; facets : Facets; edges : function without arguments that gives the Edges
    pairs : array (P, 2); margin : array (P,) [m]; lower, upper : arrays (B, 3): boxes
    """
    a, b = pairs.T
    common = np.minimum(upper[a], upper[b]) - np.maximum(lower[a], lower[b])
    deep = np.flatnonzero((common > margin[:, None]).all(axis=1))
    if len(deep) == 0:
        return []
    edge = edges()
    convex = facets.convex[a[deep]] & facets.convex[b[deep]]
    depth = np.zeros(len(pairs))
    chosen = deep[convex]
    some, least = np.zeros(len(chosen)), margin[chosen]
    vertex_start = poly.vertex_start.astype(np.int64)
    planes = facets.block_start, facets.normal, facets.origin
    convex_depths(poly.vertices, vertex_start, pairs[chosen], least, *planes, edge.start, edge.edge, some)
    depth[chosen] = some
    chosen = deep[~convex]
    if len(chosen):
        depth[chosen] = _sampled(poly, facets, edge, pairs[chosen], margin[chosen], lower, upper)
    found = np.flatnonzero(depth > margin)
    return [(int(a[k]), int(b[k]), float(depth[k])) for k in found]


def _sampled(poly, facets, edge, pairs, margin, lower, upper):
    triangle, start = _triangles(poly, facets)
    behind = _behind(triangle, np.repeat(np.linalg.norm(upper - lower, axis=1), np.diff(start)))
    depth = np.zeros(len(pairs))
    vertex_start = poly.vertex_start.astype(np.int64)
    boundary = triangle, start, lower, upper
    sampled_depths(poly.vertices, vertex_start, behind, edge.edge, edge.start, *boundary, pairs, margin, depth)
    return depth


def _triangles(poly, facets):
    """Triangles of the boundaries, ordered by block: (T, 3, 3), start (B + 1,). Warped facets as their fans."""
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
    """Points a fiftieth of the block behind the middles of triangles (T, 3).

    They find blocks that coincide: no vertex of one is then inside the other.
    """
    normal = np.cross(triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), np.finfo(float).tiny)[:, None]
    return triangle.mean(axis=1) - 0.02 * size[:, None] * normal
