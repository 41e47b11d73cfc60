"""A picture of a structure or a result as SVG: the layout in parallel projection, forces on top."""

from collections import Counter
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from compas_nscd.drawing import check_layout, elastic_layout, motion_layout, quasistatic_layout, static_layout, svg
from compas_nscd.drawing.depth_order import hidden, order
from compas_nscd.drawing.shapes import LAYERS, Bars, Curve, Dot, Drawing, Shape
from compas_nscd.errors import InputError
from compas_nscd.geometry.vectors import cross
from compas_nscd.model.structure import Structure
from compas_nscd.results.deformable.modes import ModesResult
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.quasistatic import QuasistaticResult
from compas_nscd.results.static import StaticResult

EDGE = "#4a4640"
#: Edges of the elements of a block, thinner than those of the block.
FINE_EDGE = ' stroke-width="0.2"'
#: Direction to the light.
LIGHT = np.array([0.35, -0.75, 0.55])
#: Height of the caption below the drawing [px].
CAPTION = 36
#: Width of a scale of colours [px], and the number of its steps.
SCALE_WIDTH, SCALE_STEPS = 240, 60
#: Height of a scale and its numbers [px].
SCALE_HEIGHT = 32
#: Share of the loaded joints on thrust lines from which these are drawn; below it the force network is. Larger: vaults
#: lose their lines; smaller: walls show a few lines and nothing of the other forces.
ENOUGH_THRUST = 0.6
#: Labels of one layer. More hide the drawing and are left out.
MOST_LABELS = 8
#: Mean width of a letter of a label [px]. Smaller: labels overlap.
LETTER = 6.6
#: Height of a line of labels [px]. Smaller: labels overlap.
LINE = 14.0
#: Sum of the three components of a colour above which letters are drawn darker.
BRIGHTEST_INK = 200.0
#: Depth behind visible faces down to which forces are drawn [median diagonal of a block]. Larger: forces of the far
#: side are mixed with those of the near side; smaller: forces inside visible blocks are lost.
IN_SIGHT = 1.5
#: Outcome of a motion -> how its caption begins, before the time.
PAST = {
    "stands": "stands for",
    "displaced": "stands, displaced, after",
    "moving": "still moves after",
    "fallen": "falls within",
}
#: Displacement of the fastest vertex of a falling structure [its diagonal].
FALLEN = 0.08
#: Azimuth and elevation [degrees] of the eye.
FRONT, SIDE, CORNER, LEVEL = (-14.0, 9.0), (76.0, 9.0), (-32.0, 24.0), (0.0, 0.0)
#: Depth over width of a plan below which a structure is seen from the front or the side.
FLAT = 0.35

#: Azimuth and elevation of the eye [degrees].
View = Tuple[float, float]


class Sheet:
    """Parallel projection of the scene onto a sheet of paper.

    Parameters
    ----------
    points : array
        Points that must be visible [m]. (n, 3)
    width : int
        Of the sheet [px]; the height is in proportion.
    azimuth, elevation : float
        Direction to the eye [degrees]: from -y towards +x, and above the horizon.

    Attributes
    ----------
    towards : array
        Unit vector to the eye. (3,)
    scale : float
        Pixels of a metre.
    width, height : int
        [px], without the caption.
    """

    def __init__(self, points: np.ndarray, width: int, azimuth: float, elevation: float):
        a, e = np.radians([azimuth, elevation])
        right = np.array([np.cos(a), np.sin(a), 0.0])
        self.towards = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])
        self._axes = np.stack([right, np.cross(right, self.towards)])  # to the right and down
        seen = points @ self._axes.T
        extent = np.maximum(np.ptp(seen, axis=0), 1e-12)
        margin = 0.06 * extent.max()
        self.scale = width / (extent[0] + 2 * margin)
        self._origin = seen.min(axis=0) - margin
        self.width, self.height = width, int(np.ceil(self.scale * (extent[1] + 2 * margin)))

    def __call__(self, points: Union[np.ndarray, Sequence]) -> np.ndarray:
        """Return places on the sheet [px] (n, 2) of points [m] (n, 3)."""
        return (np.asarray(points, float).reshape(-1, 3) @ self._axes.T - self._origin) * self.scale

    def page(self, layers: Iterable[str], caption: str, more: int = 0) -> str:
        """Return a complete SVG document; `more` is the height of a layer below the caption [px]."""
        below = svg.text((24, self.height + 16), caption, 14, "start")
        return svg.page(self.width, self.height + CAPTION + more, [*layers, below])


