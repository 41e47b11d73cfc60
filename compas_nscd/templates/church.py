"""Macro-elements of a church: the facade with its gable, a wall of the nave, the apse."""

from __future__ import annotations

import math
from collections.abc import Sequence

from compas_nscd.model.structure import Structure
from compas_nscd.templates.arcade import Tier, axes, opening_ring
from compas_nscd.templates.dome import lay_bonded_half
from compas_nscd.templates.parts.coursework import Coursework, Window, beds, joined, rake
from compas_nscd.templates.parts.parameters import require, require_count, require_positive
from compas_nscd.templates.parts.shapes import Masonry, loft, prism
from compas_nscd.templates.parts.shells import Meridian, Shell, rectangle


class Lights:
    """Rectangular windows in a row, with lintels.

    Parameters
    ----------
    centres : list of float
        x [m]
    width, sill, height, lintel : float
        Width of a window, z of its sill, its height, and the height of its lintel [m].
    """

    def __init__(self, centres: Sequence[float], width: float, sill: float, height: float, lintel: float) -> None:
        bearing = 0.3 * width
        head = sill + height
        self.levels = (sill, head, head + lintel)
        self.openings = [Window(x - width / 2, x + width / 2, sill, head) for x in centres]
        self.lintels = [
            w._replace(left=w.left - bearing, right=w.right + bearing, low=head, high=head + lintel)
            for w in self.openings
        ]

    @property
    def voids(self) -> list[Window]:
        """Openings and lintels, which courses leave out."""
        return self.openings + self.lintels

    def beds(self, low: float, high: float, course: float) -> list[float]:
        """Beds from below the windows to above them."""
        sill, head, top = self.levels
        return joined(beds(low, sill, course), beds(sill, head, course), [head, top], beds(top, high, course))

    def lay_lintels(self, masonry: Masonry, y0: float, y1: float) -> None:
        """Lay the lintels between two values of y [m]."""
        for i, w in enumerate(self.lintels):
            polygon = [(w.left, w.low), (w.right, w.low), (w.right, w.high), (w.left, w.high)]
            masonry.lay("lintel{}".format(i), prism(polygon, y0, y1))


def facade(
    width: float = 12.0,
    eaves: float = 9.0,
    gable: float = 4.0,
    depth: float = 1.0,
    door: float = 2.4,
    door_height: float = 2.8,
    ring: float = 0.5,
    voussoirs: int = 11,
    window: float = 1.6,
    window_height: float = 2.0,
    course: float = 0.4,
    length: float = 0.8,
    density: float = 2000.0,
    friction: float = 0.6,
) -> Structure:
    """The facade of a church: a gabled wall with an arched door and a window above it.

    Parameters
    ----------
    width, eaves, gable : float
        Of the wall, its height at the sides, and how much higher it is in the middle [m].
    depth : float
        Of the wall, along y [m].
    door, door_height : float
        Clear width, and height up to the springing of its arch [m].
    ring : float
        Thickness of the arch [m].
    voussoirs : int
        In the arch.
    window, window_height : float
        Width and height of the window [m].
    course, length : float
        About the height and the length of a block [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``base0`` and ``base1``, the door's arch ``v0`` ..., ``lintel0``, and blocks ``c0b0`` ...; those of the
        gable are ``gable-c0b0`` ...
    """
    require_positive(gable=gable, depth=depth, course=course, length=length, density=density)
    require_positive(door=door, door_height=door_height)
    cut = opening_ring("semicircular", door, None, ring, voussoirs)
    require("width", width, door + 2 * ring)
    require("window", window, 0.0, width / 2)
    tier = Tier(cut, [0.0], door, 0.0, door_height)
    require("eaves", eaves, tier.crown + 3 * course)  # one course above the door, the lintel, one course above
    free = eaves - tier.crown - 3 * course
    require("window_height", window_height, 0.0, free)
    sill = tier.crown + course + (free - window_height) / 2
    lights = Lights([0.0], window, sill, window_height, course)

    masonry = Masonry(density)
    tier.lay_bases(masonry, -width / 2, width / 2, course, 0.0, depth)
    tier.lay_rings(masonry, "", [[0.0, depth]])
    lights.lay_lintels(masonry, 0.0, depth)
    work = Coursework(masonry, -width / 2, width / 2, length)
    levels = joined(tier.beds(course), lights.beds(tier.crown, eaves, course))
    work.lay("", levels, [[0.0, depth]], [*tier.voids, *lights.voids])
    sides = [rake(side * width / 2, eaves, 0.0, eaves + gable) for side in (-1, 1)]
    work.lay("gable-", beds(eaves, eaves + gable, course), [[0.0, depth]], ends=sides, shift=len(levels) % 2)
    return masonry.structure("facade", friction)


