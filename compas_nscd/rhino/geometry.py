"""Rhino geometry of coordinates and of the shapes of a drawing, outside of any document, as Grasshopper uses it."""

from typing import Any, List, NamedTuple, Sequence, Tuple

import numpy as np

from compas_nscd.drawing.shapes import Colour, Curve, Dot, Shape
from compas_nscd.rhino.arrays import net_array
from compas_nscd.rhino.document import colour_of


class RhinoGeometry:
    """Makes Rhino geometry.

    Parameters
    ----------
    geometry : module
        ``Rhino.Geometry``.
    """

    def __init__(self, geometry: Any):
        self.geometry = geometry

    def mesh(self, shape: Shape) -> Any:
        """Mesh of a shape, with the colours of its faces if it has some."""
        mesh = self.meshes([(shape.vertices, shape.faces)])[0]
        paint_faces(mesh, shape.faces, shape.face_colours or ())
        return mesh

    def meshes(self, solids: Sequence[Tuple[np.ndarray, Sequence[Sequence[int]]]]) -> List[Any]:
        """Meshes of polyhedra: vertices (n, 3) and faces of each."""
        import System

        outlines = [_facets(faces) for _, faces in solids]
        corners = [vertices[facets.corners] for (vertices, _), facets in zip(solids, outlines)]
        points = net_array(self.geometry.Point3f, _stacked(corners, 3, np.float32))
        faces = net_array(self.geometry.MeshFace, _stacked([each.faces for each in outlines], 4, np.int32))
        some_points = System.ArraySegment[self.geometry.Point3f]
        some_faces = System.ArraySegment[self.geometry.MeshFace]
        made, point, face = [], 0, 0
        for facets in outlines:
            mesh = self.geometry.Mesh()
            mesh.Vertices.AddVertices(some_points(points, point, len(facets.corners)))
            mesh.Faces.AddFaces(some_faces(faces, face, len(facets.faces)))
            for vertices, parts in facets.polygons:
                mesh.Ngons.AddNgon(self.geometry.MeshNgon.Create(_integers(vertices), _integers(parts)))
            mesh.Normals.ComputeNormals()
            point, face = point + len(facets.corners), face + len(facets.faces)
            made.append(mesh)
        return made

    def points(self, xyz: np.ndarray) -> Any:
        """Array of Point3d. (n, 3)"""
        return net_array(self.geometry.Point3d, np.asarray(xyz, float).reshape(-1, 3))

    def vectors(self, xyz: np.ndarray) -> Any:
        """Array of Vector3d. (n, 3)"""
        return net_array(self.geometry.Vector3d, np.asarray(xyz, float).reshape(-1, 3))

    def lines(self, ends: np.ndarray) -> Any:
        """Array of Line. (n, 2, 3)"""
        return net_array(self.geometry.Line, np.asarray(ends, float).reshape(-1, 6))

    def transforms(self, matrices: np.ndarray) -> Any:
        """Array of Transform. (n, 4, 4)"""
        return net_array(self.geometry.Transform, np.asarray(matrices, float).reshape(-1, 16))

    def polyline(self, xyz: np.ndarray) -> Any:
        """Line of two points, polyline of more. (n, 3)"""
        if len(xyz) == 2:
            return self.geometry.LineCurve(self.lines(xyz)[0])
        return self.geometry.PolylineCurve(self.points(xyz))

    def curve(self, curve: Curve) -> Any:
        """Line or polyline of a drawing."""
        return self.polyline(curve.points)

    def dot(self, dot: Dot) -> Any:
        """Text dot."""
        return self.geometry.TextDot(dot.text, self.points(dot.point)[0])


def paint_faces(mesh: Any, faces: Sequence[Sequence[int]], colours: Sequence[Colour]) -> None:
    """Give the faces of a mesh that `RhinoGeometry.meshes` made their colours; none if there are no colours."""
    known = {colour: colour_of(colour) for colour in set(colours)}
    for face, colour in zip(faces, colours):
        for _ in face:  # faces share no vertices
            mesh.VertexColors.Add(known[colour])


class _Facets(NamedTuple):
    """Faces of a polyhedron as those of a mesh, with vertices of their own: edges are shaded sharp."""

    corners: List[int]  # vertex of the polyhedron at each vertex of the mesh
    faces: List[Tuple[int, int, int, int]]  # vertices of the mesh; the last one twice in a triangle
    polygons: List[Tuple[range, range]]  # vertices and faces that are one face of more than four corners


def _facets(given: Sequence[Sequence[int]]) -> _Facets:
    corners: List[int] = []
    faces: List[Tuple[int, int, int, int]] = []
    polygons: List[Tuple[range, range]] = []
    for face in given:
        first, count = len(corners), len(face)
        corners += face
        if count <= 4:
            faces.append((first, first + 1, first + 2, first + count - 1))
        else:
            polygons.append((range(first, first + count), range(len(faces), len(faces) + count - 2)))
            faces += [(first, first + k, first + k + 1, first + k + 1) for k in range(1, count - 1)]
    return _Facets(corners, faces, polygons)


def _stacked(parts: Sequence[Any], columns: int, dtype: Any) -> np.ndarray:
    return np.concatenate([np.asarray(part, dtype).reshape(-1, columns) for part in parts] or [np.empty((0, columns))])


def _integers(values: Sequence[int]) -> Any:
    import System

    return System.Array[System.Int32](list(values))