def draw_structure(structure: Structure, width: int = 900, view: Optional[View] = None) -> str:
    """Draw a Structure, supports darker than free blocks.

    Parameters
    ----------
    structure : Structure
    width : int
        Of the picture [px].
    view : (float, float), optional
        Azimuth and elevation of the eye [degrees], see `Sheet`; a negative elevation is a view from below.

    Returns
    -------
    str
        A complete SVG document.
    """
    shapes, _, curves, _, _ = static_layout.layout_structure(structure)
    sheet = _sheet(shapes, curves, width, view)
    caption = "{}: {} blocks, {} supports".format(structure.name, len(structure.blocks), len(structure.supports))
    return sheet.page([_solids(sheet, shapes, 1.0), _curves(sheet, curves)], caption)


def draw_mode(result: ModesResult, mode: int = 0, width: int = 900, view: Optional[View] = None) -> str:
    """Draw the shape of a vibration mode as an SVG document; the arguments are those of `draw_structure`."""
    structure, solids = result.structure, result.moved(mode)
    colours = [LAYERS["supports" if block.support else "blocks"] for block in structure.blocks]
    shapes = [Shape("displaced", structure.names[i], *solid, colours[i], i) for i, solid in enumerate(solids)]
    sheet = _sheet(shapes, [], width, view)
    caption = "{}: mode {}, {:.4g} Hz".format(structure.name, mode, result.frequency[mode])
    return sheet.page([_solids(sheet, shapes, 1.0)], caption)


def draw_findings(structure: Structure, report: Dict[str, Any], width: int = 900, view: Optional[View] = None) -> str:
    """Draw a structure with the findings of a check.

    Parameters
    ----------
    structure : Structure
    report : dict
        Of `Engine.check`.
    width, view
        As in `draw_structure`.

    Returns
    -------
    str
        A complete SVG document.
    """
    shapes, _, curves, _, legend = check_layout.layout_findings(structure, report)
    sheet = _sheet(shapes, curves, width, view)
    rows = [
        svg.text((sheet.width - 24, 24 + 18 * k), words, 14, "end", svg.hex_colour(colour))
        for k, (words, colour) in enumerate(legend)
    ]
    caption = "{}: {} blocks".format(structure.name, len(structure))
    return sheet.page([_solids(sheet, shapes, 0.85), _curves(sheet, curves), "".join(rows)], caption)


def draw_static(
    result: StaticResult, width: int = 900, curves: Sequence[Curve] = (), view: Optional[View] = None
) -> str:
    """Draw a StaticResult: with its forces if it stands, displaced along the collapse mechanism if it falls.

    Parameters
    ----------
    result : StaticResult
    width : int
        Of the picture [px].
    curves : list of Curve, optional
        Drawn and named instead of thrust lines and force network.
    view : (float, float), optional
        As in `draw_structure`.

    Returns
    -------
    str
        A complete SVG document.
    """
    size = float(np.linalg.norm(np.ptp(result.structure.surfaces.vertices, axis=0)))
    whole = static_layout.layout_static(result, displaced=FALLEN * size)
    if result.mechanism is None:
        sheet, layers = _standing(result, whole, width, view, flow=not curves)
    else:
        sheet, layers = _falling(whole, width, view)
    return sheet.page([*layers, _curves(sheet, curves), _names(sheet, curves)], _caption(result))


