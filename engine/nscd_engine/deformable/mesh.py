"""Meshes of deformable blocks as arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Mesh(NamedTuple):
    """Finite element mesh of one block: n nodes, e elements (cells) of k nodes, f boundary faces.

    A block of uniform strain is one cell with virtual nodes around its centroid, without boundary faces.
    """

    kind: str  # uniform, t3, t4, h8
    node: np.ndarray  # [m] (n, 3): at rest, world axes
    cell: np.ndarray  # (e, k) int32: rows of `node`; positive volume in this order
    cell_volume: np.ndarray  # [m3] (e,)
    face: np.ndarray  # (f, 4) int32: counter-clockwise from outside; triangles and the edges of t3 are padded by -1
    face_cell: np.ndarray  # (f,) int32: cell of each face
    quality: np.ndarray  # [-] (e,): 1 for regular cells, 0 for flat ones
    refine: int  # cells on an edge of a parent hexahedron; the cells of one parent follow each other
