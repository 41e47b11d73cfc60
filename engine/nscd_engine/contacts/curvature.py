"""Curved surfaces of meshed blocks: how far a facet is from the surface that it approximates.

Two blocks that meet in one curved surface are often meshed differently on either side. Their facets are then neither
parallel nor in one plane, though the surfaces are the same. Where neighbouring facets of a block turn by a small angle,
they approximate a curved surface: its normal deviates from theirs by half the angle, and its points by the sagitta.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.contacts.edges import Edges
from nscd_engine.contacts.facets import Facets
from nscd_engine.core.components import components

#: Greatest angle between neighbouring facets of one curved surface [rad]. Larger: the corners of octagonal blocks are
#: taken as curved. Smaller: coarse meshes of curved surfaces lose their joints.
SMOOTH = 0.6
#: Least angle [rad]. Larger: finely meshed surfaces count as plane. Smaller: rounding makes plane surfaces curved.
FLAT = 1e-4
#: Number of facets above which a block may have a curved surface [-]. Smaller: every box is examined.
BOX = 6
#: Least number of facets of a curved surface [-]. Larger: coarse meshes lose joints. Smaller: a joint that is folded
#: once counts as curved, and its parts touch what they only lean towards.
FACETS = 4


def may_be_curved(facets: Facets) -> bool:
    """Whether any block has more facets than a box."""
    return bool((np.diff(facets.block_start) > BOX).any())


def with_curvature(facets: Facets, edges: Edges, points: np.ndarray) -> Facets:
    """Facets with `turn` and `bulge` of the curved surfaces that they approximate.

    Parameters
    ----------
    facets : Facets
    edges : Edges
    points : array (V, 3)
        Vertices of the blocks [m].
    """
    many = np.repeat(np.diff(facets.block_start) > BOX, np.diff(facets.block_start))
    cosine = np.einsum("ei,ei->e", facets.normal[edges.facet[:, 0]], facets.normal[edges.facet[:, 1]])
    angle = np.arccos(np.clip(cosine, -1.0, 1.0))
    smooth = np.flatnonzero((angle > FLAT) & (angle < SMOOTH) & many[edges.facet[:, 0]])
    smooth = smooth[_in_surfaces(edges.facet[smooth], len(facets.area))]
    length = np.linalg.norm(points[edges.edge[smooth, 1]] - points[edges.edge[smooth, 0]], axis=1)
    turn, bulge = np.zeros(len(facets.area)), np.zeros(len(facets.area))
    for side in range(2):
        facet = edges.facet[smooth, side]
        # A triangle is 2 A / l wide at right angles to an edge of length l; the sagitta of a chord w is w angle / 8.
        width = 2.0 * facets.area[facet] / np.maximum(length, np.finfo(float).tiny)
        across = np.minimum(width, np.linalg.norm(facets.upper[facet] - facets.lower[facet], axis=1))
        np.maximum.at(turn, facet, angle[smooth])
        np.maximum.at(bulge, facet, across * angle[smooth] / 8.0)
    return facets._replace(turn=turn, bulge=bulge)


def _in_surfaces(facet, count):
    """Which of the edges between two facets (E, 2) belong to a surface of several facets; (E,) bool."""
    part = components(*facet.T, count)
    return np.bincount(part)[part[facet[:, 0]]] >= FACETS


def both_curved(facets: Facets, facet: np.ndarray) -> np.ndarray:
    """Distance [m] (M,) that pairs of facets (M, 2) of two curved surfaces are off; 0 if one of them is plane."""
    bulge = facets.bulge[facet]
    return np.where((bulge > 0.0).all(axis=1), bulge.sum(axis=1), 0.0)
