"""Domes on a fixed ring: hemispherical or pointed, in stack or running bond, with an oculus or a key."""

import math

from compas_nscd.templates.parts.parameters import (
    require,
    require_choice,
    require_count,
    require_flag,
    require_positive,
)
from compas_nscd.templates.parts.shapes import Masonry, loft
from compas_nscd.templates.parts.shells import Meridian, Shell, rectangle

BONDS = ("stack", "running")


def dome(
    radius=5.0,
    thickness=0.5,
    courses=12,
    sectors=24,
    oculus=15.0,
    density=2400.0,
    friction=0.6,
    rise=None,
    bond="stack",
    key=False,
):
    """A dome of courses with conical beds, open at the oculus.

    Parameters
    ----------
    radius, thickness : float
        Of the middle surface at the springing, and through it [m].
    courses, sectors : int
        Blocks from the springing to the oculus, and around.
    oculus : float
        The opening has a radius of the dome's radius times the sine of this angle, on the middle surface [degrees].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].
    rise : float, optional
        Where the middle surface would meet the axis [m]; more than the radius makes a pointed dome. Default: the
        radius, a hemisphere.
    bond : {"stack", "running"}
        Whether joints continue from course to course or every other course is turned by half a block. Blocks of a
        running bond have two facets.
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


def lay_courses(masonry, shell, meridian, top, courses, across):
    """Courses of equal height along the meridian up to the latitude `top` [rad]; stones cover `across` facets each."""
    for i in range(courses):
        outline = meridian.outline(top * i / courses, top * (i + 1) / courses)
        shift = i % 2 if across > 1 else 0
        for k in range(shell.facets // across):
            first = across * k + shift
            masonry.lay("c{}s{}".format(i, k), shell.stone(outline, first, first + across))


def lay_bonded_half(masonry, prefix, shell, outline, sectors, course):
    """One course of half a ring, from meridian 0, of stones of two facets; odd courses end in half stones."""
    shift = course % 2
    ends = [0] * shift + list(range(shift, 2 * sectors + 1, 2)) + [2 * sectors] * shift
    for k, (first, last) in enumerate(zip(ends, ends[1:])):
        masonry.lay("{}{}".format(prefix, k), shell.stone(outline, first, last))