def draw_elastic(
    result: elastic_layout.AnyResult,
    kind: str = "principal",
    magnify: Optional[float] = None,
    width: int = 900,
    view: Optional[View] = None,
) -> str:
    """Draw the deformed shape of a result with deformable blocks, coloured by stress, with a scale.

    Parameters
    ----------
    result : StaticResult or DynamicResult
    kind : {"principal", "tension", "compression", "von_mises"}
        Stress of the elements that the colours show.
    magnify : float, optional
        Factor on the displacements; a round one that makes them visible unless given.
    width : int
        Of the picture [px].
    view : (float, float), optional
        As in `draw_structure`.

    Returns
    -------
    str
        A complete SVG document.
    """
    if result.elastic is None:
        raise InputError("The result has no deformable blocks.", remedy="Draw it with draw_static or draw_dynamic.")
    factor = elastic_layout.magnification(result) if magnify is None else magnify
    shapes = elastic_layout.deformed_shapes(result, kind, factor)
    sheet = _sheet(shapes, [], width, view)
    scale = _stress_scale(sheet, elastic_layout.stress_scale(result.elastic, kind))
    caption = "{}: displacements up to {:.3g} mm, drawn {:g} times as large".format(
        result.structure.name, 1e3 * result.elastic.displacement_max, factor
    )
    cracked = _texts(sheet, elastic_layout.crack_dots(result), ("cracks",))
    return sheet.page([_solids(sheet, shapes, 1.0), cracked, scale], caption, SCALE_HEIGHT)


def _stress_scale(sheet: Sheet, scale: elastic_layout.StressScale) -> str:
    """Colours of stresses in a bar below the caption, with numbers at its ends and at zero."""
    left, top = 40, sheet.height + CAPTION
    steps = scale.steps(SCALE_STEPS)
    each = SCALE_WIDTH / len(steps)
    box = '<rect x="{:.2f}" y="{}" width="{:.2f}" height="8" fill="{}"/>'
    parts = [box.format(left + k * each, top, each + 0.3, svg.hex_colour(c)) for k, (_, c) in enumerate(steps)]
    ends = {0.0: scale.low, 1.0: scale.high}
    reach = max(scale.high - scale.low, elastic_layout.LEAST_RANGE)
    if 0.15 < -scale.low / reach < 0.85:
        ends[-scale.low / reach] = 0.0
    for share, stress in ends.items():
        parts.append(svg.text((left + share * SCALE_WIDTH, top + 22), "{:.3g}".format(1e-6 * stress + 0.0), 11))
    parts.append(svg.text((left + SCALE_WIDTH + 24, top + 9), scale.words + " [MPa], tension positive", 12, "start"))
    return "".join(parts)


def draw_quasistatic(
    result: QuasistaticResult, width: int = 900, view: Optional[View] = None, inline: bool = False
) -> str:
    """Draw a QuasistaticResult: displaced blocks over their faint initial positions, contact forces and moments.

    Parameters
    ----------
    result : QuasistaticResult
        One that becomes a mechanism is drawn as a StaticResult that falls.
    width : int
        Of the picture [px].
    view : (float, float), optional
        As in `draw_structure`.
    inline : bool, optional
        Without caption and white ground, for a page that says what is drawn.

    Returns
    -------
    str
        A complete SVG document.
    """
    if result.mechanism is not None:
        return draw_static(result, width, view=view)
    whole = quasistatic_layout.layout_quasistatic(result)
    before = [shape for shape in whole.shapes if shape.layer != "displaced"]
    later = [shape for shape in whole.shapes if shape.layer == "displaced"]
    sheet = _sheet(whole.shapes, whole.curves, width, LEVEL if view is None and _faces_y(result) else view)
    blocks = [_solids(sheet, before, 0.2), _solids(sheet, later, 0.75)]
    layers = [*blocks, _bars(sheet, whole.bars), _curves(sheet, whole.curves)]
    if inline:
        return svg.page(sheet.width, sheet.height, layers, ground=False)
    told = "{} {}: {}".format(result.structure.name, result.answer, quasistatic_layout.displacement_words(result))
    return sheet.page(layers, told)


