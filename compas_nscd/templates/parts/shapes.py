"""Solids of the templates, and the masonry that collects them as blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import InputError
from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.limits import tell
from compas_nscd.templates.parts.parameters import require

#: Corner, or vertex of a polygon: (x, y, z) or (x, z) [m].
Point = tuple[float, float, float]
Corner = tuple[float, float]
Polygon = Sequence[Corner]
#: Vertices [m] and faces, outward.
Solid = tuple[list[Point], list[list[int]]]

#: Distance below which corners of a section are merged, and height below which a corner is straight [size of the
#: section]. Larger: wedges lose their tip. Smaller: rounding error leaves faces without area.
SAME = 1e-9
#: Greatest coefficient of friction [-]. Larger: solvers lose accuracy. Smaller: refuses values that mean "no sliding".
STICKIEST = 1000.0


@cache
def _loft_faces(corners: int, sections: int) -> list[list[int]]:
    """Faces of a loft, outward if the sections are counter-clockwise seen from the last one."""
    last = corners * (sections - 1)
    faces = [list(range(corners - 1, -1, -1)), list(range(last, last + corners))]
    for start in range(0, last, corners):
        for i in range(corners):
            j = (i + 1) % corners
            faces.append([start + i, start + j, start + corners + j, start + corners + i])
    return faces


def loft(*sections: Sequence[Point]) -> Solid:
    """Solid through polygons of corresponding corners, each counter-clockwise seen from the last one.

    Parameters
    ----------
    *sections : list of (x, y, z)
        Two or more [m]; quadrilaterals between neighbours must be planar.

    Returns
    -------
    (list of (x, y, z), list of list of int)
        Vertices [m] and faces, outward.
    """
    return [point for section in sections for point in section], _loft_faces(len(sections[0]), len(sections))


def box(lower: Point, upper: Point) -> Solid:
    """Box between its lower and upper corner [m], faces normal to the axes."""
    (x0, y0, z0), (x1, y1, z1) = lower, upper
    plan = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    return loft([(x, y, z0) for x, y in plan], [(x, y, z1) for x, y in plan])


def prism(polygon: Polygon, y0: float, y1: float) -> Solid:
    """Prism over a polygon of (x, z) of either orientation, between y0 < y1 [m]."""
    polygon = tidy(polygon)
    if len(polygon) < 3:
        remedy = "Lengths that are given must not differ by more than a factor of a million."
        raise InputError("A block of the template would have no volume.", remedy=remedy)
    if area(polygon) < 0.0:
        polygon = polygon[::-1]
    # Seen from -y, x runs to the right and z up: the section at y0 is the last one.
    return loft([(x, y1, z) for x, z in polygon], [(x, y0, z) for x, z in polygon])


def turned(solid: Solid, quarters: int) -> Solid:
    """The solid rotated by quarter turns about z, from x towards y."""
    vertices, faces = solid
    for _ in range(quarters):
        vertices = [(-y, x, z) for x, y, z in vertices]
    return vertices, faces


def area(polygon: Polygon) -> float:
    """Area of a polygon of (x, z); negative if clockwise [m2]."""
    total, (xa, za) = 0.0, polygon[-1]
    for xb, zb in polygon:
        total += xa * zb - xb * za
        xa, za = xb, zb
    return 0.5 * total


def tidy(polygon: Polygon) -> list[Corner]:
    """The polygon without repeated corners and without corners on a straight edge."""
    polygon = list(polygon)
    size = max(abs(x - polygon[0][0]) + abs(z - polygon[0][1]) for x, z in polygon)
    apart = [p for p, q in zip(polygon, polygon[1:] + polygon[:1]) if abs(p[0] - q[0]) + abs(p[1] - q[1]) > SAME * size]
    out = []
    for i, (x, z) in enumerate(apart):
        (xa, za), (xb, zb) = apart[i - 1], apart[(i + 1) % len(apart)]
        if abs((x - xa) * (zb - za) - (xb - xa) * (z - za)) > SAME * size * size:
            out.append((x, z))
    return out


class Masonry:
    """Collects blocks of one density.

    Parameters
    ----------
    density : float
        [kg/m3]
    """

    def __init__(self, density: float) -> None:
        self.density = density
        self.blocks: list[Block] = []

    def lay(self, name: str, solid: Solid, support: bool = False) -> None:
        """Add a solid as a block."""
        vertices, faces = solid
        self.blocks.append(Block(vertices, faces, self.density, name=name, support=support))
        if len(self.blocks) % 1000 == 0:
            tell(len(self.blocks), "laid")

    def structure(self, name: str, friction: float) -> Structure:
        """The structure of all blocks, with one coefficient of friction [-]."""
        require("friction", friction, 0.0, STICKIEST, strict=False)
        return Structure(self.blocks, law=ContactLaw(friction=friction), name=name)
