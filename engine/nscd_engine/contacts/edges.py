"""Edges of blocks: where two facets meet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nscd_engine.contacts.facets import Facets
from nscd_engine.core.structs import Polyhedra


class Edges(NamedTuple):
    """Edges between two facets of a block. E edges."""

    edge: np.ndarray  # (E, 2) int64: vertices i, j
    facet: np.ndarray  # (E, 2) int64: left and right of i -> j, seen from outside
    start: np.ndarray  # (B + 1,) int64: edges of block k


def block_edges(poly: Polyhedra, facets: Facets) -> Edges:
    """Edges of all blocks where two facets meet; edges inside a facet do not count."""
    start, corner = poly.face_start, poly.face_vertices.astype(np.int64)
    following = np.arange(1, len(corner) + 1)
    following[start[1:] - 1] = start[:-1]
    facet = np.repeat(facets.of_face, np.diff(start))
    i, j = corner, corner[following]
    # The gate ensures that i -> j and j -> i each occur once: sorted by their ends, the two sides match row by row.
    forward, backward = np.flatnonzero(i < j), np.flatnonzero(i > j)
    count = len(poly.vertices)
    forward = forward[np.argsort(i[forward] * count + j[forward])]
    backward = backward[np.argsort(j[backward] * count + i[backward])]
    rim = facet[forward] != facet[backward]
    forward, backward = forward[rim], backward[rim]
    edge = np.stack([i[forward], j[forward]], axis=1)
    edge_start = np.searchsorted(edge[:, 0], poly.vertex_start)
    return Edges(edge, np.stack([facet[forward], facet[backward]], axis=1), edge_start)