def _faces_y(result: QuasistaticResult) -> bool:
    """Whether a structure is planar, in x and z."""
    return result.structure.planar is not None and abs(result.structure.planar[1]) > 1.0 - 1e-9


def draw_dynamic(
    result: DynamicResult,
    at: Optional[float] = None,
    width: int = 900,
    magnify: float = 1.0,
    view: Optional[View] = None,
) -> str:
    """Draw one time of a DynamicResult over the structure in its initial position.

    Parameters
    ----------
    result : DynamicResult
    at : float, optional
        Time [s]; the end unless given.
    width : int
        Of the picture [px].
    magnify : float, optional
        Factor on displacements relative to the ground.
    view : (float, float), optional
        As in `draw_structure`.

    Returns
    -------
    str
        A complete SVG document.
    """
    at = float(result.times[-1]) if at is None else at
    whole = motion_layout.layout_dynamic(result, at, magnify)
    later = [shape for shape in whole.shapes if shape.layer == "displaced"]
    given = [shape for shape in whole.shapes if shape.layer != "displaced"]
    sheet = _sheet(whole.shapes, [], width, view)
    words = PAST[result.outcome]
    caption = "{} {} {:.3g} s; here at {:.3g} s".format(result.structure.name, words, result.times[-1], at)
    if magnify != 1.0:
        caption += ", displacements {:g} times as large".format(magnify)
    cables = [curve for curve in whole.curves if curve.layer == "cables"]
    layers = [_solids(sheet, given, 0.25), _solids(sheet, later, 1.0), _curves(sheet, cables)]
    return sheet.page([*layers, _texts(sheet, whole.dots, ("cables",))], caption)


def _standing(
    result: StaticResult, whole: Drawing, width: int, view: Optional[View], flow: bool
) -> Tuple[Sheet, List[str]]:
    """Blocks, reactions, loads and cables; with `flow` also thrust lines or the force network."""
    kind = ("thrust" if _enough_thrust(result) else "network") if flow else None
    shown = [curve for curve in whole.curves if curve.layer in (kind, "reactions", "loads", "cables")]
    bars = [bars for bars in whole.bars if bars.layer == kind]
    given = [shape for shape in whole.shapes if shape.layer != "displaced"]
    sheet = _sheet(given, shown, width, view)
    shown, bars = _in_sight(sheet, given, shown, bars, IN_SIGHT * result.structure.block_size)
    texts = _texts(sheet, whole.dots, ("reactions", "cables", "labels") if flow else ("reactions", "cables"))
    return sheet, [_solids(sheet, given, 1.0), _bars(sheet, bars), _curves(sheet, shown), texts]


def _falling(whole: Drawing, width: int, view: Optional[View]) -> Tuple[Sheet, List[str]]:
    """Displaced blocks over the faint initial positions of those that move."""
    moving = {shape.block for shape in whole.shapes if shape.layer == "displaced"}
    later = [shape for shape in whole.shapes if shape.layer == "displaced" or shape.block not in moving]
    before = [shape for shape in whole.shapes if shape.layer != "displaced" and shape.block in moving]
    sheet = _sheet(whole.shapes, [], width, view)
    return sheet, [_solids(sheet, before, 0.25), _solids(sheet, later, 1.0), _texts(sheet, whole.dots, ("first",))]


def _enough_thrust(result: StaticResult) -> bool:
    """Whether the thrust lines pass through most of the loaded joints."""
    return sum(map(len, result.thrust_lines())) >= ENOUGH_THRUST * max(result.joints.loaded.sum(), 1)


def _sheet(shapes: List[Shape], curves: Sequence[Curve], width: int, view: Optional[View] = None) -> Sheet:
    """Sheet that shows an arch or a wall almost from the front, a dome or a vault from a corner."""
    points = np.concatenate([shape.vertices for shape in shapes])
    x, y, _ = np.ptp(points, axis=0)
    points = np.concatenate([points] + [curve.points for curve in curves])
    if view is None:
        view = FRONT if y < FLAT * x else SIDE if x < FLAT * y else CORNER
    return Sheet(points, width, *view)


