"""Scene objects of COMPAS for results, in Rhino, Grasshopper and the viewer.

    scene = Scene()
    scene.add(result, colour="stress", layers=["blocks", "thrust", "forces"])
    scene.draw()

What is drawn, `drawing.draw_static` and `moving_drawing.draw_dynamic` decide; here it only becomes objects of the place
where it is shown. The classes are made when COMPAS asks for them, because their bases can be imported only there. In
Rhino and Grasshopper the factor from metres to the unit of the document is `scale`.
"""

from compas.plugins import plugin
from compas.scene import register

from compas_nscd.drawing.motion_layout import draw_dynamic
from compas_nscd.drawing.shapes import ASIDE, LAYERS, legend_dots
from compas_nscd.drawing.static_layout import draw_static
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.static import StaticResult


class ResultScene:
    """What the scene objects of all results and places share.

    Parameters
    ----------
    layers : list of str, optional
        Of `drawing.LAYERS`; all but those of `aside` unless given.
    colour : {"plain", "stress", "movement"}, optional
        What the colours of the blocks tell; stress only of a StaticResult.
    arrows : float, optional
        Factor on the length of the arrows.
    scale : float, optional
        Length of a metre in the unit of the document.
    """

    aside = ASIDE

    def __init__(self, layers=None, colour="plain", arrows=1.0, scale=1.0, **kwargs):
        super().__init__(**kwargs)
        self.layers = [name for name in LAYERS if name not in self.aside] if layers is None else list(layers)
        self.colour, self.arrows, self.scale = colour, arrows, scale

    def options(self):
        """Everything that decides what is drawn."""
        return tuple(self.layers), self.colour, self.arrows, self.scale

    def drawing(self):
        """What is to be drawn, of the chosen layers, in the unit of the document."""
        whole = self.whole()
        whole = whole._replace(dots=whole.dots + legend_dots(whole))
        shapes = whole.shapes + [bars.shape() for bars in whole.bars if bars.layer in self.layers]
        chosen = [[item for item in part if item.layer in self.layers] for part in (shapes, whole.curves, whole.dots)]
        shapes = [shape._replace(vertices=self.scale * shape.vertices) for shape in chosen[0]]
        curves = [curve._replace(points=self.scale * curve.points) for curve in chosen[1]]
        dots = [dot._replace(point=self.scale * dot.point) for dot in chosen[2]]
        return whole._replace(shapes=shapes, bars=[], curves=curves, dots=dots)

    def paint(self, canvas):
        """Hand everything to a canvas; returns what it made."""
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
        Way of the fastest vertex of the displaced blocks [m].
    """

    def __init__(self, displaced=None, **kwargs):
        super().__init__(**kwargs)
        self.displaced = displaced

    def options(self):
        return super().options() + (self.displaced,)

    def whole(self):
        """Everything, on all layers."""
        return draw_static(self.item, self.colour, self.displaced, self.arrows)


class DynamicScene(ResultScene):
    """A DynamicResult at one of its moments; set `at` and draw again to go to another.

    Parameters
    ----------
    at : float, optional
        Time [s]; the end unless given.
    magnify : float, optional
        Factor on displacements relative to the ground.
    """

    aside = ASIDE + ("blocks", "supports")  # where they stood

    def __init__(self, at=None, magnify=1.0, **kwargs):
        super().__init__(**kwargs)
        self.at, self.magnify = at, magnify

    def options(self):
        return super().options() + (self.at, self.magnify)

    def whole(self):
        """Everything, on all layers."""
        return draw_dynamic(self.item, self.at, self.magnify, self.colour, self.arrows)


#: What draws which kind of result.
SCENES = {StaticResult: StaticScene, DynamicResult: DynamicScene}


def viewer_object(kind):
    """Class of the scene object in compas_viewer: one object with faces and lines; its texts are in `legend`."""
    from compas.colors import Color
    from compas_viewer.scene import ViewerSceneObject

    class ViewerResultObject(kind, ViewerSceneObject):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self._content = (None, None)

        @property
        def content(self):
            """Worked out once until an option changes: faces and lines are asked for one after the other."""
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


def _segments(drawing, colour):
    """Positions, colours and pairs of indices of all curves; an arrow gets two barbs."""
    positions, colours, pairs = [], [], []
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


def _triangles(drawing, colour, turn):
    """Positions, colours and triples of indices of all faces, cut into fans; `turn` -1 looks from inside."""
    positions, colours, triples = [], [], []
    for shape in drawing.shapes:
        xyz, shade = shape.vertices.tolist(), colour(*shape.colour)
        for face in shape.faces:
            first = len(positions)
            positions += [xyz[i] for i in face]
            colours += [shade] * len(face)
            triples += [[first, first + k, first + k + 1][::turn] for k in range(1, len(face) - 1)]
    return positions, colours, triples


@plugin(category="factories", pluggable_name="register_scene_objects", requires=["compas_viewer"])
def register_viewer_scene_objects():
    """Tell COMPAS how results are drawn in compas_viewer."""
    for result, kind in SCENES.items():
        register(result, viewer_object(kind), context="Viewer")
