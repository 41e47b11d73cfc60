"""What drawings are made of: faces, bars, curves, dots, with their layers and colours."""

from typing import NamedTuple

import numpy as np

from compas_nscd.geometry.vectors import tangents

#: Layers in order, with their colours: light stone, darker supports, a strong colour for each kind of thing.
LAYERS = {
    "blocks": (233, 226, 211),
    "supports": (141, 138, 131),
    "forces": (184, 67, 31),
    "reactions": (122, 40, 18),
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
#: Layers that would hide the others and are to be switched on by hand.
ASIDE = ("network", "stress")
COMPRESSION, TENSION = (46, 90, 160), (200, 30, 40)


class Shape(NamedTuple):
    """A polyhedron."""

    layer: str
    name: str
    vertices: np.ndarray  # [m] (n, 3)
    faces: list
    colour: tuple
    block: int  # -1 if it is none


class Bars(NamedTuple):
    """Many straight bars of triangular section that are one object."""

    layer: str
    name: str
    ends: np.ndarray  # [m] (n, 2, 3)
    width: np.ndarray  # [m] (n,)
    strength: np.ndarray  # [N] or [Pa] (n,): size of the force or stress
    colour: tuple

    def shape(self):
        """All of them as one polyhedron, open at the ends."""
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
    colour: tuple
    tip: bool
    value: float  # [N] of a force, [-] of a crack; nan of anything else


class Dot(NamedTuple):
    """Text at a point."""

    layer: str
    text: str
    point: np.ndarray  # [m] (3,)
    colour: tuple


class Drawing(NamedTuple):
    shapes: list
    bars: list
    curves: list
    dots: list
    legend: list  # (text, colour)

    def layers(self):
        """Names of the layers that have something on them, in order."""
        used = {item.layer for part in self[:4] for item in part}
        return [name for name in LAYERS if name in used]


def legend_dots(drawing):
    """The legend as dots below each other beside the drawing."""
    corners = np.concatenate([shape.vertices for shape in drawing.shapes] or [np.zeros((1, 3))])
    low, high = corners.min(axis=0), corners.max(axis=0)
    step = 0.06 * max((high - low).max(), 1e-3)
    return [
        Dot("legend", text, np.array([high[0] + 2.0 * step, low[1], high[2] - k * step]), colour)
        for k, (text, colour) in enumerate(drawing.legend)
    ]


def ramp(share, low=(236, 231, 219), high=COMPRESSION):
    """Colour between two, by a share from 0 to 1."""
    share = min(max(float(share), 0.0), 1.0)
    return tuple(int(round(a + share * (b - a))) for a, b in zip(low, high))