def _solids(sheet: Sheet, shapes: List[Shape], opacity: float) -> str:
    """Visible faces of all blocks, far blocks first."""
    planes = [_planes(shape.vertices, shape.faces) for shape in shapes]
    paper = [sheet(shape.vertices) for shape in shapes]
    solids = [(shape.vertices, *own) for shape, own in zip(shapes, planes)]
    paths = []
    for i in order(solids, paper, sheet.towards):
        normals, middles = planes[i]
        seen = np.flatnonzero(normals @ sheet.towards > 1e-9)
        for k in seen[np.argsort(middles[seen] @ sheet.towards, kind="stable")].tolist():
            painted = shapes[i].face_colours
            fill = _shade(shapes[i].colour if painted is None else painted[k], normals[k])
            thin = "" if painted is None else FINE_EDGE
            paths.append('<path d="{}" fill="{}"{}/>'.format(svg.outline(paper[i][shapes[i].faces[k]]), fill, thin))
        if shapes[i].face_colours is not None:
            paths.append(_rim(paper[i], [shapes[i].faces[k] for k in seen.tolist()]))
    style = 'stroke="{}" stroke-width="0.8" stroke-linejoin="round" opacity="{}"'.format(EDGE, opacity)
    return "<g {}>{}</g>".format(style, "".join(paths))


def _rim(paper: np.ndarray, faces: List[List[int]]) -> str:
    """The edges that only one of the visible faces has: the outline of a block of many elements."""
    edges = [tuple(sorted(edge)) for face in faces for edge in zip(face, face[1:] + face[:1])]
    rim = [edge for edge, count in Counter(edges).items() if count == 1]
    lines = "".join(svg.outline(paper[list(edge)], close=False) for edge in rim)
    return '<path d="{}" fill="none"/>'.format(lines)


def _in_sight(
    sheet: Sheet, shapes: List[Shape], curves: List[Curve], many: List[Bars], limit: float
) -> Tuple[List[Curve], List[Bars]]:
    """Arrows and bars without those more than `limit` [m] behind visible faces."""
    faces, depth = [], []
    for shape in shapes:
        paper, (normals, middles) = sheet(shape.vertices), _planes(shape.vertices, shape.faces)
        for k in np.flatnonzero(normals @ sheet.towards > 1e-9).tolist():
            faces.append(paper[shape.faces[k]])
            depth.append(float(middles[k] @ sheet.towards))

    def seen(points):
        return ~hidden(sheet(points), points @ sheet.towards, faces, depth, limit)

    tips = np.array([curve.points[-1] for curve in curves]).reshape(-1, 3)
    curves = [curve for curve, shown in zip(curves, seen(tips)) if shown or not curve.tip]
    keep = [seen(bars.ends.mean(axis=1)) for bars in many]
    return curves, [bars._replace(ends=bars.ends[k], width=bars.width[k]) for bars, k in zip(many, keep)]


def _planes(vertices: np.ndarray, faces: list) -> Tuple[np.ndarray, np.ndarray]:
    """Outward unit normals and middles of the faces: (f, 3), (f, 3)."""
    corners = [vertices[face] for face in faces]
    return np.array([_newell(c) for c in corners]), np.array([c.mean(axis=0) for c in corners])


def _newell(corners: np.ndarray) -> np.ndarray:
    """Unit normal of a polygon by Newell's method, which allows for warped ones."""
    corners = corners - corners[0]
    normal = cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
    return normal / max(np.linalg.norm(normal), 1e-300)


def _shade(colour: Sequence[float], normal: np.ndarray) -> str:
    bright = 0.8 + 0.2 * (normal @ LIGHT) / np.linalg.norm(LIGHT)
    return svg.hex_colour(np.clip(bright * np.array(colour), 0, 255))


