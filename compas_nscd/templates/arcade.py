"""Walls carried by arches: one arch under spandrels, a bridge, an aqueduct."""

from __future__ import annotations

import math
from collections.abc import Sequence

from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.coursework import Arched, Coursework, beds, bonded_leaves, joined, lay_ring, ring_beds
from compas_nscd.templates.parts.limits import pieces
from compas_nscd.templates.parts.parameters import require, require_choice, require_count, require_positive
from compas_nscd.templates.parts.profiles import BASKET_ANGLE, profile
from compas_nscd.templates.parts.rings import Ring
from compas_nscd.templates.parts.rings import ring as make_ring
from compas_nscd.templates.parts.shapes import Masonry, box

#: Shapes with horizontal springing joints, on which courses can stand.
SHAPES = ("semicircular", "pointed", "elliptical", "basket")
#: Least height of the course above or below a ring [nominal height]. Smaller: slivers.
LOWEST_COURSE = 0.3


def opening_ring(shape: str, span: float, rise: float | None, thickness: float, voussoirs: int) -> Ring:
    """Ring around an opening; span and rise are those of the intrados [m]. Errors call the thickness `ring`."""
    require_choice("shape", shape, SHAPES)
    require_positive(span=span, ring=thickness)
    require_count("voussoirs", voussoirs, 3)
    half = (span + thickness) / 2
    if rise is None:
        rise = span * {"semicircular": 0.5, "pointed": math.sqrt(0.75)}.get(shape, 1 / 3)
    flattest = half * (1 - math.sin(BASKET_ANGLE)) / math.cos(BASKET_ANGLE) - thickness / 2
    bounds = {
        "pointed": (span / 2, math.inf),
        "basket": (max(0.0, flattest), span / 2),
        "elliptical": (0.0, math.inf),
    }
    if shape == "semicircular":
        require("rise", rise, span / 2, span / 2, strict=False)
    else:
        require("rise", rise, bounds[shape][0], bounds[shape][1])
    centre_line = "circular" if shape == "semicircular" else shape
    central = half if shape == "semicircular" else rise + thickness / 2
    require("ring", thickness, 0.0, 2 * profile(centre_line, 2 * half, central).least_radius)
    return make_ring(centre_line, 2 * half, central, thickness, voussoirs)


class Tier:
    """A row of arches on piers.

    Parameters
    ----------
    ring : Ring
        Of every arch.
    centres : list of float
        x of the arches [m].
    span : float
        Clear [m].
    foot, springing : float
        z of the sills of the openings, and of the springings [m].
    """

    def __init__(self, ring: Ring, centres: Sequence[float], span: float, foot: float, springing: float) -> None:
        self.ring, self.centres, self.foot, self.springing = ring, centres, foot, springing
        self.crown = springing + ring.extrados[-1][1]
        self.voids = [Arched(centre, span / 2, foot, springing, ring.extrados) for centre in centres]

    def beds(self, course: float) -> list[float]:
        """Beds from the foot of the openings to the crown of the rings."""
        above = ring_beds(self.springing, self.ring.extrados, course)
        return joined(beds(self.foot, self.springing, course), above) if self.springing > self.foot else above

    def lay_rings(self, masonry: Masonry, prefix: str, leaves: Sequence[Sequence[float]]) -> None:
        """Lay the rings of all arches."""
        for i, centre in enumerate(self.centres):
            name = "{}a{}".format(prefix, i) if len(self.centres) > 1 else prefix
            lay_ring(masonry, name, self.ring, centre, self.springing, leaves)

    def lay_bases(
        self,
        masonry: Masonry,
        left: float,
        right: float,
        thickness: float,
        y0: float,
        y1: float,
        prefix: str = "",
    ) -> None:
        """Lay supports below the stretches of wall between the openings, slightly larger than these [m]."""
        half = self.voids[0].clear
        margin = min(0.2, 0.5 * half)
        starts = [left] + [centre + half for centre in self.centres]
        ends = [centre - half for centre in self.centres] + [right]
        for i, (a, b) in enumerate(zip(starts, ends)):
            lower, upper = (a - margin, y0 - margin, self.foot - thickness), (b + margin, y1 + margin, self.foot)
            masonry.lay("{}base{}".format(prefix, i), box(lower, upper), support=True)


