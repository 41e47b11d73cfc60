"""Tetrahedra of concave and scanned blocks by the optional library pytetwild (fTetWild, Hu et al. 2020)."""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np

from compas_nscd.errors import GeometryError, NotAvailableError
from nscd_engine.geometry.convex_cells import surface_triangles

#: Length of edges over the diagonal of the bounding box, for one element an edge [-]. Larger: thin parts have one
#: element across. Smaller: thousands of elements.
EDGE = 0.25
#: Distance that the surface may move, over the diagonal [-]. Larger: edges are rounded. Smaller: minutes.
ENVELOPE = 1e-3


def tetrahedra_of(
    vertices: np.ndarray, faces: Sequence[Sequence[int]], refine: int, name: str
) -> Tuple[np.ndarray, np.ndarray]:
    """Nodes [m] (n, 3) and tetrahedra (e, 4) int32 of any closed polyhedron.

    Parameters
    ----------
    vertices : array (v, 3)
        [m]
    faces : list of lists
        Rows of vertices, counter-clockwise from outside.
    refine : int
        Elements along an edge of the block; divides EDGE.
    name : str
        Of the block, for errors.
    """
    try:
        from pytetwild import tetrahedralize
    except ImportError:
        raise NotAvailableError(
            "Block '{}' is not seen whole from its centroid: dividing it into elements needs a mesher.".format(name),
            remedy="Install the extra `tetrahedra` (pytetwild) where the engine runs, split it, or use 'uniform'.",
            blocks=[name],
        )
    origin = vertices[0]
    triangles = surface_triangles(vertices, list(faces)) - origin
    points, rows = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    node, cell = tetrahedralize(
        points,
        rows.reshape(-1, 3).astype(np.int32),
        edge_length_fac=EDGE / refine,
        epsilon=ENVELOPE,
        num_threads=1,
        quiet=True,
    )
    if not len(cell):
        raise GeometryError(
            "Block '{}' could not be divided into tetrahedra.".format(name),
            remedy="Check that its surface is closed, or use 'uniform'.",
            blocks=[name],
        )
    return np.asarray(node, float) + origin, _positive(node, np.asarray(cell, np.int32))


def _positive(node, cell):
    """Tetrahedra (e, 4) with their nodes in the order of positive volume."""
    edge = node[cell[:, 1:]] - node[cell[:, :1]]
    inverted = np.linalg.det(edge) < 0.0
    cell[inverted] = cell[inverted][:, [1, 0, 2, 3]]
    return cell
