"""COMPAS scene objects of results for Rhino and Grasshopper."""

from typing import Any, Optional

from compas.plugins import plugin
from compas.scene import register

from compas_nscd.drawing.scene_objects import SCENES
from compas_nscd.drawing.shapes import Curve, Dot, Shape
from compas_nscd.files.threedm.keys import ROOT
from compas_nscd.rhino.geometry import RhinoGeometry


class RhinoDocument:
    """Adds objects to the Rhino document, on layers below `nscd`; its methods return their guids.

    Parameters
    ----------
    owner : RhinoSceneObject
        Compiles the attributes of objects.
    geometry : module
        ``Rhino.Geometry``.
    objects : ObjectTable
        Of the document.
    """

    def __init__(self, owner: Any, geometry: Any, objects: Any):
        self.owner, self.objects = owner, objects
        self.make = RhinoGeometry(geometry)

    def _attributes(self, item: Any, name: str, arrow: Optional[str] = None) -> Any:
        from compas.colors import Color

        self.owner.layer = "{}::{}".format(ROOT, item.layer)
        return self.owner.compile_attributes(name=name, color=Color.from_rgb255(*item.colour), arrow=arrow)

    def mesh(self, shape: Shape) -> Any:
        """Add a mesh."""
        return self.objects.AddMesh(self.make.mesh(shape), self._attributes(shape, shape.name))

    def curve(self, curve: Curve) -> Any:
        """Add a line or polyline; an arrow if it has a tip."""
        attributes = self._attributes(curve, curve.name, "end" if curve.tip else None)
        return self.objects.AddCurve(self.make.curve(curve), attributes)

    def dot(self, dot: Dot) -> Any:
        """Add a text dot."""
        return self.objects.AddTextDot(self.make.dot(dot), self._attributes(dot, dot.text))


def rhino_object(kind: Any) -> Any:
    """Scene object class for Rhino of a kind of scene."""
    import Rhino
    import scriptcontext
    from compas_rhino.scene import RhinoSceneObject

    class RhinoResultObject(kind, RhinoSceneObject):
        def draw(self) -> Any:
            """Draw into the document; returns the guids."""
            self._guids = self.paint(RhinoDocument(self, Rhino.Geometry, scriptcontext.doc.Objects))
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
