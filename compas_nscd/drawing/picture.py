"""A picture of a structure or a result as SVG: what `drawing` lays out, in parallel projection, forces on top."""

from xml.sax.saxutils import escape

import numpy as np

from compas_nscd.drawing import motion_layout, static_layout
from compas_nscd.drawing.depth_order import hidden, order
from compas_nscd.geometry.vectors import cross

EDGE = "#4a4640"
LIGHT = np.array([0.35, -0.75, 0.55])
#: Height of the line of text below the drawing [px].
CAPTION = 36
FONT = 'font-family="Helvetica Neue,Arial,sans-serif"'
#: Thrust lines tell it all if they have this share of the loaded joints on them; else the network of forces does.
TOLD = 0.6
#: More labels hide the drawing.
MOST_LABELS = 8
#: Width of a letter and height of a line of labels [px].
LETTER, LINE = 6.6, 14.0
#: Sum of the three components of a colour above which letters are drawn darker.
BRIGHTEST_INK = 200.0
#: Forces that lie farther behind what is seen are not drawn [median diagonal of a block]: they run inside the blocks.
IN_SIGHT = 1.5
#: Way of the fastest vertex of a falling structure [its diagonal].
FALLEN = 0.08


class Sheet:
    """Parallel projection of the scene onto a sheet of paper.

    Parameters
    ----------
    points : array
        All that must be seen [m]. (n, 3)
    width : int
        Of the sheet [px]; the height follows.
    azimuth, elevation : float
        Direction from which one looks [degrees]: from -y towards +x, and above the horizon.
    """

    def __init__(self, points, width, azimuth, elevation):
        a, e = np.radians([azimuth, elevation])
        right = np.array([np.cos(a), np.sin(a), 0.0])
        self.towards = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])  # from the scene to the eye
        self._axes = np.stack([right, np.cross(right, self.towards)])  # to the right and down
        seen = points @ self._axes.T
        extent = np.maximum(np.ptp(seen, axis=0), 1e-12)
        margin = 0.06 * extent.max()
        #: Pixels of a metre.
        self.scale = width / (extent[0] + 2 * margin)
        self._origin = seen.min(axis=0) - margin
        self.width, self.height = width, int(np.ceil(self.scale * (extent[1] + 2 * margin)))

    def __call__(self, points):
        """Places on the sheet [px] (n, 2) of points [m] (n, 3)."""
        return (np.asarray(points, float).reshape(-1, 3) @ self._axes.T - self._origin) * self.scale

    def page(self, layers, caption):
        """A complete SVG document."""
        full = self.height + CAPTION
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{full}" '
            f'viewBox="0 0 {self.width} {full}"><rect width="100%" height="100%" fill="#ffffff"/>'
            f'{"".join(layers)}<text x="24" y="{self.height + 16}" {FONT} font-size="14" fill="#333333">'
            f"{escape(caption)}</text></svg>\n"
        )


def draw_structure(structure, width=900, view=None):
    """Draw a Structure, supports darker than free blocks.

    Parameters
    ----------
    structure : Structure
    width : int
        Of the picture [px].
    view : (float, float), optional
        Azimuth and elevation of the eye [degrees], see `Sheet`; from below if the latter is negative.

    Returns
    -------
    str
        A complete SVG document.
    """
    shapes, _, curves, _, _ = static_layout.draw_structure(structure)
    sheet = _sheet(shapes, curves, width, view)
    caption = "{}: {} blocks, {} supports".format(structure.name, len(structure.blocks), len(structure.supports))
    return sheet.page([_solids(sheet, shapes, 1.0), _curves(sheet, curves)], caption)


