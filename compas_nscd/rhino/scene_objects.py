"""COMPAS scene objects of results for Rhino and Grasshopper."""

from typing import Any

from compas.plugins import plugin
from compas.scene import register

from compas_nscd.drawing.scene_objects import SCENES
from compas_nscd.drawing.shapes import LAYERS, Curve, Dot, Shape
from compas_nscd.files.threedm.keys import ROOT
from compas_nscd.rhino.document import active, colour_of
from compas_nscd.rhino.geometry import RhinoGeometry
from compas_nscd.rhino.layers import layer_index


class RhinoDocument:
    """Adds objects to a Rhino document, on layers below `nscd`; its methods return their guids.

    The helpers of compas_rhino are not used: they bind the document when they are imported, and after File > Open they
    draw into one that is closed.

    Parameters
    ----------
    document : RhinoDoc
    """

    def __init__(self, document: Any):
        import Rhino

        self.document, self.objects = document, Rhino.DocObjects
        self.make = RhinoGeometry(Rhino.Geometry)

    def _attributes(self, item: Any, name: str) -> Any:
        attributes = self.objects.ObjectAttributes()
        path = "{}::{}".format(ROOT, item.layer)
        attributes.LayerIndex = layer_index(self.document, path, LAYERS.get(item.layer))
        attributes.Name = name
        attributes.ObjectColor = colour_of(item.colour)
        attributes.ColorSource = self.objects.ObjectColorSource.ColorFromObject
        return attributes

    def mesh(self, shape: Shape) -> Any:
        """Add a mesh."""
        return self.document.Objects.AddMesh(self.make.mesh(shape), self._attributes(shape, shape.name))

    def curve(self, curve: Curve) -> Any:
        """Add a line or polyline; an arrow if it has a tip."""
        attributes = self._attributes(curve, curve.name)
        if curve.tip:
            attributes.ObjectDecoration = self.objects.ObjectDecoration.EndArrowhead
        return self.document.Objects.AddCurve(self.make.curve(curve), attributes)

    def dot(self, dot: Dot) -> Any:
        """Add a text dot."""
        return self.document.Objects.AddTextDot(self.make.dot(dot), self._attributes(dot, dot.text))


def rhino_object(kind: Any) -> Any:
    """Scene object class for Rhino of a kind of scene."""
    from compas_rhino.scene import RhinoSceneObject

    class RhinoResultObject(kind, RhinoSceneObject):
        def __init__(self, document: Any = None, **options: Any):
            super().__init__(**options)
            self.document = document  # None: the active one

        def draw(self) -> Any:
            """Draw into the document; returns the guids."""
            self._guids = self.paint(RhinoDocument(active() if self.document is None else self.document))
            return self.guids

    return RhinoResultObject


def grasshopper_object(kind: Any) -> Any:
    """Scene object class for Grasshopper of a kind of scene."""
    import Rhino
    from compas_ghpython.scene import GHSceneObject

    class GrasshopperResultObject(kind, GHSceneObject):
        def draw(self) -> Any:
            """Make Rhino geometry; returns it."""
            self._guids = self.paint(RhinoGeometry(Rhino.Geometry))
            return self.guids

    return GrasshopperResultObject


@plugin(category="factories", pluggable_name="register_scene_objects", requires=["Rhino"])
def register_rhino_scene_objects() -> None:
    """Register the scene objects of results for Rhino and Grasshopper with COMPAS."""
    for result, kind in SCENES.items():
        register(result, rhino_object(kind), context="Rhino")
        register(result, grasshopper_object(kind), context="Grasshopper")
