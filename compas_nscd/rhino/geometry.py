"""Rhino geometry of the shapes of a drawing."""

from typing import Any

from compas_nscd.drawing.shapes import Curve, Dot, Shape


class RhinoGeometry:
    """Makes Rhino geometry outside of any document, as Grasshopper uses it.

    Parameters
    ----------
    geometry : module
        ``Rhino.Geometry``, or a module with the same classes.
    """

    def __init__(self, geometry: Any):
        self.geometry = geometry

    def mesh(self, shape: Shape) -> Any:
        """Mesh of a shape."""
        mesh = self.geometry.Mesh()
        xyz = shape.vertices.tolist()
        for face in shape.faces:  # faces have vertices of their own: edges are shaded sharp
            first = mesh.Vertices.Count
            for i in face:
                mesh.Vertices.Add(*xyz[i])
            if len(face) <= 4:
                mesh.Faces.AddFace(*range(first, first + len(face)))
            else:
                self._fan(mesh, first, len(face))
        mesh.Normals.ComputeNormals()
        mesh.Compact()
        return mesh

    def _fan(self, mesh: Any, first: int, count: int) -> None:
        added = [mesh.Faces.AddFace(first, first + k, first + k + 1) for k in range(1, count - 1)]
        mesh.Ngons.AddNgon(self.geometry.MeshNgon.Create(list(range(first, first + count)), added))

    def curve(self, curve: Curve) -> Any:
        """Line or polyline."""
        points = [self.geometry.Point3d(*point) for point in curve.points.tolist()]
        if len(points) == 2:
            return self.geometry.LineCurve(points[0], points[1])
        return self.geometry.PolylineCurve(points)

    def dot(self, dot: Dot) -> Any:
        """Text dot."""
        return self.geometry.TextDot(dot.text, self.geometry.Point3d(*dot.point.tolist()))
