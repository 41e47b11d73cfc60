"""Deformable blocks of a result: displacements of nodes, stresses of elements, cracked stones. SI units.

Stresses are means over elements, tension positive, in world axes. Supports are rigid and have no elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import InputError, ProtocolError

if TYPE_CHECKING:
    from compas_nscd.results.base import Result
    from compas_nscd.results.deformable.submodel import SubmodelResult

#: Arrays of a reply with deformable blocks: type and shape.
ARRAYS: dict[str, tuple[str, tuple[int, ...]]] = {
    "node_start": ("i4", (-1,)),
    "node": ("f8", (-1, 3)),
    "node_displacement": ("f8", (-1, 3)),
    "cell_start": ("i4", (-1,)),
    "cell": ("i4", (-1, 8)),
    "cell_stress": ("f8", (-1, 6)),
    "cell_volume": ("f8", (-1,)),
    "skin_start": ("i4", (-1,)),
    "skin": ("i4", (-1, 4)),
    "skin_cell": ("i4", (-1,)),
}
#: Offsets per block, and the arrays that they divide.
_PARTS = {
    "node_start": ("node", "node_displacement"),
    "cell_start": ("cell", "cell_stress", "cell_volume"),
    "skin_start": ("skin", "skin_cell"),
}
#: Numbers of ``--json``.
NUMBERS = ("elements", "unknowns", "displacement_max", "stress_max", "stress_min", "cracked", "quality_min")
#: Components xx yy zz xy yz zx of a stress -> rows and columns of its tensor.
_VOIGT = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2]])


def elastic_arrays(reply: Mapping[str, Any], blocks: int) -> dict[str, np.ndarray]:
    """The arrays of a reply with deformable blocks, checked; none if all blocks are rigid."""
    if reply.get("elastic") is None or "node" not in reply:
        return {}
    missing = [key for key in ARRAYS if key not in reply] + [key for key in NUMBERS if key not in reply["elastic"]]
    if missing:
        raise ProtocolError("The reply of the engine lacks {}.".format(", ".join(missing)))
    found = {}
    for key, (kind, shape) in ARRAYS.items():
        try:
            found[key] = np.asarray(reply[key], kind).reshape(shape)
        except (TypeError, ValueError):
            raise ProtocolError("The array {} of the reply has the wrong shape.".format(key))
    wrong = [key for start, keys in _PARTS.items() for key in keys if not _divides(found[start], found[key], blocks)]
    for key, most in (("cell", "node"), ("skin", "node"), ("skin_cell", "cell")):
        if found[key].size and not -1 <= found[key].min() <= found[key].max() < len(found[most]):
            wrong.append(key)
    if wrong:
        raise ProtocolError("Arrays of the reply do not fit together: {}.".format(", ".join(wrong)))
    return found


def _divides(start: np.ndarray, rows: np.ndarray, blocks: int) -> bool:
    """Whether offsets (B + 1,) rise from 0 to the number of rows."""
    ends = len(start) == blocks + 1 and start[0] == 0 and start[-1] == len(rows)
    return bool(ends and (start[1:] >= start[:-1]).all())


class ElasticResult:
    """Displacements and stresses of the deformable blocks. N nodes, E elements.

    Parameters
    ----------
    result : Result or SubmodelResult
    elastic : Elastic, optional
        Of the deformable blocks. Default: those of the structure.

    Attributes
    ----------
    summary : dict
        The numbers of ``--json`` under "elastic".
    nodes : (N, 3) array
        At rest [m]; the vertices of blocks of uniform strain.
    displacement : (N, 3) array
        [m]; in a motion from the rigid pose of the block.
    node_start, cell_start : (B + 1,) arrays of int
        First node and first element of every block.
    volume : (E,) array
        Of the elements [m3].
    """

    def __init__(self, result: Result | SubmodelResult, elastic: Elastic | None = None) -> None:
        self._structure = result.structure
        self._elastics = [block.elastic if elastic is None else elastic for block in result.structure.blocks]
        self._arrays: dict[str, np.ndarray] = {key: getattr(result, key) for key in ARRAYS}
        self.summary: dict[str, Any] = result.summary["elastic"]
        self.nodes = self._arrays["node"]
        self.displacement = self._arrays["node_displacement"]
        self.node_start, self.cell_start = self._arrays["node_start"], self._arrays["cell_start"]
        self.volume = self._arrays["cell_volume"]

    # -- stress ----------------------------------------------------------------------------------------------------

    @cached_property
    def stress(self) -> np.ndarray:
        """Mean stress of every element [Pa]. (E, 3, 3)"""
        return self._arrays["cell_stress"][:, _VOIGT]

    @cached_property
    def _eigen(self) -> tuple[np.ndarray, np.ndarray]:
        values, columns = np.linalg.eigh(self.stress)
        return values, columns.transpose(0, 2, 1)

    @property
    def principal(self) -> np.ndarray:
        """Principal stresses of every element, ascending: the greatest compression first [Pa]. (E, 3)"""
        return self._eigen[0]

    @property
    def directions(self) -> np.ndarray:
        """Unit vectors of the principal stresses: directions[e, k] is that of principal[e, k]. (E, 3, 3)"""
        return self._eigen[1]

    @property
    def von_mises(self) -> np.ndarray:
        """Equivalent stress of von Mises of every element [Pa]. (E,)"""
        low, middle, high = self.principal.T
        return np.sqrt(0.5 * ((low - middle) ** 2 + (middle - high) ** 2 + (high - low) ** 2))

    @property
    def tension(self) -> np.ndarray:
        """Greatest principal stress of every element [Pa]; negative where all directions are compressed. (E,)"""
        return self.principal[:, 2]

    @property
    def tension_utilisation(self) -> np.ndarray:
        """Principal tension over the tensile strength of the block [-]; NaN where none was given. (E,)"""
        strength = [None if elastic is None else elastic.tension for elastic in self._elastics]
        known = np.array([np.nan if each is None else each for each in strength], float)[self.cell_block]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.maximum(self.tension, 0.0) / known
        return np.where((known == 0.0) & (self.tension <= 0.0), 0.0, share)

    @property
    def cracked(self) -> list[str]:
        """Names of the blocks in which the principal tension of an element exceeds the tensile strength."""
        return list(self.summary["cracked"])

    @property
    def cell_block(self) -> np.ndarray:
        """Index of the block of every element. (E,)"""
        return np.repeat(np.arange(len(self._structure)), np.diff(self.cell_start))

    @cached_property
    def centres(self) -> np.ndarray:
        """Middles of the elements at rest [m] (E, 3); of a block of uniform strain the mean of its vertices."""
        cell = self._arrays["cell"]
        held = cell >= 0
        count = held.sum(axis=1)
        middle = (self.nodes[cell] * held[:, :, None]).sum(axis=1) / np.maximum(count, 1)[:, None]
        for e in np.flatnonzero(count == 0):
            middle[e] = self.nodes[self._rows(self.cell_block[e])].mean(axis=0)
        return middle

    def mean_stress(self, block: Any) -> np.ndarray:
        """Mean stress of a block [Pa] (3, 3); at rest the moment tensor of its forces, see `results.stress`.

        Parameters
        ----------
        block : int or str
            By index, name or guid; a deformable one.
        """
        i = self._deformable(block)
        mine = slice(self.cell_start[i], self.cell_start[i + 1])
        weight = self.volume[mine] / self.volume[mine].sum()
        return np.einsum("e,eij->ij", weight, self.stress[mine])

    # -- shape -----------------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> list[int]:
        """Indices of the deformable blocks."""
        return np.flatnonzero(np.diff(self.node_start)).tolist()

    @property
    def displacement_max(self) -> float:
        """Greatest displacement of a node [m]."""
        return float(self.summary["displacement_max"])

    def surface(self, block: Any, magnify: float = 1.0) -> tuple[np.ndarray, list[list[int]], np.ndarray]:
        """Deformed surface of a block.

        Parameters
        ----------
        block : int or str
        magnify : float, optional
            Factor on the displacements.

        Returns
        -------
        (n, 3) array
            Vertices [m].
        list of list of int
            Faces, outward.
        (f,) array of int
            Element of every face.
        """
        i = self._deformable(block)
        rows = self._rows(i)
        vertices = self.nodes[rows] + magnify * self.displacement[rows]
        mine = slice(self._arrays["skin_start"][i], self._arrays["skin_start"][i + 1])
        faces = [[int(k) - rows.start for k in face if k >= 0] for face in self._arrays["skin"][mine]]
        cells = self._arrays["skin_cell"][mine]
        return self._extruded(i, vertices, faces, cells) if self._is_flat(i) else (vertices, faces, cells)

    def _is_flat(self, i: int) -> bool:
        """Whether the elements of a block are triangles in the plane of a planar structure."""
        elastic = self._elastics[i]
        return self._structure.planar is not None and elastic is not None and elastic.elements == "t3"

    def _extruded(
        self, i: int, vertices: np.ndarray, faces: list[list[int]], cells: np.ndarray
    ) -> tuple[np.ndarray, list[list[int]], np.ndarray]:
        """Triangles in a plane as a solid between the two ends of the block along the axis of the structure."""
        axis = np.array(self._structure.planar)
        along = self._structure.blocks[i].vertices @ axis
        flat = vertices - (vertices @ axis)[:, None] * axis
        solid = np.concatenate([flat + along.max() * axis, flat + along.min() * axis])
        faces = [face if _area_along(vertices[face], axis) > 0.0 else face[::-1] for face in faces]
        n, edges = len(vertices), {(a, b): k for k, face in enumerate(faces) for a, b in zip(face, face[1:] + face[:1])}
        sides = [((a, b), k) for (a, b), k in edges.items() if (b, a) not in edges]
        back = [[n + k for k in reversed(face)] for face in faces]
        walls = [[n + a, n + b, b, a] for (a, b), _ in sides]
        own = np.array([cells[k] for _, k in sides], cells.dtype)
        return solid, faces + back + walls, np.concatenate([cells, cells, own])

    def _rows(self, i: int) -> slice:
        return slice(int(self.node_start[i]), int(self.node_start[i + 1]))

    def _deformable(self, block: Any) -> int:
        i = self._structure.index(block)
        if self.node_start[i] == self.node_start[i + 1]:
            raise InputError("Block {} is rigid.".format(self._structure.names[i]), remedy="Give it an `elastic`.")
        return i

    def __repr__(self) -> str:
        return "<ElasticResult: {} elements, {:.3g} mm>".format(len(self.volume), 1e3 * self.displacement_max)


def _area_along(corners: np.ndarray, axis: np.ndarray) -> float:
    """Twice the area of a triangle, positive if it is counter-clockwise about the axis."""
    return float(np.cross(corners[1] - corners[0], corners[2] - corners[0]) @ axis)