def _bars(sheet: Sheet, many: List[Bars]) -> str:
    """Lines as wide as the bars."""
    groups = []
    for bars in many:
        ends = sheet(bars.ends).reshape(-1, 2, 2)
        wide = np.maximum(sheet.scale * bars.width, 0.5)
        lines = [
            '<path d="{}" stroke-width="{:.2f}"/>'.format(svg.outline(pair, close=False), w)
            for pair, w in zip(ends, wide)
        ]
        style = 'fill="none" stroke="{}" stroke-linecap="round"'.format(svg.hex_colour(bars.colour))
        groups.append("<g {}>{}</g>".format(style, "".join(lines)))
    return "".join(groups)


def _curves(sheet: Sheet, curves: Sequence[Curve]) -> str:
    parts = []
    for curve in curves:
        points, colour = sheet(curve.points), svg.hex_colour(curve.colour)
        parts.append(_arrow(points, colour) if curve.tip else _line(points, colour))
    return "".join(parts)


def _names(sheet: Sheet, curves: Sequence[Curve]) -> str:
    """Names of curves in their colours, at the top right."""
    x = sheet.width - 24
    rows = [svg.text((x, 24 + 18 * k), c.name, 14, "end", svg.hex_colour(c.colour)) for k, c in enumerate(curves)]
    return "".join(rows)


def _line(points: np.ndarray, colour: str) -> str:
    style = 'fill="none" stroke="{}" stroke-width="2.6" stroke-linejoin="round"'.format(colour)
    return '<path d="{}" {}/>'.format(svg.outline(points, close=False), style)


def _arrow(ends: np.ndarray, colour: str) -> str:
    """A line with a head; the head is at most half as long as the line."""
    along = ends[1] - ends[0]
    size = max(float(np.linalg.norm(along)), 1e-9)
    head = min(11.0, 0.5 * size)
    along = along / size
    neck, side = ends[1] - head * along, 0.36 * head * np.array([-along[1], along[0]])
    shaft = '<path d="{}" stroke="{}" stroke-width="2" fill="none"/>'.format(
        svg.outline([ends[0], neck], close=False), colour
    )
    return shaft + '<path d="{}" fill="{}"/>'.format(svg.outline([ends[1], neck + side, neck - side]), colour)


def _texts(sheet: Sheet, dots: List[Dot], layers: Sequence[str]) -> str:
    """Labels of some layers; a layer with too many is left out, and a label that would cover another one too."""
    parts: List[str] = []
    taken: List[Tuple[float, float, float]] = []
    for layer in layers:
        own = [dot for dot in dots if dot.layer == layer]
        if len(own) > MOST_LABELS:
            continue
        for dot, (x, y) in zip(own, sheet([dot.point for dot in own])):
            place = _free(x, y + 14, 0.5 * LETTER * len(dot.text), taken, 1 if layer == "first" else 3)
            if place is None:
                continue
            taken.append(place)
            parts.append(svg.text(place[:2], dot.text, 12, colour=svg.hex_colour(_ink(dot.colour)), halo=True))
    return "".join(parts)


def _free(
    x: float, y: float, half: float, taken: List[Tuple[float, float, float]], rows: int
) -> Optional[Tuple[float, float, float]]:
    """Place and half width [px] of a label that covers no other, moved down by less than `rows` lines; None if none."""
    for low in (LINE * k for k in range(rows)):
        if all(abs(x - xo) > half + other or abs(y + low - yo) >= LINE for xo, yo, other in taken):
            return x, y + low, half
    return None


def _ink(colour: Sequence[float]) -> Tuple[int, ...]:
    """A colour dark enough for thin letters."""
    return tuple(int(c * min(1.0, BRIGHTEST_INK / max(sum(colour), 1))) for c in colour)


def _caption(result: StaticResult) -> str:
    numbers = result.summary
    parts = "{blocks} blocks, {interfaces} joints".format(**numbers)
    weight = "weight {:.1f} kN".format(numbers["weight_total"] / 1e3)
    told = "{} {}. {}, {}".format(result.structure.name, result.answer, parts, weight)
    if result.verdict != "stable":
        return told
    return "{}, in balance to {:.0e} of a block's weight".format(told, numbers["unbalanced_max"])
