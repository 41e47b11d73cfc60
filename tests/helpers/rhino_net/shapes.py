"""Geometry, goo and attributes of .NET for the tests."""

import numpy as np


def xyz(thing):
    """Coordinates of a point or vector (3,), or of the vertices of a mesh or polyline (n, 3)."""
    if hasattr(thing, "X"):
        return np.array([thing.X, thing.Y, thing.Z])
    points = (
        thing.Vertices.ToPoint3dArray() if hasattr(thing, "Vertices") else map(thing.Point, range(thing.PointCount))
    )
    return np.array([xyz(point) for point in points])


class Shapes:
    """Makes objects of Rhino.

    Parameters
    ----------
    rhino, system : module
    """

    def __init__(self, rhino, system):
        self._rhino, self._geometry, self._system = rhino, rhino.Geometry, system

    def point(self, x, y, z):
        return self._geometry.Point3d(float(x), float(y), float(z))

    def vector(self, x, y, z):
        return self._geometry.Vector3d(float(x), float(y), float(z))

    def line(self, start, end):
        return self._geometry.Line(self.point(*start), self.point(*end))

    def curve(self, start, end):
        return self._geometry.LineCurve(self.line(start, end))

    def plane(self, origin, normal):
        return self._geometry.Plane(self.point(*origin), self.vector(*normal))

    def guid(self):
        return self._system.Guid.NewGuid()

    def mesh(self, vertices, faces, double=True):
        """A mesh of a polyhedron, faces of more than four corners cut into fans; Rhino's own are not `double`."""
        mesh = self._geometry.Mesh()
        mesh.Vertices.UseDoublePrecisionVertices = double
        for xyz in vertices:
            mesh.Vertices.Add(self.point(*xyz))
        for face in faces:
            if len(face) <= 4:
                mesh.Faces.AddFace(*(int(i) for i in face))
            else:
                for k in range(1, len(face) - 1):
                    mesh.Faces.AddFace(int(face[0]), int(face[k]), int(face[k + 1]))
        return mesh

    def brep(self, vertices, faces, closed=True, mesh=None, reversed_faces=()):
        """A polyhedron; with `mesh` given its faces are curved, and it needs the mesher."""
        ints = self._system.Array[self._system.Int32]
        points = self._system.Array[self._geometry.Point3d]([self.point(*xyz) for xyz in vertices])
        corners = self._system.Array[ints]([ints([int(i) for i in face]) for face in faces])
        return self._geometry.Brep.Make(points, corners, ints(list(reversed_faces)), closed, mesh)

    def extrusion(self, vertices, faces):
        return self._geometry.Extrusion.Make(self.brep(vertices, faces))

    def subd(self, vertices, faces, smooth=False):
        net = self.mesh(vertices, faces)
        return self._geometry.SubD.Make(net, self.brep(vertices, faces, mesh=net) if smooth else None)

    def instance(self, definition, matrix):
        transform = self._geometry.Transform(1.0)
        for i in range(4):
            for j in range(4):
                setattr(transform, "M{}{}".format(i, j), float(matrix[i][j]))
        return self._geometry.InstanceReferenceGeometry(definition, transform)

    def attributes(self, name="", layer=0, **strings):
        made = self._rhino.DocObjects.ObjectAttributes()
        made.Name, made.LayerIndex = name, layer
        for key, text in strings.items():
            made.SetUserString(key, text)
        return made

    def define(self, document, name, *items):
        """A block definition of (geometry, attributes); gives its guid."""
        package = self._rhino
        geometry = self._system.Array[package.Geometry.GeometryBase]([shape for shape, _ in items])
        attributes = self._system.Array[package.DocObjects.ObjectAttributes]([each for _, each in items])
        table = document.InstanceDefinitions
        return table[table.Add(name, "", self.point(0, 0, 0), geometry, attributes)].Id

    def layer(self, document, path):
        """Index of a layer, which is made with its parents."""
        index, parent = -1, self._system.Guid.Empty
        for name in path.split("::"):
            known = [each.Index for each in document.Layers if each.Name == name and each.ParentLayerId == parent]
            if not known:
                layer = self._rhino.DocObjects.Layer()
                layer.Name, layer.ParentLayerId = name, parent
                known = [document.Layers.Add(layer)]
            index = known[0]
            parent = document.Layers[index].Id
        return index

    def referenced(self, geometry, guid):
        """A geometry on a wire that refers to an object of the document."""
        import Grasshopper

        goo = Grasshopper.Kernel.GH_Convert.ToGoo(geometry)
        goo = Grasshopper.Kernel.Types.IGH_GeometricGoo(goo)
        goo.ReferenceID = guid
        return goo
