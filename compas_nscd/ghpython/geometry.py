"""Geometry of Rhino out of coordinates in metres."""

import numpy as np

from compas_nscd.drawing.shapes import Curve, Shape
from compas_nscd.rhino.scene_objects import RhinoGeometry


class Maker:
    """Makes geometry of Rhino, in the unit of the document.

    Parameters
    ----------
    units : rhino.Units
    """

    def __init__(self, units):
        import Rhino

        self.units, self.geometry = units, Rhino.Geometry
        self._make = RhinoGeometry(Rhino.Geometry)

    def point(self, xyz):
        return self.geometry.Point3d(*self.units.out(xyz).tolist())

    def vector(self, xyz):
        """A vector of lengths."""
        return self.geometry.Vector3d(*self.units.out(xyz).tolist())

    def plain_vector(self, xyz):
        """A vector of anything but lengths: forces are newtons in every document."""
        return self.geometry.Vector3d(*(float(c) for c in xyz))

    def mesh(self, vertices, faces, colour=None):
        """A mesh of a polyhedron; `colour` (red, green, blue) paints its vertices."""
        mesh = self._make.mesh(Shape("", "", self.units.out(vertices), faces, None, -1))
        if colour is not None:
            shade = rgb(colour)
            for _ in range(mesh.Vertices.Count):
                mesh.VertexColors.Add(shade)
        return mesh

    def blocks(self, structure, vertices=None, colours=None):
        """Meshes of the blocks of a structure, at `vertices` if these are given."""
        surfaces = [block.surface() for block in structure.blocks]
        places = [xyz for xyz, _ in surfaces] if vertices is None else vertices
        colours = colours or [None] * len(surfaces)
        return [self.mesh(xyz, faces, c) for xyz, (_, faces), c in zip(places, surfaces, colours)]

    def line(self, ends):
        """A line between two points (2, 3)."""
        return self.geometry.Line(self.point(ends[0]), self.point(ends[1]))

    def polyline(self, points, closed=False):
        points = np.asarray(points, float)
        if closed:
            points = np.concatenate([points, points[:1]])
        return self._make.curve(Curve("", "", self.units.out(points), None, False, np.nan))


def rgb(colour):
    """A colour of .NET from (red, green, blue)."""
    import System

    return System.Drawing.Color.FromArgb(*(int(c) for c in colour))
