"""Walls in courses around arches and openings, as polygons of (x, z).

Beds pass through some corners of the extrados and head joints begin at the others, so that every stone is convex. A
boundary of a course is a list of (x, z) from its lower bed to its upper one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Callable, NamedTuple, Union

from compas_nscd.templates.parts.limits import pieces
from compas_nscd.templates.parts.rings import Ring
from compas_nscd.templates.parts.shapes import Corner, Masonry, Polygon, Solid, prism

#: A boundary of a course, from its lower bed to its upper one [m].
Boundary = list[Corner]
#: Both boundaries of a void in a course.
Sides = tuple[Boundary, Boundary]
#: End of a wall: z0, z1 -> boundary.
End = Callable[[float, float], Boundary]
#: Makes a block of a polygon and two values of y.
Maker = Callable[[Polygon, float, float], Solid]

#: Least distance of a head joint from the end of a stretch of wall [length of a block]; closer joints are left out.
#: Larger: longer stones at the ends. Smaller: slivers.
SHORTEST = 0.3
#: Least height of a course between beds through the extrados [nominal height]. Larger: high courses. Smaller: low ones.
LOWEST = 0.7


class Window(NamedTuple):
    """A rectangular void in courses: an opening, or a lintel. [m]"""

    left: float
    right: float
    low: float
    high: float

    def sides(self, z0: float, z1: float) -> Sides | None:
        """Its boundaries in the course between two beds; None if it is not in it."""
        if z1 <= self.low or z0 >= self.high:
            return None
        return [(self.left, z0), (self.left, z1)], [(self.right, z0), (self.right, z1)]


class Arched(NamedTuple):
    """Void of an arch on upright jambs: its opening and its ring."""

    centre: float  # x of the crown [m]
    clear: float  # half the clear span [m]
    low: float  # z of the sill [m]
    springing: float  # z [m]
    extrados: list[Corner]  # as in `rings.Ring`

    def sides(self, z0: float, z1: float) -> Sides | None:
        """Its boundaries in the course between two beds; None if it is not in it."""
        if z1 <= self.low or z0 >= self.springing + self.extrados[-1][1]:
            return None
        if z1 <= self.springing:
            return Window(self.centre - self.clear, self.centre + self.clear, z0, z1).sides(z0, z1)
        flank = self._flank(z0 - self.springing, z1 - self.springing)
        left = [(self.centre - x, self.springing + z) for x, z in flank]
        return left, [(self.centre + x, self.springing + z) for x, z in flank]

    def _flank(self, z0: float, z1: float) -> Boundary:
        """The right half of the extrados between two heights above the springing."""
        tolerance = 1e-9 * self.extrados[-1][1]
        inner = [p for p in self.extrados if z0 + tolerance < p[1] < z1 - tolerance]
        return [(self._across(z0), z0)] + inner + [(self._across(z1), z1)]

    def _across(self, z: float) -> float:
        """Half width of the extrados at a height above the springing [m]."""
        tolerance = 1e-9 * self.extrados[-1][1]
        for (xa, za), (xb, zb) in zip(self.extrados, self.extrados[1:]):
            if z <= zb + tolerance:
                # a bed through a corner takes the corner; the crown of a ring with a keystone is a corner of the key
                return xb if abs(z - zb) <= tolerance else xa + (xb - xa) * (z - za) / (zb - za)
        return 0.0


Void = Union[Window, Arched]


def upright(x: float) -> End:
    """A vertical end of a wall."""
    return lambda z0, z1: [(x, z0), (x, z1)]


def rake(xa: float, za: float, xb: float, zb: float) -> End:
    """A sloping end of a wall, through (xa, za) and (xb, zb)."""
    return lambda z0, z1: [(xa + (xb - xa) * (z - za) / (zb - za), z) for z in (z0, z1)]


def beds(low: float, high: float, course: float) -> list[float]:
    """Beds at equal distances of about `course`, both ends included [m]."""
    count = pieces("course", high - low, course)
    return [low + (high - low) * i / count for i in range(count)] + [high]


def ring_beds(springing: float, extrados: Sequence[Corner], course: float) -> list[float]:
    """Beds from the springing to the crown through corners of the extrados, about `course` apart [m]."""
    heights = [z for _, z in extrados]
    kept = [heights[-1]]
    for z in reversed(heights[1:-1]):
        if kept[-1] - z >= LOWEST * course and z - heights[0] >= LOWEST * course:
            kept.append(z)
    kept.append(heights[0])
    levels = [heights[0]]
    for low, high in zip(kept[::-1], kept[-2::-1]):
        levels += beds(low, high, course)[1:]
    return [springing + z for z in levels]


def joined(*runs: Sequence[float]) -> list[float]:
    """Runs of beds joined: the last bed of each is the first of the next."""
    return list(runs[0]) + [z for run in runs[1:] for z in run[1:]]


def course_polygons(
    z0: float, z1: float, ends: tuple[End, End], voids: Sequence[Void], joints: Sequence[float], shortest: float
) -> Iterator[list[Corner]]:
    """Stones of one course.

    Parameters
    ----------
    z0, z1 : float
        Beds [m].
    ends : (callable, callable)
        Ends of the wall, see `upright` and `rake`.
    voids : list of Window or Arched
    joints : list of float
        Possible head joints [m].
    shortest : float
        Least distance of head joints from the ends of a stretch [m].
    """
    sides = sorted(s for s in (void.sides(z0, z1) for void in voids) if s is not None)
    starts = [ends[0](z0, z1)] + [s[1] for s in sides]
    stops = [s[0] for s in sides] + [ends[1](z0, z1)]
    for start, end in zip(starts, stops):
        yield from _stretch(start, end, z1, joints, shortest)


def _stretch(
    start: Boundary, end: Boundary, z1: float, joints: Sequence[float], shortest: float
) -> Iterator[list[Corner]]:
    """Stones between two boundaries, divided at the corners of the boundaries and at joints between them."""
    low = max(x for x, _ in (start[0], start[-1])) + shortest
    high = min(x for x, _ in (end[0], end[-1])) - shortest
    bottom = start[::-1] + [(x, start[0][1]) for x in joints if low < x < high] + end
    foot = (len(start) - 1, len(bottom) - len(end))  # the two ends of the bed, which are not joints
    polygon = [bottom[0]]
    for i, (x, z) in enumerate(bottom[1:], 1):
        polygon.append((x, z))
        if i not in foot and i < len(bottom) - 1:
            yield polygon + [(x, z1), (polygon[0][0], z1)]
            polygon = [(x, z)]
    yield polygon + [(polygon[0][0], z1)]


class Coursework:
    """Lays courses of a wall as blocks.

    Parameters
    ----------
    masonry : Masonry
    left, right : float
        Ends of the bond [m].
    length : float
        Approximate length of a block [m]; adjusted so that a whole number fits.
    """

    def __init__(self, masonry: Masonry, left: float, right: float, length: float) -> None:
        count = pieces("length", right - left, length)
        step = (right - left) / count
        self.masonry, self.left, self.right, self.shortest = masonry, left, right, SHORTEST * step
        self._joints = [[left + i * step for i in range(1, count)], [left + (i + 0.5) * step for i in range(count)]]

    def lay(
        self,
        prefix: str,
        levels: Sequence[float],
        leaves: Sequence[Sequence[float]],
        voids: Sequence[Void] = (),
        ends: Sequence[End] | None = None,
        shift: int = 0,
        solid: Maker = prism,
    ) -> None:
        """Lay the courses between beds.

        Parameters
        ----------
        prefix : str
            Stones are called ``<prefix>c0b0`` ...; with several leaves ``<prefix>c0b0y0`` ...
        levels : list of float
            Beds from the bottom up [m].
        leaves : list of list of float
            Faces of the leaves along y [m]; the courses use these lists in turn.
        voids : list of Window or Arched
        ends : (callable, callable), optional
            Ends of the wall. Default: upright.
        shift : int
            0: the first course begins with a whole block; 1: with a half block.
        solid : callable
            Makes a block of a polygon and two values of y.
        """
        left, right = ends or (upright(self.left), upright(self.right))
        between = (left, right)
        for course, (z0, z1) in enumerate(zip(levels, levels[1:])):
            joints, faces = self._joints[(course + shift) % 2], leaves[course % len(leaves)]
            for i, polygon in enumerate(course_polygons(z0, z1, between, voids, joints, self.shortest)):
                for k, (y0, y1) in enumerate(zip(faces, faces[1:])):
                    name = "{}c{}b{}".format(prefix, course, i) + ("y{}".format(k) if len(faces) > 2 else "")
                    self.masonry.lay(name, solid(polygon, y0, y1))


def lay_ring(
    masonry: Masonry,
    prefix: str,
    ring: Ring,
    centre: float,
    springing: float,
    leaves: Sequence[Sequence[float]],
    solid: Maker = prism,
) -> None:
    """Lay the voussoirs of an arch, ``<prefix>v0`` ..., from right to left; leaves as in `Coursework.lay`."""
    for i, polygon in enumerate(ring.voussoirs):
        moved = [(centre + x, springing + z) for x, z in polygon]
        faces = leaves[i % len(leaves)]
        for k, (y0, y1) in enumerate(zip(faces, faces[1:])):
            name = "{}v{}".format(prefix, i) + ("y{}".format(k) if len(faces) > 2 else "")
            masonry.lay(name, solid(moved, y0, y1))


def bonded_leaves(low: float, high: float, count: int) -> list[list[float]]:
    """Faces of `count` leaves through a wall, and for every other course with staggered joints [m].

    One leaf: through stones. More: every other course has half a leaf at both faces.
    """
    step = (high - low) / count
    plain = [low + i * step for i in range(count)] + [high]
    if count == 1:
        return [plain]
    return [plain, [low] + [low + (i + 0.5) * step for i in range(count)] + [high]]
