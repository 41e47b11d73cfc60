"""Scene objects of results for Rhino and Grasshopper."""

from compas.plugins import plugin
from compas.scene import register

from compas_nscd.drawing.scene_objects import SCENES
from compas_nscd.files.threedm.keys import ROOT


class RhinoGeometry:
    """Geometry of Rhino that belongs to no document: what Grasshopper takes."""

    def __init__(self, geometry):
        self.geometry = geometry

    def mesh(self, shape):
        mesh = self.geometry.Mesh()
        xyz = shape.vertices.tolist()
        for face in shape.faces:  # faces share no vertices, so that they are shaded with sharp edges
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

    def _fan(self, mesh, first, count):
        added = [mesh.Faces.AddFace(first, first + k, first + k + 1) for k in range(1, count - 1)]
        mesh.Ngons.AddNgon(self.geometry.MeshNgon.Create(list(range(first, first + count)), added))

    def curve(self, curve):
        points = [self.geometry.Point3d(*point) for point in curve.points.tolist()]
        if len(points) == 2:
            return self.geometry.LineCurve(points[0], points[1])
        return self.geometry.PolylineCurve(points)

    def dot(self, dot):
        return self.geometry.TextDot(dot.text, self.geometry.Point3d(*dot.point.tolist()))


class RhinoDocument:
    """Objects in the document of Rhino, on layers below `nscd`; gives their guids."""

    def __init__(self, owner, geometry, objects):
        self.owner, self.objects = owner, objects
        self.make = RhinoGeometry(geometry)

    def _attributes(self, item, name, arrow=None):
        from compas.colors import Color

        self.owner.layer = "{}::{}".format(ROOT, item.layer)
        return self.owner.compile_attributes(name=name, color=Color.from_rgb255(*item.colour), arrow=arrow)

    def mesh(self, shape):
        return self.objects.AddMesh(self.make.mesh(shape), self._attributes(shape, shape.name))

    def curve(self, curve):
        attributes = self._attributes(curve, curve.name, "end" if curve.tip else None)
        return self.objects.AddCurve(self.make.curve(curve), attributes)

    def dot(self, dot):
        return self.objects.AddTextDot(self.make.dot(dot), self._attributes(dot, dot.text))


def rhino_object(kind):
    """Class of the scene object in Rhino, of a kind of scene."""
    import Rhino
    import scriptcontext
    from compas_rhino.scene import RhinoSceneObject

    class RhinoResultObject(kind, RhinoSceneObject):
        def draw(self):
            """Draw into the document; returns the guids."""
            self._guids = self.paint(RhinoDocument(self, Rhino.Geometry, scriptcontext.doc.Objects))
            return self.guids

    return RhinoResultObject


def grasshopper_object(kind):
    """Class of the scene object in Grasshopper, of a kind of scene."""
    import Rhino
    from compas_ghpython.scene import GHSceneObject

    class GrasshopperResultObject(kind, GHSceneObject):
        def draw(self):
            """Make Rhino geometry; returns it."""
            self._guids = self.paint(RhinoGeometry(Rhino.Geometry))
            return self.guids

    return GrasshopperResultObject


@plugin(category="factories", pluggable_name="register_scene_objects", requires=["Rhino"])
def register_rhino_scene_objects():
    """Tell COMPAS how results are drawn in Rhino and Grasshopper."""
    for result, kind in SCENES.items():
        register(result, rhino_object(kind), context="Rhino")
        register(result, grasshopper_object(kind), context="Grasshopper")
