"""A flat arch between abutments, a corbelled arch, and an arch on buttressed piers."""

from __future__ import annotations

import math

from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.parameters import require, require_count, require_positive
from compas_nscd.templates.parts.rings import ring
from compas_nscd.templates.parts.shapes import Masonry, box, prism


def flat_arch(
    span: float = 2.0,
    height: float = 0.5,
    depth: float = 0.4,
    blocks: int = 7,
    centre: float | None = None,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """A flat arch: wedges with horizontal faces, and joints that meet in a point below, between fixed abutments.

    Parameters
    ----------
    span, height, depth : float
        Clear span, and of the wedges along z and y [m].
    blocks : int
        Number of wedges.
    centre : float, optional
        Depth below the intrados at which the joints meet [m]. Default: 0.866 of the span, for skewbacks of 60 degrees.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Wedges ``v0`` ... from left to right, and the supports ``left`` and ``right``.
    """
    require_positive(span=span, height=height, depth=depth, density=density)
    require_count("blocks", blocks, 1)
    centre = math.sqrt(0.75) * span if centre is None else require("centre", centre, 0.0)
    spread = (centre + height) / centre
    masonry = Masonry(density)
    joints = [span * (i / blocks - 0.5) for i in range(blocks + 1)]
    for i, (a, b) in enumerate(zip(joints, joints[1:])):
        polygon = [(a, 0.0), (b, 0.0), (b * spread, height), (a * spread, height)]
        masonry.lay("v{}".format(i), prism(polygon, 0.0, depth))
    far = span / 2 * spread + height
    for name, side in (("left", -1), ("right", 1)):
        corners = [(span / 2, 0.0), (far, 0.0), (far, height), (span / 2 * spread, height)]
        masonry.lay(name, prism([(side * x, z) for x, z in corners], 0.0, depth), support=True)
    return masonry.structure("flat_arch", friction)


def corbelled_arch(
    span: float = 2.0,
    courses: int = 8,
    height: float = 0.3,
    depth: float = 1.0,
    shoulder: float = 2.0,
    length: float = 0.8,
    jamb: int = 4,
    cover: int = 2,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """A corbelled arch: horizontal courses that project one over the other until they meet under continuous courses.

    Parameters
    ----------
    span : float
        Clear, between the jambs [m].
    courses : int
        Number of projecting courses, with equal projections.
    height, depth : float
        Of a course, along z and y [m].
    shoulder : float
        Of masonry beside the opening [m].
    length : float
        About that of a block [m].
    jamb, cover : int
        Courses below the projecting ones, and above them.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``left`` and ``right``, and blocks ``c0b0`` ... course by course.
    """
    require_positive(span=span, height=height, depth=depth, length=length, density=density)
    require_count("courses", courses, 1)
    require_count("jamb", jamb, 0)
    require_count("cover", cover, 1)
    require("shoulder", shoulder, length, strict=False)
    end, masonry = span / 2 + shoulder, Masonry(density)
    for name, side in (("left", -1), ("right", 1)):
        a, b = sorted((side * (span / 2 - 0.1 * length), side * (end + 0.1 * length)))
        masonry.lay(name, box((a, -0.1 * depth, -height), (b, 1.1 * depth, 0.0)), support=True)
    for course in range(jamb + courses + cover):
        open_half = span / 2 * min(1.0, max(0.0, 1 - (course - jamb + 1) / (courses + 1)))
        ends = _tails(open_half, end, length, course)
        if course >= jamb + courses:
            ends = _tails(0.0, end, length, course)
            ends = ends[1:] if course % 2 else ends  # one stone over the middle, or a joint
            pairs = list(zip(ends, ends[1:])) + ([(-ends[0], ends[0])] if course % 2 else [])
        else:
            pairs = list(zip(ends, ends[1:]))
        stones = sorted(set(pairs) | {(-b, -a) for a, b in pairs})
        for i, (a, b) in enumerate(stones):
            z = course * height
            masonry.lay("c{}b{}".format(course, i), box((a, 0.0, z), (b, depth, z + height)))
    return masonry.structure("corbelled_arch", friction)


def _tails(start: float, end: float, length: float, course: int) -> list[float]:
    """Joints from the opening to the end of the shoulder [m].

    Stones have one length; in odd courses the first is half as long again. The last is the remainder.
    """
    first = start + length * (1.5 if course % 2 else 1.0)
    joints = [start]
    while first < end - 0.5 * length:
        joints.append(first)
        first += length
    return joints + [end]


def buttressed_arch(
    span: float = 8.0,
    thickness: float = 0.8,
    depth: float = 1.0,
    blocks: int = 15,
    pier: float = 2.2,
    foot: float = 3.2,
    pier_height: float = 4.0,
    courses: int = 8,
    rise: float | None = None,
    shape: str = "circular",
    joints: str = "radial",
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """An arch on two piers, which widen outwards to their foot.

    Parameters
    ----------
    span, thickness, depth : float
        As in `arch` [m].
    blocks : int
        Number of voussoirs.
    pier, foot : float
        Width of a pier below its head, and at the ground [m].
    pier_height : float
        From the ground to the lower end of the springing joint [m].
    courses : int
        Of a pier; the uppermost ends in the skewback if the springing joint is not level.
    rise : float, optional
        Of the centre line [m]; the default depends on the shape, see `arch`.
    shape : {"circular", "pointed", "elliptical", "basket", "catenary"}
        Of the centre line.
    joints : {"radial", "vertical"}
        As in `arch`.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Voussoirs ``v0`` ... from right to left, piers ``right0`` ... and ``left0`` ... from the bottom up, and the
        supports ``right-base`` and ``left-base``.
    """
    require_positive(depth=depth, pier_height=pier_height, density=density)
    require_count("courses", courses, 1)
    cut = ring(shape, span, rise, thickness, blocks, joints)
    (xi, zi), (xe, ze) = cut.right
    require("pier", pier, xe - xi, strict=False)
    require("foot", foot, pier, strict=False)
    masonry = Masonry(density)
    for i, polygon in enumerate(cut.voussoirs):
        masonry.lay("v{}".format(i), prism(polygon, 0.0, depth))
    step, ground = pier_height / courses, zi - pier_height
    for name, side in (("right", 1), ("left", -1)):
        margin = 0.1 * foot
        polygon = [(xi - margin, ground - step), (xi + foot + margin, ground - step), (xi + foot + margin, ground)]
        polygon.append((xi - margin, ground))
        masonry.lay(name + "-base", prism([(side * x, z) for x, z in polygon], -margin, depth + margin), support=True)
        for i in range(courses):
            low, high = ground + i * step, ground + (i + 1) * step
            a, b = (xi + foot + (pier - foot) * (z - ground) / pier_height for z in (low, high))
            head = [(b, high), (xi, high)] if i < courses - 1 else [(b, zi), (b, ze), (xe, ze), (xi, zi)]
            polygon = [(side * x, z) for x, z in [(xi, low), (a, low)] + head]
            masonry.lay("{}{}".format(name, i), prism(polygon, 0.0, depth))
    return masonry.structure("buttressed_arch", friction)
