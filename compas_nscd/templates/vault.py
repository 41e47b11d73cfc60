"""Vaults: a barrel in bond, and a groin vault over a square bay."""

from __future__ import annotations

import math

from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.coursework import SHORTEST
from compas_nscd.templates.parts.limits import pieces
from compas_nscd.templates.parts.parameters import require_count, require_odd, require_positive
from compas_nscd.templates.parts.rings import ring
from compas_nscd.templates.parts.shapes import Corner, Masonry, Solid, box, loft, prism, turned


def barrel_vault(
    span: float = 6.0,
    thickness: float = 0.45,
    length: float = 5.0,
    courses: int = 19,
    blocks: int = 8,
    rise: float | None = None,
    shape: str = "circular",
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """A barrel vault along y: courses of voussoirs in running bond between two fixed springers.

    Parameters
    ----------
    span, thickness : float
        Of the centre line, and through the vault [m].
    length : float
        Along the axis, y [m].
    courses, blocks : int
        From springing to springing, and along the axis.
    rise : float, optional
        Of the centre line [m]; the default depends on the shape, see `arch`.
    shape : {"circular", "pointed", "elliptical", "basket", "catenary"}
        Of the centre line.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Blocks ``c0b0`` ... course by course from the right springing, and the supports ``right`` and ``left``.
    """
    require_positive(length=length, density=density)
    require_count("courses", courses, 2)
    require_count("blocks", blocks, 1)
    cut = ring(shape, span, rise, thickness, courses)
    masonry = Masonry(density)
    whole = [length * i / blocks for i in range(blocks + 1)]
    halves = [0.0] + [length * (i + 0.5) / blocks for i in range(blocks)] + [length]
    for course, polygon in enumerate(cut.voussoirs):
        ends = halves if course % 2 else whole
        for i, (y0, y1) in enumerate(zip(ends, ends[1:])):
            masonry.lay("c{}b{}".format(course, i), prism(polygon, y0, y1))
    for name, side in (("right", 1), ("left", -1)):
        masonry.lay(name, prism(cut.springer(side, thickness), 0.0, length), support=True)
    return masonry.structure("barrel_vault", friction)


def groin_vault(
    span: float = 5.0,
    thickness: float = 0.3,
    courses: int = 15,
    length: float = 0.6,
    edge: float = 0.3,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """Two semicircular barrels that cross over a square bay, on four fixed corners; groin stones belong to both.

    Parameters
    ----------
    span, thickness : float
        Clear span of both barrels, and through the vault [m].
    courses : int
        From springing to springing; odd, so that there is a key.
    length : float
        About that of a block, along the axis of its barrel [m].
    edge : float
        Length of the barrels beyond the springing of the crossing one [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``pier0`` ... at the corners; per corner the groin stones ``g0c0`` ..., per barrel arm the blocks
        ``w0c0b0`` ... right and ``w0d0b0`` ... left of the crown, the crown ``w0k0`` ..., and the ``key``.
    """
    require_positive(span=span, thickness=thickness, length=length, edge=edge, density=density)
    require_odd("courses", courses, 3)
    bay = _Bay(span / 2, span / 2 + thickness, span / 2 + thickness + edge, math.pi / courses, length)
    masonry = Masonry(density)
    inner, end = bay.inner, bay.end
    for arm in range(4):
        solid = box((inner, inner, -2 * thickness), (end, end, 0.0))
        masonry.lay("pier{}".format(arm), turned(solid, arm), support=True)
    for course in range(courses // 2):
        outline, cuts = bay.course(course)
        for arm in range(4):
            masonry.lay("g{}c{}".format(arm, course), turned(bay.groin(outline, cuts[0]), arm))
            for i, (a, b) in enumerate(zip(cuts, cuts[1:])):
                along = loft([(b, h, z) for h, z in outline], [(a, h, z) for h, z in outline])
                masonry.lay("w{}c{}b{}".format(arm, course, i), turned(along, arm))
                along = loft([(h, a, z) for h, z in outline], [(h, b, z) for h, z in outline])
                masonry.lay("w{}d{}b{}".format((arm + 1) % 4, course, i), turned(along, arm))
    for arm in range(4):
        for i, solid in enumerate(bay.crown(courses // 2)):
            masonry.lay("w{}k{}".format(arm, i), turned(solid, arm))
    masonry.lay("key", bay.key())
    return masonry.structure("groin_vault", friction)


class _Bay:
    """The corner towards +x and +y of a groin vault, and the crown of the barrel towards +x.

    A barrel along x and one along y meet in the plane x = y: outlines of courses are (h, z), where h stands for y in
    the first and for x in the second, clockwise.
    """

    def __init__(self, inner: float, outer: float, end: float, step: float, length: float) -> None:
        self.inner, self.outer, self.end, self.step, self.length = inner, outer, end, step, length
        half = step / 2
        self.low = inner * math.sin(half), inner * math.cos(half)  # half width and height of the key, below and above
        self.high = outer * math.sin(half), outer * math.cos(half)

    def course(self, number: int) -> tuple[list[Corner], list[float]]:
        """Outline, and the joints from the end of the groin stone to the end of the barrel [m]."""
        a, b = number * self.step, (number + 1) * self.step
        corners = ((self.inner, a), (self.inner, b), (self.outer, b), (self.outer, a))
        outline = [(r * math.cos(t), r * math.sin(t)) for r, t in corners]
        return outline, self._cuts(number, max(h for h, _ in outline))

    def _cuts(self, number: int, nearest: float) -> list[float]:
        count = pieces("length", self.end, self.length)
        step = self.end / count
        places = [self.end - (k + 0.5 * (number % 2)) * step for k in range(count + 1)]
        inner = [x for x in places if nearest + SHORTEST * step < x < self.end]
        return sorted(inner) + [self.end]

    @staticmethod
    def groin(outline: list[Corner], arm: float) -> Solid:
        """L-shaped stone at the groin, up to `arm` along both barrels [m]."""
        sections = [(arm, h, z) for h, z in outline], [(h, h, z) for h, z in outline], [(h, arm, z) for h, z in outline]
        return loft(*sections)

    def crown(self, number: int) -> list[Solid]:
        """Stones of the crown from the key outwards; the first rests on the inclined side of the key."""
        (wi, zi), (wo, zo) = self.low, self.high
        outline = [(-wi, zi), (-wo, zo), (wo, zo), (wi, zi)]
        sections = [[(abs(h), h, z) for h, z in outline]]
        sections += [[(x, h, z) for h, z in outline] for x in self._cuts(number, wo)]
        return [loft(far, near) for near, far in zip(sections, sections[1:])]

    def key(self) -> Solid:
        """The stone at the crossing of the crowns."""
        corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        return loft(*[[(w * x, w * y, z) for x, y in corners] for w, z in (self.low, self.high)])