def axes(left: float, span: float, pier: float, count: int) -> list[float]:
    """x of arches in a row; the first opening begins at `left` [m]."""
    return [left + span / 2 + i * (span + pier) for i in range(count)]


def spandrel_wall(
    width: float = 16.2,
    height: float = 5.0,
    depth: float = 0.8,
    span: float = 7.6,
    ring: float = 0.6,
    voussoirs: int = 27,
    springing: float = 0.0,
    course: float = 0.25,
    length: float = 0.6,
    shape: str = "semicircular",
    rise: float | None = None,
    density: float = 1800.0,
    friction: float = 0.4,
) -> Structure:
    """A wall on an arch: courses are cut to the polygonal extrados of its ring.

    Parameters
    ----------
    width, height, depth : float
        Of the wall, along x, z, y [m].
    span : float
        Clear, of the opening in the middle [m].
    ring : float
        Thickness of the arch [m].
    voussoirs : int
        In the ring.
    springing : float
        Height of the jambs below the arch [m].
    course, length : float
        About the height and the length of a block [m]; adjusted so that whole numbers fit.
    shape : {"semicircular", "pointed", "elliptical", "basket"}
        Of the arch.
    rise : float, optional
        Of the intrados above the springing [m]. Default: half the span if semicircular, 0.866 of it if pointed, a
        third otherwise.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``base0`` and ``base1``, voussoirs ``v0`` ... from right to left, blocks ``c0b0`` ... course by course.
    """
    require_positive(depth=depth, course=course, length=length, density=density)
    at_ground = isinstance(springing, (int, float)) and springing == 0.0
    require("springing", springing, 0.0 if at_ground else LOWEST_COURSE * course, strict=False)
    cut = opening_ring(shape, span, rise, ring, voussoirs)
    require("width", width, span + 2 * ring)
    tier = Tier(cut, [0.0], span, 0.0, springing)
    require("height", height, tier.crown + LOWEST_COURSE * course, strict=False)

    masonry = Masonry(density)
    tier.lay_bases(masonry, -width / 2, width / 2, 0.5, 0.0, depth)
    tier.lay_rings(masonry, "", [[0.0, depth]])
    levels = joined(tier.beds(course), beds(tier.crown, height, course))
    Coursework(masonry, -width / 2, width / 2, length).lay("", levels, [[0.0, depth]], tier.voids)
    return masonry.structure("spandrel_wall", friction)


