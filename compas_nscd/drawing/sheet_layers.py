"""Shapes, bars, arrows and labels as SVG on a sheet: far blocks first, forces on top."""

from collections import Counter
from typing import List, Optional, Sequence, Tuple

import numpy as np

from compas_nscd.drawing import svg
from compas_nscd.drawing.depth_order import hidden, order
from compas_nscd.drawing.shapes import Bars, Curve, Dot, Shape
from compas_nscd.drawing.sheet import Sheet
from compas_nscd.geometry.vectors import cross

EDGE = "#4a4640"
#: Edges of the elements of a block, thinner than those of the block.
FINE_EDGE = ' stroke-width="0.2"'
#: Direction to the light.
LIGHT = np.array([0.35, -0.75, 0.55])
#: Labels of one layer. More hide the drawing and are left out.
MOST_LABELS = 8
#: Mean width of a letter of a label [px]. Smaller: labels overlap.
LETTER = 6.6
#: Height of a line of labels [px]. Smaller: labels overlap.
LINE = 14.0
#: Sum of the three components of a colour above which letters are drawn darker.
BRIGHTEST_INK = 200.0


def solids(sheet: Sheet, shapes: List[Shape], opacity: float) -> str:
    """Visible faces of all blocks, far blocks first."""
    planes = [face_planes(shape.vertices, shape.faces) for shape in shapes]
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


def in_sight(
    sheet: Sheet, shapes: List[Shape], curves: List[Curve], many: List[Bars], limit: float
) -> Tuple[List[Curve], List[Bars]]:
    """Arrows and bars without those more than `limit` [m] behind visible faces."""
    faces, depth = [], []
    for shape in shapes:
        paper, (normals, middles) = sheet(shape.vertices), face_planes(shape.vertices, shape.faces)
        for k in np.flatnonzero(normals @ sheet.towards > 1e-9).tolist():
            faces.append(paper[shape.faces[k]])
            depth.append(float(middles[k] @ sheet.towards))

    def seen(points):
        return ~hidden(sheet(points), points @ sheet.towards, faces, depth, limit)

    tips = np.array([curve.points[-1] for curve in curves]).reshape(-1, 3)
    curves = [curve for curve, shown in zip(curves, seen(tips)) if shown or not curve.tip]
    keep = [seen(bars.ends.mean(axis=1)) for bars in many]
    return curves, [bars._replace(ends=bars.ends[k], width=bars.width[k]) for bars, k in zip(many, keep)]


def face_planes(vertices: np.ndarray, faces: list) -> Tuple[np.ndarray, np.ndarray]:
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


def bar_lines(sheet: Sheet, many: List[Bars]) -> str:
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


def curve_lines(sheet: Sheet, curves: Sequence[Curve]) -> str:
    """Lines, and arrows of those that have a tip."""
    parts = []
    for curve in curves:
        points, colour = sheet(curve.points), svg.hex_colour(curve.colour)
        parts.append(_arrow(points, colour) if curve.tip else _line(points, colour))
    return "".join(parts)


def curve_names(sheet: Sheet, curves: Sequence[Curve]) -> str:
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


def labels(sheet: Sheet, dots: List[Dot], layers: Sequence[str]) -> str:
    """Labels of some layers; a layer with too many is left out, and a label that would cover another one too."""
    parts: List[str] = []
    taken: List[Tuple[float, float, float]] = []
    for layer in layers:
        own = [dot for dot in dots if dot.layer == layer]
        if len(own) > MOST_LABELS:
            continue
        for dot, (x, y) in zip(own, sheet([dot.point for dot in own])):
            place = free_place(x, y + 14, 0.5 * LETTER * len(dot.text), taken, 1 if layer == "first" else 3)
            if place is None:
                continue
            taken.append(place)
            parts.append(svg.text(place[:2], dot.text, 12, colour=svg.hex_colour(_ink(dot.colour)), halo=True))
    return "".join(parts)


def free_place(
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
