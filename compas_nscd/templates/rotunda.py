"""Round buildings: a cylinder over a polygonal hole, and a cupola on pillars."""

from __future__ import annotations

import math

from compas_nscd.model.structure import Structure
from compas_nscd.templates.dome import lay_courses
from compas_nscd.templates.parts.parameters import require, require_count, require_positive
from compas_nscd.templates.parts.shapes import Masonry
from compas_nscd.templates.parts.shells import Meridian, Shell, rectangle


def cylinder(
    radius: float = 2.6,
    thickness: float = 0.6,
    height: float = 0.3,
    courses: int = 10,
    sectors: int = 24,
    rings: int = 1,
    opening: float = 2.42,
    sides: int = 8,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """A hollow cylinder of radial blocks in running bond over a polygonal hole, which its bottom course overhangs.

    Parameters
    ----------
    radius, thickness : float
        Outside, and of the wall [m].
    height : float
        Of a course [m].
    courses, sectors, rings : int
        Blocks from bottom to top, around, and through the wall; every second course has half blocks at both faces.
    opening : float
        Radius of the circle through the corners of the hole [m]; its sides cut closer to the centre.
    sides : int
        Of the hole.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``base0`` ... around the hole, then blocks ``c0s0`` ... (``c0s0r0`` ... if there are several rings).
    """
    require_positive(radius=radius, height=height, density=density)
    require("thickness", thickness, 0.0, radius)
    require_count("courses", courses, 1)
    require_count("sectors", sectors, 3)
    require_count("rings", rings, 1)
    require_count("sides", sides, 3, 360)
    # the wall must cover the corners of the hole also at the middle of its own facets
    require("opening", opening, 0.0, radius * math.cos(math.pi / sectors))

    masonry = Masonry(density)
    base = Shell(sides, math.pi / sides)
    outline = rectangle(opening, (radius + 0.4) / math.cos(math.pi / sides), -height, 0.0)
    for k in range(sides):
        masonry.lay("base{}".format(k), base.stone(outline, k, k + 1), support=True)
    inner, step = radius - thickness, thickness / rings
    whole = [inner + r * step for r in range(rings)] + [radius]
    halves = [inner] + [inner + (r + 0.5) * step for r in range(rings)] + [radius] if rings > 1 else whole
    courses_of = ((Shell(sectors), whole), (Shell(sectors, math.pi / sectors), halves))
    for course in range(courses):
        (shell, cuts), low = courses_of[course % 2], course * height
        for k in range(sectors):
            for r, (a, b) in enumerate(zip(cuts, cuts[1:])):
                name = "c{}s{}".format(course, k) + ("r{}".format(r) if rings > 1 else "")
                masonry.lay(name, shell.stone(rectangle(a, b, low, low + height), k, k + 1))
    return masonry.structure("cylinder", friction)


def cupola(
    radius: float = 4.0,
    thickness: float = 0.4,
    oculus: float = 1.0,
    courses: int = 12,
    pillars: int = 5,
    blocks: int = 4,
    pillar_height: float = 2.0,
    drums: int = 4,
    lintel: float = 0.5,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """A hemispherical cupola in running bond with an oculus, on a ring of lintels that rests on pillars.

    Parameters
    ----------
    radius, thickness : float
        Of the middle surface, and through it [m].
    oculus : float
        Diameter of the opening on the middle surface [m].
    courses : int
        From the lintels to the oculus.
    pillars : int
        Around the cupola.
    blocks : int
        In every course of the cupola from the axis of one pillar to the next.
    pillar_height : float
        Up to the lintels [m].
    drums : int
        Blocks of a pillar.
    lintel : float
        Height of the ring of lintels [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Per pillar a support ``base0`` ... and drums ``p0d0`` ..., ``lintel0`` ... from pillar to pillar, then blocks
        ``c0s0`` ... course by course.
    """
    require_positive(radius=radius, pillar_height=pillar_height, lintel=lintel, density=density)
    require("thickness", thickness, 0.0, 2 * radius)
    require("oculus", oculus, 0.0, 2 * radius)
    require_count("courses", courses, 1)
    require_count("pillars", pillars, 3)
    require_count("blocks", blocks, 2)
    require_count("drums", drums, 1)

    masonry = Masonry(density)
    shell = Shell(2 * blocks * pillars)
    meridian = Meridian(radius, radius, thickness)
    inner, outer = meridian.inner, meridian.outer
    drum = pillar_height / drums
    for p in range(pillars):
        axis, top = 2 * blocks * p, -lintel
        for d in range(-1, drums):  # two facets wide: as wide as a block of the cupola
            low = top - pillar_height + d * drum
            name = "p{}d{}".format(p, d) if d >= 0 else "base{}".format(p)
            masonry.lay(name, shell.stone(rectangle(inner, outer, low, low + drum), axis - 1, axis + 1), support=d < 0)
        masonry.lay("lintel{}".format(p), shell.stone(rectangle(inner, outer, top, 0.0), axis, axis + 2 * blocks))
    lay_courses(masonry, shell, meridian, meridian.latitude(oculus / 2), courses, 2)
    return masonry.structure("cupola", friction)
