"""Rhino geometry from coordinates in metres."""

import weakref
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from compas_nscd.model.structure import Structure
from compas_nscd.rhino.document import Units, colour_of
from compas_nscd.rhino.geometry import RhinoGeometry

Colour = Tuple[int, int, int]
#: Three numbers.
Coordinates = Union[Sequence[float], np.ndarray]

#: Meshes of the blocks of structures that still exist, by the id of the structure and the length of a unit [m].
_at_rest: Dict[Tuple[int, float], List[Any]] = {}


class Poses(NamedTuple):
    """Where the blocks of a structure have moved."""

    centroid: np.ndarray  # [m] (B, 3) at rest
    position: np.ndarray  # [m] (B, 3) of the centroids
    rotation: np.ndarray  # [-] (B, 3, 3)

    def matrices(self) -> np.ndarray:
        """Transformations x -> rotation (x - centroid) + position. (B, 4, 4)"""
        found = np.zeros((len(self.rotation), 4, 4))
        found[:, :3, :3] = self.rotation
        found[:, :3, 3] = self.position - np.einsum("bij,bj->bi", self.rotation, self.centroid)
        found[:, 3, 3] = 1.0
        return found


class Maker:
    """Makes Rhino geometry in the unit of the document; coordinates are given in metres.

    Parameters
    ----------
    units : Units
    """

    def __init__(self, units: Units):
        import Rhino

        self.units = units
        self._make = RhinoGeometry(Rhino.Geometry)

    def point(self, xyz: Coordinates) -> Any:
        """Point3d at a position [m]."""
        return self.points(xyz)[0]

    def points(self, xyz: Any) -> List[Any]:
        """Point3d at positions [m] (n, 3)."""
        return list(self._make.points(self.units.out(xyz)))

    def vectors(self, xyz: Any) -> List[Any]:
        """Vector3d of lengths [m] (n, 3)."""
        return list(self._make.vectors(self.units.out(xyz)))

    def plain_vectors(self, xyz: Any) -> List[Any]:
        """Vector3d of a quantity that is not a length (n, 3): forces are in newtons in every document."""
        return list(self._make.vectors(xyz))

    def lines(self, ends: Any) -> List[Any]:
        """Lines between points [m] (n, 2, 3)."""
        return list(self._make.lines(self.units.out(ends)))

    def polyline(self, points: Any, closed: bool = False) -> Any:
        """Polyline through points [m] (n, 3)."""
        points = self.units.out(points)
        return self._make.polyline(np.concatenate([points, points[:1]]) if closed else points)

    def meshes(self, solids: Sequence[Tuple[np.ndarray, Sequence[Sequence[int]]]]) -> List[Any]:
        """Meshes of polyhedra: vertices [m] (n, 3) and faces of each."""
        return self._make.meshes([(self.units.out(vertices), faces) for vertices, faces in solids])

    def blocks(
        self,
        structure: Structure,
        poses: Optional[Poses] = None,
        colours: Optional[Sequence[Colour]] = None,
    ) -> List[Any]:
        """Meshes of the blocks of a structure: at rest, or moved; `colours` are those of their vertices."""
        made = [mesh.DuplicateMesh() for mesh in self._rest(structure)]
        if poses is not None:
            matrices = poses.matrices()
            matrices[:, :3, 3] = self.units.out(matrices[:, :3, 3])
            for mesh, transform in zip(made, self._make.transforms(matrices)):
                mesh.Transform(transform)
        for mesh, shade in zip(made, shades(colours or ())):
            mesh.VertexColors.CreateMonotoneMesh(shade)
        return made

    def _rest(self, structure: Structure) -> List[Any]:
        """Meshes at rest, made once for all components that show the structure; to be copied, not to be changed."""
        key = (id(structure), self.units.metre)
        if key not in _at_rest:
            _at_rest[key] = self.meshes([block.surface() for block in structure.blocks])
            weakref.finalize(structure, _at_rest.pop, key, None)
        return _at_rest[key]


def shades(colours: Sequence[Colour]) -> List[Any]:
    """.NET colours of (red, green, blue)."""
    known = {colour: colour_of(colour) for colour in set(map(tuple, colours))}
    return [known[tuple(colour)] for colour in colours]