def draw_static(result, width=900, curves=(), view=None):
    """Draw a StaticResult: with the flow of its forces if it stands, and a moment later if it falls.

    Parameters
    ----------
    result : StaticResult
    width : int
        Of the picture [px].
    curves : list of drawing.Curve, optional
        Drawn instead of the flow of the forces, and named below.
    view : (float, float), optional
        As in `draw_structure`.

    Returns
    -------
    str
        A complete SVG document.
    """
    size = np.linalg.norm(np.ptp(result.structure.surfaces.vertices, axis=0))
    whole = static_layout.draw_static(result, displaced=FALLEN * size)
    given = [shape for shape in whole.shapes if shape.layer != "displaced"]
    if result.verdict == "stable":
        flow = None if curves else "thrust" if _told(result) else "network"
        shown = [curve for curve in whole.curves if curve.layer in (flow, "reactions", "loads", "cables")]
        bars = [bars for bars in whole.bars if bars.layer == flow]
        sheet = _sheet(given, shown, width, view)
        shown, bars = _in_sight(sheet, given, shown, bars, IN_SIGHT * result.structure.block_size)
        texts = _texts(sheet, whole.dots, ("reactions", "cables", "labels") if flow else ("reactions", "cables"))
        layers = [_solids(sheet, given, 1.0), _bars(sheet, bars), _curves(sheet, shown), texts]
    else:
        moving = {shape.block for shape in whole.shapes if shape.layer == "displaced"}
        later = [shape for shape in whole.shapes if shape.layer == "displaced" or shape.block not in moving]
        before = [shape for shape in given if shape.block in moving]
        sheet = _sheet(whole.shapes, [], width, view)
        layers = [_solids(sheet, before, 0.25), _solids(sheet, later, 1.0), _texts(sheet, whole.dots, ("first",))]
    return sheet.page(layers + [_curves(sheet, curves), _names(sheet, curves)], _caption(result))


