"""Closed polyhedra that the templates are built from, and the masonry that collects them."""

from functools import lru_cache

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import InputError
from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.limits import tell
from compas_nscd.templates.parts.parameters import require

#: Corners of a section closer than this are one, and corners that stand out less than this are straight [size of the
#: section]. Larger: wedges lose their tip. Smaller: rounding leaves faces without area.
SAME = 1e-9
#: Coefficient of friction beyond which a joint cannot slide for all that matters [-].
STICKIEST = 1000.0


@lru_cache(maxsize=None)
def _loft_faces(corners, sections):
    """Faces of a loft, outward when the sections run counter-clockwise seen from the last one."""
    last = corners * (sections - 1)
    faces = [list(range(corners - 1, -1, -1)), list(range(last, last + corners))]
    for start in range(0, last, corners):
        for i in range(corners):
            j = (i + 1) % corners
            faces.append([start + i, start + j, start + corners + j, start + corners + i])
    return faces


def loft(*sections):
    """Solid through polygons of corresponding corners, each counter-clockwise seen from the last one.

    Parameters
    ----------
    sections : list of (x, y, z)
        Two or more; quadrilaterals between neighbours must be planar.

    Returns
    -------
    (list of (x, y, z), list of list of int)
        Vertices [m] and faces, outward.
    """
    return [point for section in sections for point in section], _loft_faces(len(sections[0]), len(sections))


def box(lower, upper):
    """Solid with faces along the axes [m]."""
    (x0, y0, z0), (x1, y1, z1) = lower, upper
    plan = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    return loft([(x, y, z0) for x, y in plan], [(x, y, z1) for x, y in plan])


def prism(polygon, y0, y1):
    """Solid over a polygon of (x, z), either way round, between y0 < y1 [m]."""
    polygon = tidy(polygon)
    if len(polygon) < 3:
        remedy = "Lengths that are given must not differ by more than a factor of a million."
        raise InputError("A block of the template would have no volume.", remedy=remedy)
    if area(polygon) < 0.0:
        polygon = polygon[::-1]
    # Seen from -y, x runs to the right and z up: the section at y0 is the last one.
    return loft([(x, y1, z) for x, z in polygon], [(x, y0, z) for x, z in polygon])


def turned(solid, quarters):
    """The solid after quarter turns about z, from x towards y."""
    vertices, faces = solid
    for _ in range(quarters):
        vertices = [(-y, x, z) for x, y, z in vertices]
    return vertices, faces


def area(polygon):
    """Of a polygon of (x, z); negative if it runs clockwise [m2]."""
    total, (xa, za) = 0.0, polygon[-1]
    for xb, zb in polygon:
        total += xa * zb - xb * za
        xa, za = xb, zb
    return 0.5 * total


def tidy(polygon):
    """The polygon without repeated corners and without corners on a straight edge."""
    size = max(abs(x - polygon[0][0]) + abs(z - polygon[0][1]) for x, z in polygon)
    apart = [p for p, q in zip(polygon, polygon[1:] + polygon[:1]) if abs(p[0] - q[0]) + abs(p[1] - q[1]) > SAME * size]
    out = []
    for i, (x, z) in enumerate(apart):
        (xa, za), (xb, zb) = apart[i - 1], apart[(i + 1) % len(apart)]
        if abs((x - xa) * (zb - za) - (xb - xa) * (z - za)) > SAME * size * size:
            out.append((x, z))
    return out


class Masonry:
    """Blocks of one density in the making of a structure.

    Parameters
    ----------
    density : float
        [kg/m3]
    """

    def __init__(self, density):
        self.density = density
        self.blocks = []

    def lay(self, name, solid, support=False):
        """Add a solid, as `loft`, `box` and `prism` make them."""
        vertices, faces = solid
        self.blocks.append(Block(vertices, faces, self.density, name=name, support=support))
        if len(self.blocks) % 1000 == 0:
            tell(len(self.blocks), "laid")

    def structure(self, name, friction):
        require("friction", friction, 0.0, STICKIEST, strict=False)
        return Structure(self.blocks, law=ContactLaw(friction=friction), name=name)