def nave_wall(
    arches: int = 4,
    span: float = 3.2,
    pier: float = 1.0,
    pier_height: float = 3.6,
    ring: float = 0.4,
    voussoirs: int = 13,
    end: float = 1.2,
    height: float = 10.5,
    depth: float = 0.8,
    window: float = 1.0,
    window_height: float = 1.6,
    course: float = 0.4,
    length: float = 0.8,
    density: float = 2000.0,
    friction: float = 0.6,
) -> Structure:
    """A wall of a nave: an arcade on piers, and above each arch a window of the clerestory.

    Parameters
    ----------
    arches : int
        Number of bays.
    span, ring : float
        Clear span of an arch, and the thickness of its ring [m].
    pier, pier_height : float
        Width of a pier, and its height up to the springing [m].
    voussoirs : int
        In a ring.
    end : float
        Length of the masonry at each end [m].
    height, depth : float
        Of the wall, along z and y [m].
    window, window_height : float
        Width and height of a window [m].
    course, length : float
        About the height and the length of a block [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``base0`` ..., rings ``a0v0`` ..., ``lintel0`` ..., and blocks ``c0b0`` ... course by course.
    """
    require_count("arches", arches, 1)
    require_positive(depth=depth, course=course, length=length, density=density, pier_height=pier_height)
    cut = opening_ring("semicircular", span, None, ring, voussoirs)
    require("pier", pier, 2 * ring)
    require("end", end, ring)
    require("window", window, 0.0, (span + pier) / 2)
    total = arches * span + (arches - 1) * pier + 2 * end
    tier = Tier(cut, axes(end, span, pier, arches), span, 0.0, pier_height)
    require("height", height, tier.crown + 3 * course)
    free = height - tier.crown - 3 * course
    require("window_height", window_height, 0.0, free)
    sill = tier.crown + course + (free - window_height) / 2
    lights = Lights(tier.centres, window, sill, window_height, course)

    masonry = Masonry(density)
    tier.lay_bases(masonry, 0.0, total, course, 0.0, depth)
    tier.lay_rings(masonry, "", [[0.0, depth]])
    lights.lay_lintels(masonry, 0.0, depth)
    levels = joined(tier.beds(course), lights.beds(tier.crown, height, course))
    Coursework(masonry, 0.0, total, length).lay("", levels, [[0.0, depth]], [*tier.voids, *lights.voids])
    return masonry.structure("nave_wall", friction)


def apse(
    radius: float = 3.0,
    thickness: float = 0.6,
    height: float = 5.0,
    courses: int = 12,
    sectors: int = 10,
    dome_courses: int = 8,
    oculus: float = 0.6,
    density: float = 2000.0,
    friction: float = 0.6,
) -> Structure:
    """An apse: half a cylinder under half a dome, both in running bond, open towards +y against a fixed arch.

    Parameters
    ----------
    radius, thickness : float
        Of the middle surface, and through it [m].
    height : float
        Of the cylinder [m].
    courses, dome_courses : int
        Of the cylinder, and of the dome.
    sectors : int
        Blocks around the half circle.
    oculus : float
        Radius at which the courses of the dome end and the one stone at the crown begins, on the middle surface [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``base0`` ... below the wall and ``arch0`` ..., the arch of the choir; blocks ``wall-c0s0`` ... and
        ``c0s0`` ..., and the ``key``.
    """
    require_positive(radius=radius, height=height, density=density)
    require("thickness", thickness, 0.0, 2 * radius)
    require("oculus", oculus, 0.0, radius)
    require_count("courses", courses, 1)
    require_count("dome_courses", dome_courses, 1)
    require_count("sectors", sectors, 3)

    masonry = Masonry(density)
    shell = Shell(4 * sectors, math.pi)  # two facets per block; the half circle from -x over -y to +x
    meridian = Meridian(radius, radius, thickness)
    top = meridian.latitude(oculus)
    step = height / courses
    for k in range(sectors):
        outline = rectangle(meridian.inner, meridian.outer, -height - step, -height)
        masonry.lay("base{}".format(k), shell.stone(outline, 2 * k, 2 * k + 2), support=True)
    for i in range(courses):
        outline = rectangle(meridian.inner, meridian.outer, i * step - height, (i + 1) * step - height)
        lay_bonded_half(masonry, "wall-c{}s".format(i), shell, outline, sectors, i)
    for i in range(dome_courses):
        outline = meridian.outline(top * i / dome_courses, top * (i + 1) / dome_courses)
        lay_bonded_half(masonry, "c{}s".format(i), shell, outline, sectors, i + courses)
    _close(masonry, shell, meridian, top, sectors)
    _choir_arch(masonry, meridian, top, dome_courses, thickness)
    return masonry.structure("apse", friction)


def _close(masonry: Masonry, shell: Shell, meridian: Meridian, top: float, sectors: int) -> None:
    """Lay the stone at the crown of the half dome."""
    ends = [meridian.at(r, top) for r in (meridian.inner, meridian.outer)]
    sections = [[p for k in range(2 * sectors + 1) for p in shell.section(k, [end])] for end in ends]
    masonry.lay("key", loft(*sections))


def _choir_arch(masonry: Masonry, meridian: Meridian, top: float, courses: int, thickness: float) -> None:
    """Lay fixed voussoirs in the plane of the opening, against which the half dome leans."""
    cuts = [top * i / courses for i in range(courses + 1)]
    cuts += [math.pi - latitude for latitude in reversed(cuts)]
    for i, (a, b) in enumerate(zip(cuts, cuts[1:])):
        corners = ((meridian.inner, a), (meridian.outer, a), (meridian.outer, b), (meridian.inner, b))
        polygon = [(r * math.cos(t), r * math.sin(t)) for r, t in corners]
        masonry.lay("arch{}".format(i), prism(polygon, 0.0, thickness), support=True)
