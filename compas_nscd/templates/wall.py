"""Walls of rectangular blocks on a fixed base: running bond with openings, and patterns given course by course."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from compas_nscd.errors import InputError
from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.parameters import LONGEST, SHORTEST, require, require_count, require_positive
from compas_nscd.templates.parts.shapes import Masonry, box


def wall(
    columns: int = 10,
    courses: int = 10,
    length: float = 0.5,
    height: float = 0.25,
    depth: float = 0.25,
    density: float = 2400.0,
    friction: float = 0.6,
    openings: Sequence[Sequence[float]] | None = (),
    gap: float = 0.0,
) -> Structure:
    """A wall in the xz plane; odd courses are shifted by half a block and closed with half blocks.

    Parameters
    ----------
    columns, courses : int
        Blocks along a course, and courses.
    length, height, depth : float
        Of one block, along x, z, y [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].
    openings : list, optional
        Windows and doors as (column, course, columns, courses): left edge and sill, width and height, counted in
        blocks; halves are allowed along the course. A lintel one course high, half a block longer on each side, covers
        each that does not reach the top.
    gap : float
        Length of the middle of the base that is left without support [m].

    Returns
    -------
    Structure
        The support ``base`` (or ``base-left`` and ``base-right``), then blocks ``c0b0`` ... course by course and the
        lintels ``lintel0`` ...
    """
    require_count("columns", columns, 1)
    require_count("courses", courses, 1)
    require_positive(length=length, height=height, depth=depth, density=density)
    require("gap", gap, 0.0, columns * length, strict=False)
    holes, lintels = _openings(openings, columns, courses)

    masonry = Masonry(density)
    _base(masonry, columns * length, height, depth, gap)
    for course in range(courses):
        taken = [(a, b) for a, b, low, high in holes + lintels if low <= course < high]
        joints = range(course % 2, 2 * columns + 1, 2)  # in half blocks
        for i, (a, b) in enumerate(_stretches(2 * columns, joints, taken)):
            lower, upper = (a * length / 2, 0.0, course * height), (b * length / 2, depth, (course + 1) * height)
            masonry.lay("c{}b{}".format(course, i), box(lower, upper))
    for i, (a, b, low, high) in enumerate(lintels):
        lower, upper = (a * length / 2, 0.0, low * height), (b * length / 2, depth, high * height)
        masonry.lay("lintel{}".format(i), box(lower, upper))
    return masonry.structure("wall", friction)


def _base(masonry: Masonry, right: float, height: float, depth: float, gap: float) -> None:
    margin, middle = depth / 2, right / 2
    if gap == 0.0:
        parts = {"base": (-margin, right + margin)}
    else:
        parts = {"base-left": (-margin, middle - gap / 2), "base-right": (middle + gap / 2, right + margin)}
    for name, (x0, x1) in parts.items():
        masonry.lay(name, box((x0, -margin, -height), (x1, depth + margin, 0.0)), support=True)


#: An opening or a lintel: left, right [half blocks], low, high [courses].
Hole = tuple[int, int, int, int]


def _openings(given: Any, columns: int, courses: int) -> tuple[list[Hole], list[Hole]]:
    """Openings and their lintels."""
    holes: list[Hole] = []
    lintels: list[Hole] = []
    try:
        openings = [] if given is None else list(given)
    except TypeError:
        text = "openings is {!r:.60}; it must be a list of (column, course, columns, courses)."
        raise InputError(text.format(given), parameter="openings")
    for opening in openings:
        try:
            column, course, wide, high = (float(number) for number in opening)
        except (TypeError, ValueError, OverflowError):
            text = "An opening is (column, course, columns, courses), not {!r:.60}."
            raise InputError(text.format(opening), parameter="openings")
        a, b, low, top = 2 * column, 2 * (column + wide), course, course + high
        whole = all(number.is_integer() for number in (a, b, low, top))
        if not (whole and 1 <= a < b <= 2 * columns - 1 and 0 <= low < top <= courses):
            text = "Opening {!r:.60} does not fit: columns from 0.5 to {:g} in steps of 0.5, courses from 0 to {}."
            raise InputError(text.format(opening, columns - 0.5, courses), parameter="openings")
        left, right, sill, head = int(a), int(b), int(low), int(top)
        holes.append((left, right, sill, head))
        if head < courses:
            lintels.append((left - 1, right + 1, head, head + 1))
    taken = holes + lintels
    for i, one in enumerate(taken):
        for other in taken[:i]:
            if one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]:
                raise InputError("Openings, or their lintels, meet.", remedy="Leave a block between them.")
    return holes, lintels


def _stretches(end: int, joints: Iterable[int], taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Blocks of a course between joints, outside the stretches that are taken [half blocks]."""
    edges = sorted(set(joints) | {0, end} | {x for pair in taken for x in pair})
    for a, b in zip(edges, edges[1:]):
        if not any(low < b and a < high for low, high in taken):
            yield a, b


def pattern_wall(
    pattern: str | Sequence[Sequence[float]] = "0.5 1 1 0.5 / 1 1 1",
    repeat: int = 3,
    length: float = 0.4,
    height: float = 0.175,
    depth: float = 0.2,
    density: float = 2400.0,
    friction: float = 0.65,
) -> Structure:
    """A wall with courses given by the lengths of their blocks.

    Parameters
    ----------
    pattern : str
        Courses from the bottom up, separated by slashes: lengths in blocks, negative for an opening, all courses as
        long as one another. A list of lists of numbers is the same.
    repeat : int
        How many times the pattern is laid.
    length, height, depth : float
        Of a block of length 1, along x, z, y [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        The support ``base``, then blocks ``c0b0`` ... course by course.
    """
    require_count("repeat", repeat, 1)
    require_positive(length=length, height=height, depth=depth, density=density)
    rows = _rows(pattern) * repeat
    masonry = Masonry(density)
    _base(masonry, sum(map(abs, rows[0])) * length, height, depth, 0.0)
    for course, row in enumerate(rows):
        x, z = 0.0, course * height
        for i, block in enumerate(row):
            if block > 0.0:
                lower, upper = (x * length, 0.0, z), ((x + block) * length, depth, z + height)
                masonry.lay("c{}b{}".format(course, i), box(lower, upper))
            x += abs(block)
    return masonry.structure("pattern_wall", friction)


def _rows(pattern: Any) -> list[list[float]]:
    """Lengths of the blocks of every course; negative for an opening."""
    given = [row.split() for row in pattern.split("/")] if isinstance(pattern, str) else pattern
    try:
        rows = [[float(block) for block in row] for row in given]
    except (TypeError, ValueError, OverflowError):
        raise InputError("The pattern must be courses of numbers separated by slashes.", parameter="pattern")
    if not rows or not all(rows) or not any(block > 0.0 for row in rows for block in row):
        raise InputError("The pattern must have courses, and blocks in them.", parameter="pattern")
    for block in (block for row in rows for block in row):
        require("the length of a block", abs(block), SHORTEST, LONGEST, strict=False)
    totals = [sum(map(abs, row)) for row in rows]
    if max(totals) - min(totals) > 1e-9 * max(totals):
        text = "All courses of a pattern must be as long as one another; these are {}."
        raise InputError(text.format(", ".join("{:g}".format(total) for total in totals)), parameter="pattern")
    return rows