def draw_dynamic(result, at=None, width=900, magnify=1.0, view=None):
    """Draw a moment of a DynamicResult over the structure as it stood.

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
    whole = motion_layout.draw_dynamic(result, at, magnify)
    later = [shape for shape in whole.shapes if shape.layer == "displaced"]
    given = [shape for shape in whole.shapes if shape.layer != "displaced"]
    sheet = _sheet(whole.shapes, [], width, view)
    verdict = "stands for" if result.verdict == "stable" else "falls within"
    caption = "{} {} {:.3g} s; here at {:.3g} s".format(result.structure.name, verdict, result.times[-1], at)
    if magnify != 1.0:
        caption += ", displacements {:g} times as large".format(magnify)
    cables = [curve for curve in whole.curves if curve.layer == "cables"]
    layers = [_solids(sheet, given, 0.25), _solids(sheet, later, 1.0), _curves(sheet, cables)]
    return sheet.page(layers + [_texts(sheet, whole.dots, ("cables",))], caption)


def _told(result):
    """Whether the thrust lines pass through most of the joints that carry a force."""
    return sum(map(len, result.thrust_lines())) >= TOLD * max(result.joints.loaded.sum(), 1)


def _sheet(shapes, curves, width, view=None):
    """Seen almost from the front for an arch or a wall, from a corner for a dome or a vault."""
    points = np.concatenate([shape.vertices for shape in shapes])
    x, y, _ = np.ptp(points, axis=0)
    points = np.concatenate([points] + [curve.points for curve in curves])
    if view is not None:
        return Sheet(points, width, *view)
    if y < 0.35 * x:
        return Sheet(points, width, -14.0, 9.0)
    if x < 0.35 * y:
        return Sheet(points, width, 76.0, 9.0)
    return Sheet(points, width, -32.0, 24.0)


def _solids(sheet, shapes, opacity):
    """Faces turned to the eye of all blocks, far blocks first."""
    planes = [_planes(shape.vertices, shape.faces) for shape in shapes]
    paper = [sheet(shape.vertices) for shape in shapes]
    solids = [(shape.vertices, *own) for shape, own in zip(shapes, planes)]
    paths = []
    for i in order(solids, paper, sheet.towards):
        normals, middles = planes[i]
        seen = np.flatnonzero(normals @ sheet.towards > 1e-9)
        for k in seen[np.argsort(middles[seen] @ sheet.towards, kind="stable")].tolist():
            fill = _shade(shapes[i].colour, normals[k])
            paths.append('<path d="{}" fill="{}"/>'.format(_path(paper[i][shapes[i].faces[k]]), fill))
    style = 'stroke="{}" stroke-width="0.8" stroke-linejoin="round" opacity="{}"'.format(EDGE, opacity)
    return "<g {}>{}</g>".format(style, "".join(paths))


def _in_sight(sheet, shapes, curves, many, limit):
    """Arrows and bars without those that lie deep behind blocks."""
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


def _planes(vertices, faces):
    """Unit normals outwards and middles of the faces: (f, 3), (f, 3)."""
    corners = [vertices[face] for face in faces]
    return np.array([_newell(c) for c in corners]), np.array([c.mean(axis=0) for c in corners])


def _newell(corners):
    """Unit normal of a polygon, also of one that is not quite planar."""
    corners = corners - corners[0]
    normal = cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
    return normal / max(np.linalg.norm(normal), 1e-300)


def _shade(colour, normal):
    bright = 0.8 + 0.2 * (normal @ LIGHT) / np.linalg.norm(LIGHT)
    return _hex(np.clip(bright * np.array(colour), 0, 255))


def _hex(colour):
    return "#{:02x}{:02x}{:02x}".format(*(int(part) for part in colour))


def _bars(sheet, many):
    """Lines as wide as the bars."""
    lines = []
    for bars in many:
        ends = sheet(bars.ends).reshape(-1, 2, 2)
        wide = np.maximum(sheet.scale * bars.width, 0.5)
        lines += ['<path d="{}" stroke-width="{:.2f}"/>'.format(_path(pair, ""), w) for pair, w in zip(ends, wide)]
        lines = ['<g fill="none" stroke="{}" stroke-linecap="round">{}</g>'.format(_hex(bars.colour), "".join(lines))]
    return "".join(lines)


def _curves(sheet, curves):
    return "".join(_arrow(sheet(c.points), _hex(c.colour)) if c.tip else _line(sheet(c.points), c) for c in curves)


def _names(sheet, curves):
    """Names of curves in their colours, at the top right."""
    style = '<text x="{}" y="{}" text-anchor="end" fill="{}">{}</text>'
    rows = [style.format(sheet.width - 24, 24 + 18 * k, _hex(c.colour), escape(c.name)) for k, c in enumerate(curves)]
    return '<g {} font-size="14">{}</g>'.format(FONT, "".join(rows))


def _line(points, curve):
    style = 'fill="none" stroke="{}" stroke-width="2.6" stroke-linejoin="round"'.format(_hex(curve.colour))
    return '<path d="{}" {}/>'.format(_path(points, ""), style)


def _arrow(ends, colour):
    """A line with a head, which is shorter than the line however small that is."""
    along = ends[1] - ends[0]
    size = max(np.linalg.norm(along), 1e-9)
    head = min(11.0, 0.5 * size)
    along = along / size
    neck, side = ends[1] - head * along, 0.36 * head * np.array([-along[1], along[0]])
    shaft = '<path d="{}" stroke="{}" stroke-width="2" fill="none"/>'.format(_path([ends[0], neck], ""), colour)
    return shaft + '<path d="{}" fill="{}"/>'.format(_path([ends[1], neck + side, neck - side]), colour)


def _texts(sheet, dots, layers):
    """Texts of some layers, unless there are so many on one that they hide the drawing, or one another."""
    parts, taken = [], []
    for layer in layers:
        own = [dot for dot in dots if dot.layer == layer]
        if len(own) > MOST_LABELS:
            continue
        for dot, (x, y) in zip(own, sheet([dot.point for dot in own])):
            place = _free(x, y + 14, 0.5 * LETTER * len(dot.text), taken, 1 if layer == "first" else 3)
            if place is None:
                continue
            taken.append(place)
            style = 'fill="{}" stroke="#ffffff" stroke-width="3" paint-order="stroke"'.format(_hex(_ink(dot.colour)))
            parts.append('<text x="{:.1f}" y="{:.1f}" {}>{}</text>'.format(*place[:2], style, escape(dot.text)))
    return '<g {} font-size="12" text-anchor="middle">{}</g>'.format(FONT, "".join(parts))


def _free(x, y, half, taken, rows):
    """Where a text of this half width hides no other: here or some lines lower; None if nowhere [px]."""
    for low in (LINE * k for k in range(rows)):
        if all(abs(x - xo) > half + other or abs(y + low - yo) >= LINE for xo, yo, other in taken):
            return x, y + low, half
    return None


def _ink(colour):
    """A colour dark enough for letters, however thin."""
    return tuple(int(c * min(1.0, BRIGHTEST_INK / max(sum(colour), 1))) for c in colour)


def _path(points, close="Z"):
    return "M" + "L".join("{:.2f} {:.2f}".format(x, y) for x, y in points) + close


def _caption(result):
    numbers = result.summary
    parts = "{blocks} blocks, {interfaces} joints".format(**numbers)
    weight = "weight {:.1f} kN".format(numbers["weight_total"] / 1e3)
    if result.verdict != "stable":
        return "{} falls. {}, {}".format(result.structure.name, parts, weight)
    exact = "in balance to {:.0e} of a block's weight".format(numbers["unbalanced_max"])
    return "{} stands. {}, {}, {}".format(result.structure.name, parts, weight, exact)