def bridge(
    arches: int = 3,
    span: float = 6.0,
    ring: float = 0.5,
    voussoirs: int = 17,
    pier: float = 1.6,
    pier_height: float = 2.0,
    abutment: float = 2.4,
    cover: float = 0.4,
    depth: float = 3.2,
    wall: float = 0.6,
    course: float = 0.4,
    length: float = 0.8,
    shape: str = "semicircular",
    rise: float | None = None,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """A stone bridge: arches through the whole depth, and above them two spandrel walls with fill blocks between.

    Parameters
    ----------
    arches : int
        Number of arches.
    span, ring : float
        Clear span of an arch, and the thickness of its ring [m].
    voussoirs : int
        In a ring.
    pier, pier_height : float
        Length of a pier along the bridge, and its height up to the springing [m].
    abutment : float
        Length of the masonry at each end [m].
    cover : float
        From the crown of the rings to the top [m].
    depth : float
        Of the bridge, along y [m].
    wall : float
        Thickness of each spandrel wall [m].
    course, length : float
        About the height and the length of a block [m]; fill blocks are twice as long.
    shape : {"semicircular", "pointed", "elliptical", "basket"}
        Of the arches.
    rise : float, optional
        Of the intrados above the springing [m]. Default: half the span if semicircular, 0.866 of it if pointed, a
        third otherwise.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``base0`` ..., piers and abutments ``pier-c0b0y0`` ..., rings ``a0v0y0`` ..., spandrel walls
        ``front-c0b0`` ... and ``back-c0b0`` ..., ``fill-c0b0`` ...
    """
    require_count("arches", arches, 1)
    require_positive(cover=cover, depth=depth, course=course, length=length, density=density, pier_height=pier_height)
    cut = opening_ring(shape, span, rise, ring, voussoirs)
    require("pier", pier, 2 * ring)
    require("abutment", abutment, ring)
    require("wall", wall, 0.0, depth / 2)
    right = (arches * span + (arches - 1) * pier) / 2 + abutment
    tier = Tier(cut, axes(abutment - right, span, pier, arches), span, 0.0, pier_height)

    masonry = Masonry(density)
    leaves = bonded_leaves(0.0, depth, pieces("length", depth, 1.5 * length))
    tier.lay_bases(masonry, -right, right, course, 0.0, depth)
    facing, core = Coursework(masonry, -right, right, length), Coursework(masonry, -right, right, 2 * length)
    facing.lay("pier-", beds(0.0, pier_height, course), leaves, tier.voids)
    tier.lay_rings(masonry, "" if arches > 1 else "a0", leaves)
    levels = joined(ring_beds(pier_height, cut.extrados, course), beds(tier.crown, tier.crown + cover, course))
    facing.lay("front-", levels, [[0.0, wall]], tier.voids)
    facing.lay("back-", levels, [[depth - wall, depth]], tier.voids)
    core.lay("fill-", levels, [[wall, depth - wall]], tier.voids)
    return masonry.structure("bridge", friction)


def aqueduct(
    arches: int = 4,
    span: float = 5.0,
    ring: float = 0.5,
    voussoirs: int = 15,
    pier: float = 1.6,
    pier_height: float = 4.0,
    upper_arches: int = 8,
    upper_pier: float = 1.1,
    upper_pier_height: float = 1.6,
    upper_ring: float = 0.35,
    upper_voussoirs: int = 11,
    end: float = 1.6,
    cover: float = 0.4,
    depth: float = 1.6,
    upper_depth: float = 1.2,
    course: float = 0.4,
    length: float = 0.8,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """An aqueduct of two tiers of semicircular arches, the upper one on the top of the lower.

    Parameters
    ----------
    arches, upper_arches : int
        Number of arches of the tiers.
    span, ring : float
        Clear span of a lower arch, and the thickness of its ring [m]. The upper span is what is left between piers.
    voussoirs, upper_voussoirs : int
        In a ring.
    pier, pier_height, upper_pier, upper_pier_height : float
        Length of a pier along the aqueduct, and its height up to the springing [m].
    upper_ring : float
        Thickness of an upper ring [m].
    end : float
        Length of the masonry at each end [m].
    cover : float
        From the crown of the rings to the top of each tier [m].
    depth, upper_depth : float
        Of the tiers, along y [m].
    course, length : float
        About the height and the length of a block [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``base0`` ..., rings ``lower-a0v0`` ... and courses ``lower-c0b0`` ..., and the same for ``upper-``.
    """
    require_count("arches", arches, 2)
    require_count("upper_arches", upper_arches, 2)
    require_positive(cover=cover, course=course, length=length, density=density, depth=depth)
    require_positive(pier_height=pier_height, upper_pier_height=upper_pier_height, upper_depth=upper_depth)
    require_positive(span=span, ring=ring, upper_ring=upper_ring)
    require("upper_depth", upper_depth, 0.0, depth, strict=False)
    require("pier", pier, 2 * ring)
    require("end", end, max(ring, upper_ring))
    total = arches * span + (arches - 1) * pier + 2 * end
    require("upper_pier", upper_pier, 2 * upper_ring, (total - 2 * end) / (upper_arches - 1))
    upper_span = (total - 2 * end - (upper_arches - 1) * upper_pier) / upper_arches

    masonry = Masonry(density)
    work = Coursework(masonry, 0.0, total, length)
    cut = opening_ring("semicircular", span, None, ring, voussoirs)
    lower = Tier(cut, axes(end, span, pier, arches), span, 0.0, pier_height)
    floor = lower.crown + cover
    cut = opening_ring("semicircular", upper_span, None, upper_ring, upper_voussoirs)
    upper = Tier(cut, axes(end, upper_span, upper_pier, upper_arches), upper_span, floor, floor + upper_pier_height)
    lower.lay_bases(masonry, 0.0, total, course, 0.0, depth)
    set_back = (depth - upper_depth) / 2
    for tier, prefix, faces in ((lower, "lower-", [0.0, depth]), (upper, "upper-", [set_back, depth - set_back])):
        tier.lay_rings(masonry, prefix, [faces])
        levels = joined(tier.beds(course), beds(tier.crown, tier.crown + cover, course))
        work.lay(prefix, levels, [faces], tier.voids)
    return masonry.structure("aqueduct", friction)
