"""Domes on a fixed ring: hemispherical or pointed, in stack or running bond, with an oculus or a key."""

from __future__ import annotations

import math

from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.parameters import (
    require,
    require_choice,
    require_count,
    require_flag,
    require_positive,
)
from compas_nscd.templates.parts.shapes import Corner, Masonry, loft
from compas_nscd.templates.parts.shells import Meridian, Shell, rectangle

#: Bonds of a dome.
BONDS = ("stack", "running")


def dome(
    radius: float = 5.0,
    thickness: float = 0.5,
    courses: int = 12,
    sectors: int = 24,
    oculus: float = 15.0,
    density: float = 2400.0,
    friction: float = 0.6,
    rise: float | None = None,
    bond: str = "stack",
    key: bool = False,
) -> Structure:
    """A dome of courses with conical beds, open at the oculus.

    Parameters
    ----------
    radius, thickness : float
        Of the middle surface at the springing, and through it [m].
    courses, sectors : int
        Blocks from the springing to the oculus, and around.
    oculus : float
        Angle whose sine is the radius of the opening over that of the dome, on the middle surface [degrees].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].
    rise : float, optional
        Height at which the middle surface would meet the axis [m]; greater than the radius for a pointed dome. Default:
        the radius, a hemisphere.
    bond : {"stack", "running"}
        stack: joints continue from course to course; running: every other course is rotated by half a block, and
        blocks have two facets.
    key : bool
        Close the oculus with one stone.

    Returns
    -------
    Structure
        Supports ``base0`` ..., then blocks ``c0s0`` ... course by course, and the ``key``.
    """
    require_positive(radius=radius, density=density)
    rise = radius if rise is None else require("rise", rise, radius, strict=False)
    require("thickness", thickness, 0.0, 2 * radius)
    require_count("courses", courses, 1)
    require_count("sectors", sectors, 3)
    require_choice("bond", bond, BONDS)
    require_flag("key", key)
    meridian = Meridian(radius, rise, thickness)
    least = meridian.at(meridian.radius, meridian.closing)[0] / radius if rise > radius else 0.0
    require("oculus", oculus, math.degrees(math.asin(min(1.0, least))), 90.0)
    top = meridian.latitude(radius * math.sin(math.radians(oculus)))

    masonry = Masonry(density)
    across = 2 if bond == "running" else 1
    shell = Shell(across * sectors)
    foot = rectangle(meridian.at(meridian.inner, 0.0)[0], meridian.at(meridian.outer, 0.0)[0], -thickness, 0.0)
    for k in range(sectors):
        masonry.lay("base{}".format(k), shell.stone(foot, across * k, across * (k + 1)), support=True)
    lay_courses(masonry, shell, meridian, top, courses, across)
    if key:
        (low, z_low), (high, z_high) = meridian.at(meridian.inner, top), meridian.at(meridian.outer, top)
        masonry.lay("key", loft(shell.plan(low, z_low), shell.plan(high, z_high)))
    return masonry.structure("dome", friction)


def lay_courses(masonry: Masonry, shell: Shell, meridian: Meridian, top: float, courses: int, across: int) -> None:
    """Lay courses of equal height along the meridian up to the latitude `top` [rad], of stones of `across` facets."""
    for i in range(courses):
        outline = meridian.outline(top * i / courses, top * (i + 1) / courses)
        shift = i % 2 if across > 1 else 0
        for k in range(shell.facets // across):
            first = across * k + shift
            masonry.lay("c{}s{}".format(i, k), shell.stone(outline, first, first + across))


def lay_bonded_half(
    masonry: Masonry, prefix: str, shell: Shell, outline: list[Corner], sectors: int, course: int
) -> None:
    """Lay one course of half a ring, from meridian 0, of stones of two facets; odd courses end in half stones."""
    shift = course % 2
    ends = [0] * shift + list(range(shift, 2 * sectors + 1, 2)) + [2 * sectors] * shift
    for k, (first, last) in enumerate(zip(ends, ends[1:])):
        masonry.lay("{}{}".format(prefix, k), shell.stone(outline, first, last))
