"""Parts of a drawing: polyhedra, bars, curves and dots, with their layers and colours."""

from typing import List, NamedTuple, Optional, Tuple

import numpy as np

from compas_nscd.geometry.vectors import tangents

#: Red, green, blue, 0 to 255.
Colour = Tuple[int, int, int]

#: Layers in order, with their colours.
LAYERS = {
    "blocks": (233, 226, 211),
    "supports": (141, 138, 131),
    "forces": (184, 67, 31),
    "reactions": (122, 40, 18),
    "moments": (150, 60, 120),
    "loads": (90, 60, 140),
    "cables": (46, 125, 70),
    "thrust": (11, 93, 140),
    "network": (70, 140, 180),
    "stress": (46, 90, 160),
    "displaced": (217, 164, 65),
    "first": (176, 112, 14),
    "paths": (90, 60, 140),
    "cracks": (200, 30, 40),
    "labels": (40, 40, 40),
    "legend": (40, 40, 40),
}
#: Layers that hide the others: hidden until the user shows them.
ASIDE = ("network", "stress")
COMPRESSION = (46, 90, 160)
TENSION = (200, 30, 40)


class Shape(NamedTuple):
    """A polyhedron."""

    layer: str
    name: str
    vertices: np.ndarray  # [m] (n, 3)
    faces: List[List[int]]
    colour: Colour
    block: int  # index; -1 if it is none
    face_colours: Optional[List[Colour]] = None  # one per face, in place of `colour`


class Bars(NamedTuple):
    """Straight bars of triangular section, drawn as one object."""

    layer: str
    name: str
    ends: np.ndarray  # [m] (n, 2, 3)
    width: np.ndarray  # [m] (n,)
    strength: np.ndarray  # [N] or [Pa] (n,): magnitude of the force or stress
    colour: Colour

    def shape(self) -> Shape:
        """Return all bars as one polyhedron, open at the ends."""
        along = self.ends[:, 1] - self.ends[:, 0]
        length = np.linalg.norm(along, axis=1)
        first, second = tangents(along / np.where(length > 0.0, length, 1.0)[:, None] + (length == 0.0)[:, None])
        angle = np.radians([90.0, 210.0, 330.0])[:, None]
        around = np.cos(angle) * first[:, None] + np.sin(angle) * second[:, None]
        around *= 0.5 * self.width[:, None, None]
        vertices = (self.ends[:, :, None] + around[:, None]).reshape(-1, 3)
        sides = np.array([[k, (k + 1) % 3, 3 + (k + 1) % 3, 3 + k] for k in range(3)])
        faces = (6 * np.arange(len(along))[:, None, None] + sides).reshape(-1, 4)
        return Shape(self.layer, self.name, vertices, faces.tolist(), self.colour, -1)


class Curve(NamedTuple):
    """A polyline; an arrow if `tip`, pointing to its last point."""

    layer: str
    name: str
    points: np.ndarray  # [m] (n, 3)
    colour: Colour
    tip: bool
    value: float  # [N] for a force, [-] for a crack, else NaN


class Dot(NamedTuple):
    """Text at a point."""

    layer: str
    text: str
    point: np.ndarray  # [m] (3,)
    colour: Colour


class Drawing(NamedTuple):
    """Everything to be drawn, and a legend of texts and colours."""

    shapes: List[Shape]
    bars: List[Bars]
    curves: List[Curve]
    dots: List[Dot]
    legend: List[Tuple[str, Colour]]

    def layers(self) -> List[str]:
        """Return the names of the layers in use, in order."""
        used = {item.layer for part in self[:4] for item in part}
        return [name for name in LAYERS if name in used]


def legend_dots(drawing: Drawing) -> List[Dot]:
    """Return the legend as a column of dots beside the drawing."""
    corners = np.concatenate([shape.vertices for shape in drawing.shapes] or [np.zeros((1, 3))])
    low, high = corners.min(axis=0), corners.max(axis=0)
    step = 0.06 * max((high - low).max(), 1e-3)
    return [
        Dot("legend", text, np.array([high[0] + 2.0 * step, low[1], high[2] - k * step]), colour)
        for k, (text, colour) in enumerate(drawing.legend)
    ]


def ramp(share: float, low: Colour = (236, 231, 219), high: Colour = COMPRESSION) -> Colour:
    """Return the colour between two at a share from 0 to 1."""
    share = min(max(float(share), 0.0), 1.0)
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(low, high))
    return red, green, blue


def round_factor(factor: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at most a factor of 1 or more."""
    unit = 10.0 ** np.floor(np.log10(max(factor, 1.0)))
    return float(max(m * unit for m in (1.0, 2.0, 5.0) if m * unit <= max(factor, 1.0)))
