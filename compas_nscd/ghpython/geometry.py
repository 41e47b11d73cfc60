"""Rhino geometry from coordinates in metres."""

from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from compas_nscd.drawing.shapes import Curve, Shape
from compas_nscd.model.structure import Structure
from compas_nscd.rhino.document import Units
from compas_nscd.rhino.geometry import RhinoGeometry

Colour = Tuple[int, int, int]
#: Colour of shapes whose colour is not used.
_ANY = (0, 0, 0)


class Maker:
    """Makes Rhino geometry in the unit of the document; coordinates are given in metres.

    Parameters
    ----------
    units : Units
    """

    def __init__(self, units: Units):
        import Rhino

        self.units, self.geometry = units, Rhino.Geometry
        self._make = RhinoGeometry(Rhino.Geometry)

    def point(self, xyz: Sequence[float]) -> Any:
        """Point3d at a position [m]."""
        return self.geometry.Point3d(*self.units.out(xyz).tolist())

    def vector(self, xyz: Sequence[float]) -> Any:
        """Vector3d of a length [m]."""
        return self.geometry.Vector3d(*self.units.out(xyz).tolist())

    def plain_vector(self, xyz: Sequence[float]) -> Any:
        """Vector3d of a quantity that is not a length: forces are in newtons in every document."""
        return self.geometry.Vector3d(*(float(c) for c in xyz))

    def mesh(self, vertices: np.ndarray, faces: Sequence[Sequence[int]], colour: Optional[Colour] = None) -> Any:
        """Mesh of a polyhedron; `colour` (red, green, blue) is that of its vertices."""
        mesh = self._make.mesh(Shape("", "", self.units.out(vertices), list(faces), _ANY, -1))
        if colour is not None:
            shade = rgb(colour)
            for _ in range(mesh.Vertices.Count):
                mesh.VertexColors.Add(shade)
        return mesh

    def blocks(
        self,
        structure: Structure,
        vertices: Optional[Sequence[np.ndarray]] = None,
        colours: Optional[Sequence[Optional[Colour]]] = None,
    ) -> List[Any]:
        """Meshes of the blocks of a structure; `vertices` [m] replace those of the blocks."""
        surfaces = [block.surface() for block in structure.blocks]
        places = [xyz for xyz, _ in surfaces] if vertices is None else vertices
        colours = colours or [None] * len(surfaces)
        return [self.mesh(xyz, faces, c) for xyz, (_, faces), c in zip(places, surfaces, colours)]

    def line(self, ends: Any) -> Any:
        """Line between two points [m] (2, 3)."""
        return self.geometry.Line(self.point(ends[0]), self.point(ends[1]))

    def polyline(self, points: Any, closed: bool = False) -> Any:
        """Polyline through points [m] (n, 3)."""
        points = np.asarray(points, float)
        if closed:
            points = np.concatenate([points, points[:1]])
        return self._make.curve(Curve("", "", self.units.out(points), _ANY, False, np.nan))


def rgb(colour: Colour) -> Any:
    """.NET colour of (red, green, blue)."""
    import System

    return System.Drawing.Color.FromArgb(*(int(c) for c in colour))
