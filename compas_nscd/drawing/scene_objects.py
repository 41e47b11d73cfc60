"""Scene objects of COMPAS for results, in Rhino, Grasshopper and the viewer.

    scene = Scene()
    scene.add(result, colour="stress", layers=["blocks", "thrust", "forces"])
    scene.draw()

`static_layout` and `motion_layout` decide what is drawn; the classes here make objects of the viewer from it, those of
`rhino/scene_objects` objects of Rhino. Classes are created when COMPAS asks for them, because their base classes can be
imported only inside the viewer or Rhino. In Rhino and Grasshopper `scale` is the factor from metres to the unit of the
document.
"""

from typing import Any, Callable, List, Optional, Sequence, Tuple

from compas.plugins import plugin
from compas.scene import register

from compas_nscd.drawing.motion_layout import layout_dynamic
from compas_nscd.drawing.shapes import ASIDE, LAYERS, Drawing, legend_dots
from compas_nscd.drawing.static_layout import layout_static
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.static import StaticResult


class ResultScene:
    """Base of the scene objects of all results.

    Parameters
    ----------
    layers : list of str, optional
        Of `shapes.LAYERS`; all but those of `aside` unless given.
    colour : {"plain", "stress", "movement"}, optional
        What the colours of the blocks show; "stress" only for a StaticResult.
    arrows : float, optional
        Factor on the length of the arrows.
    scale : float, optional
        Length of a metre in the unit of the document.
    """

    item: Any  # the result, a property of the scene objects of COMPAS
    aside: Tuple[str, ...] = ASIDE

    def __init__(
        self,
        layers: Optional[Sequence[str]] = None,
        colour: str = "plain",
        arrows: float = 1.0,
        scale: float = 1.0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.layers = [name for name in LAYERS if name not in self.aside] if layers is None else list(layers)
        self.colour, self.arrows, self.scale = colour, arrows, scale

    def options(self) -> Tuple:
        """Return everything that the drawing depends on."""
        return tuple(self.layers), self.colour, self.arrows, self.scale

    def whole(self) -> Drawing:
        """Return the drawing with all layers [m]."""
        raise NotImplementedError

    def drawing(self) -> Drawing:
        """Return the chosen layers of the drawing, in the unit of the document."""
        whole = self.whole()
        whole = whole._replace(dots=whole.dots + legend_dots(whole))
        layers, scale = self.layers, self.scale
        shapes = whole.shapes + [bars.shape() for bars in whole.bars if bars.layer in layers]
        return whole._replace(
            shapes=[item._replace(vertices=scale * item.vertices) for item in shapes if item.layer in layers],
            bars=[],
            curves=[item._replace(points=scale * item.points) for item in whole.curves if item.layer in layers],
            dots=[item._replace(point=scale * item.point) for item in whole.dots if item.layer in layers],
        )

    def paint(self, canvas: Any) -> List[Any]:
        """Draw with the methods `mesh`, `curve` and `dot` of a canvas; return the objects they made."""
        drawing = self.drawing()
        made = [canvas.mesh(shape) for shape in drawing.shapes]
        made += [canvas.curve(curve) for curve in drawing.curves]
        made += [canvas.dot(dot) for dot in drawing.dots]
        return made


class StaticScene(ResultScene):
    """A StaticResult.

    Parameters
    ----------
    displaced : float, optional
        Displacement of the fastest vertex of the displaced blocks [m].
    """

    def __init__(self, displaced: Optional[float] = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.displaced = displaced

    def options(self) -> Tuple:
        """Return everything that the drawing depends on."""
        return (*super().options(), self.displaced)

    def whole(self) -> Drawing:
        """Return the drawing with all layers [m]."""
        return layout_static(self.item, self.colour, self.displaced, self.arrows)


class DynamicScene(ResultScene):
    """A DynamicResult at one time; set `at` and draw again for another.

    Parameters
    ----------
    at : float, optional
        Time [s]; the end unless given.
    magnify : float, optional
        Factor on displacements relative to the ground.
    """

    aside = (*ASIDE, "blocks", "supports")  # in their initial positions

    def __init__(self, at: Optional[float] = None, magnify: float = 1.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.at, self.magnify = at, magnify

    def options(self) -> Tuple:
        """Return everything that the drawing depends on."""
        return (*super().options(), self.at, self.magnify)

    def whole(self) -> Drawing:
        """Return the drawing with all layers [m]."""
        return layout_dynamic(self.item, self.at, self.magnify, self.colour, self.arrows)


#: Class of a result -> base of its scene objects.
SCENES = {StaticResult: StaticScene, DynamicResult: DynamicScene}


def viewer_object(kind: type) -> type:
    """Return the class of the scene object in compas_viewer: faces and lines; texts are in `legend`."""
    from compas.colors import Color
    from compas_viewer.scene import ViewerSceneObject

    class ViewerResultObject(kind, ViewerSceneObject):
        def __init__(self, **kwargs: Any):
            super().__init__(**kwargs)
            self._content = (None, None)

        @property
        def content(self):
            """Drawing, computed again when an option changes: the viewer asks for faces and lines in turn."""
            if self._content[0] != self.options():
                self._content = (self.options(), self.drawing())
            return self._content[1]

        @property
        def legend(self):
            return [text for text, _ in self.content.legend]

        def _read_lines_data(self):
            return _segments(self.content, Color.from_rgb255)

        def _read_frontfaces_data(self):
            return _triangles(self.content, Color.from_rgb255, 1)

        def _read_backfaces_data(self):
            return _triangles(self.content, Color.from_rgb255, -1)

    return ViewerResultObject


def _segments(drawing: Drawing, colour: Callable) -> Tuple[List, List, List]:
    """Positions, colours and pairs of indices of all curves; an arrow has two barbs."""
    positions: List[Any] = []
    colours: List[Any] = []
    pairs: List[Any] = []
    for curve in drawing.curves:
        runs = [curve.points.tolist()] + (_barbs(curve.points) if curve.tip else [])
        for run in runs:
            first = len(positions)
            positions += run
            colours += [colour(*curve.colour)] * len(run)
            pairs += [[first + k, first + k + 1] for k in range(len(run) - 1)]
    return positions, colours, pairs


def _barbs(points):
    """Two short lines at the tip of an arrow."""
    from compas_nscd.geometry.vectors import tangents

    along = points[-1] - points[-2]
    size = (along @ along) ** 0.5
    if size == 0.0:
        return []
    side = 0.06 * size * tangents(along[None] / size)[0][0]
    back = points[-1] - 0.15 * along
    return [[(back + side).tolist(), points[-1].tolist()], [(back - side).tolist(), points[-1].tolist()]]


def _triangles(drawing: Drawing, colour: Callable, turn: int) -> Tuple[List, List, List]:
    """Positions, colours and triples of indices of all faces as fans; `turn` -1 for the inner sides."""
    positions: List[Any] = []
    colours: List[Any] = []
    triples: List[Any] = []
    for shape in drawing.shapes:
        xyz, painted = shape.vertices.tolist(), shape.face_colours or [shape.colour] * len(shape.faces)
        for face, own in zip(shape.faces, painted):
            first = len(positions)
            positions += [xyz[i] for i in face]
            colours += [colour(*own)] * len(face)
            triples += [[first, first + k, first + k + 1][::turn] for k in range(1, len(face) - 1)]
    return positions, colours, triples


@plugin(category="factories", pluggable_name="register_scene_objects", requires=["compas_viewer"])
def register_viewer_scene_objects() -> None:
    """Register the scene objects of results for compas_viewer."""
    for result, kind in SCENES.items():
        register(result, viewer_object(kind), context="Viewer")
