"""Geometry in the shape of RhinoCommon; Breps and extrusions of rhino3dm are used beside it where shapes match."""

from types import SimpleNamespace

import numpy as np

from fakes.dotnet import Color, NameValueCollection, enumeration


class Point3d:
    def __init__(self, x, y, z):
        if not all(type(c) is float for c in (x, y, z)):
            raise TypeError("coordinates are floats of Python, not {}".format([type(c).__name__ for c in (x, y, z)]))
        self.X, self.Y, self.Z = x, y, z

    @property
    def xyz(self):
        return np.array([self.X, self.Y, self.Z])


class Vector3d(Point3d):
    pass


class Plane:
    def __init__(self, origin, normal):
        self.Origin, self.Normal = origin, normal


class Line:
    def __init__(self, start, end):
        self.From, self.To = start, end


class Transform:
    def __init__(self, matrix):
        for i in range(4):
            for j in range(4):
                setattr(self, "M{}{}".format(i, j), float(matrix[i][j]))


class GeometryBase:
    def __init__(self):
        self._strings = {}

    def SetUserString(self, key, text):
        self._strings[key] = text

    def GetUserStrings(self):
        return NameValueCollection(self._strings)


class LineCurve(GeometryBase):
    def __init__(self, start, end):
        super().__init__()
        self.Points = [start, end]


class PolylineCurve(GeometryBase):
    def __init__(self, points):
        super().__init__()
        if len(points) < 2 or not all(isinstance(point, Point3d) for point in points):
            raise ValueError("a polyline needs points")
        self.Points = list(points)


class TextDot(GeometryBase):
    def __init__(self, text, point):
        super().__init__()
        self.Text, self.Point = text, point


class Collection:
    """A list of RhinoCommon: counted by Count, not by len."""

    def __init__(self, values=()):
        self._values = list(values)

    @property
    def Count(self):
        return len(self._values)

    def __getitem__(self, i):
        return self._values[i]

    def __iter__(self):
        return iter(self._values)


class MeshVertices(Collection):
    def Add(self, x, y, z):
        self._values.append(Point3d(x, y, z))
        return self.Count - 1

    def ToPoint3dArray(self):
        return list(self._values)


class MeshFaces(Collection):
    def AddFace(self, a, b, c, d=None):
        self._values.append(SimpleNamespace(A=a, B=b, C=c, D=c if d is None else d))
        return self.Count - 1


class MeshColors(Collection):
    def Add(self, colour):
        if not isinstance(colour, Color):
            raise TypeError("not a colour")
        self._values.append(colour)


class MeshNgon:
    @staticmethod
    def Create(vertices, faces):
        return SimpleNamespace(vertices=list(vertices), faces=list(faces))


class Mesh(GeometryBase):
    def __init__(self):
        super().__init__()
        self.Vertices, self.Faces, self.VertexColors = MeshVertices(), MeshFaces(), MeshColors()
        self.Normals = SimpleNamespace(ComputeNormals=lambda: True)
        self.Ngons = SimpleNamespace(AddNgon=lambda ngon: 0)

    def Compact(self):
        """Vertices without a face would go; there must be none."""
        used = {i for f in self.Faces for i in (f.A, f.B, f.C, f.D)}
        if used != set(range(self.Vertices.Count)):
            raise ValueError("a mesh with loose vertices")

    @property
    def xyz(self):
        return np.array([p.xyz for p in self.Vertices])

    @staticmethod
    def CreateFromBrep(brep, parameters):
        """Rhino's mesher; here only for the round Breps of the tests, which know their own mesh."""
        if parameters is not MeshingParameters.FastRenderMesh:
            raise TypeError("no meshing parameters")
        return [brep.mesh] if getattr(brep, "mesh", None) is not None else None

    @staticmethod
    def CreateFromSubDControlNet(subd, with_texture):
        return mesh_of(subd.vertices, subd.faces)


MeshingParameters = SimpleNamespace(FastRenderMesh=object())
SubDEdgeTag = enumeration("Crease", "Smooth")


def mesh_of(vertices, faces):
    """A mesh of a polyhedron, faces of more than four corners cut into fans."""
    mesh = Mesh()
    for x, y, z in vertices:
        mesh.Vertices.Add(float(x), float(y), float(z))
    for face in faces:
        if len(face) <= 4:
            mesh.Faces.AddFace(*face)
        else:
            for k in range(1, len(face) - 1):
                mesh.Faces.AddFace(face[0], face[k], face[k + 1])
    return mesh


class Brep(GeometryBase):
    """A polyhedron; with `mesh` given it has one curved face more than it tells, and needs the mesher."""

    def __init__(self, vertices, faces, closed=True, mesh=None, reversed_faces=()):
        super().__init__()
        self.IsSolid, self.mesh = closed, mesh
        points = [SimpleNamespace(VertexIndex=i, Location=Point3d(*map(float, p))) for i, p in enumerate(vertices)]
        self.Vertices = Collection(points)
        self.Faces = Collection(self._face(f, points, k in reversed_faces) for k, f in enumerate(faces))
        self.Edges = Collection([SimpleNamespace(IsLinear=lambda tolerance: True)])

    def _face(self, corners, points, reverse):
        corners = corners[::-1] if reverse else corners
        loop = SimpleNamespace(Trims=Collection(SimpleNamespace(StartVertex=points[i]) for i in corners))
        return SimpleNamespace(
            IsPlanar=lambda tolerance: self.mesh is None,
            Loops=Collection([loop]),
            OuterLoop=loop,
            OrientationIsReversed=reverse,
        )


class SubD(GeometryBase):
    def __init__(self, vertices, faces, smooth=False):
        super().__init__()
        self.vertices, self.faces = vertices, faces
        tag = SubDEdgeTag.Smooth if smooth else SubDEdgeTag.Crease
        self.Edges = [SimpleNamespace(Tag=tag)] * 12

    def ToBrep(self):
        return Brep(self.vertices, self.faces, mesh=mesh_of(self.vertices, self.faces))


class InstanceReferenceGeometry(GeometryBase):
    def __init__(self, definition, matrix):
        super().__init__()
        self.ParentIdefId, self.Xform = definition, Transform(matrix)


class GH_Brep:
    """A wrapped Brep, with or without a reference to an object of the document."""

    def __init__(self, value, reference=None):
        self.Value, self.ReferenceID = value, reference
        self.IsReferencedGeometry = reference is not None
