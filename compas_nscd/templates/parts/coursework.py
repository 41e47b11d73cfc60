"""Walls in courses around arches and openings, as polygons of (x, z).

Beds pass through corners of the extrados and head joints stand on the others, so that every stone is convex: the way
masons cut courses to a ring. A boundary of a course is a list of (x, z) from its lower bed to its upper one.
"""

from typing import NamedTuple

from compas_nscd.templates.parts.limits import pieces
from compas_nscd.templates.parts.shapes import prism

#: Least distance between a regular joint and the end of a stretch of wall [length of a block]; joints that would be
#: closer are left out, so the stone at the end is longer.
SHORTEST = 0.3
#: Least height of a course between beds through the extrados [nominal height].
LOWEST = 0.7


class Window(NamedTuple):
    """A rectangle that courses leave out: an opening, or a lintel."""

    left: float
    right: float
    low: float
    high: float

    def sides(self, z0, z1):
        if z1 <= self.low or z0 >= self.high:
            return None
        return [(self.left, z0), (self.left, z1)], [(self.right, z0), (self.right, z1)]


class Arched(NamedTuple):
    """What an arch on upright jambs leaves out of a wall: the opening under it and its ring."""

    centre: float  # x of the crown [m]
    clear: float  # half the clear span [m]
    low: float  # where the opening begins, z [m]
    springing: float  # z [m]
    extrados: list  # as in `rings.Ring`

    def sides(self, z0, z1):
        if z1 <= self.low or z0 >= self.springing + self.extrados[-1][1]:
            return None
        if z1 <= self.springing:
            return Window(self.centre - self.clear, self.centre + self.clear, z0, z1).sides(z0, z1)
        flank = self._flank(z0 - self.springing, z1 - self.springing)
        left = [(self.centre - x, self.springing + z) for x, z in flank]
        return left, [(self.centre + x, self.springing + z) for x, z in flank]

    def _flank(self, z0, z1):
        """The right half of the extrados between two heights above the springing."""
        tolerance = 1e-9 * self.extrados[-1][1]
        inner = [p for p in self.extrados if z0 + tolerance < p[1] < z1 - tolerance]
        return [(self._across(z0), z0)] + inner + [(self._across(z1), z1)]

    def _across(self, z):
        tolerance = 1e-9 * self.extrados[-1][1]
        for (xa, za), (xb, zb) in zip(self.extrados, self.extrados[1:]):
            if z <= zb + tolerance:
                # Beds through a corner take the corner; the crown of a ring with a keystone is the key's corner.
                return xb if abs(z - zb) <= tolerance else xa + (xb - xa) * (z - za) / (zb - za)
        return 0.0


def upright(x):
    """A vertical end of a wall."""
    return lambda z0, z1: [(x, z0), (x, z1)]


def rake(xa, za, xb, zb):
    """A sloping end of a wall, through (xa, za) and (xb, zb)."""
    return lambda z0, z1: [(xa + (xb - xa) * (z - za) / (zb - za), z) for z in (z0, z1)]


def beds(low, high, course):
    """Beds at equal distances of about `course`, both ends included [m]."""
    count = pieces("course", high - low, course)
    return [low + (high - low) * i / count for i in range(count)] + [high]


def ring_beds(springing, extrados, course):
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


def joined(*runs):
    """Beds one above the other: the last of each run is the first of the next."""
    return list(runs[0]) + [z for run in runs[1:] for z in run[1:]]


def course_polygons(z0, z1, left, right, voids, joints, shortest):
    """Stones of one course.

    Parameters
    ----------
    z0, z1 : float
        Beds [m].
    left, right : callable
        Ends of the wall, see `upright` and `rake`.
    voids : list of Window or Arched
    joints : list of float
        Where head joints may be [m].
    shortest : float
        Distance they keep from the ends of a stretch [m].
    """
    sides = sorted(s for s in (void.sides(z0, z1) for void in voids) if s is not None)
    starts = [left(z0, z1)] + [s[1] for s in sides]
    ends = [s[0] for s in sides] + [right(z0, z1)]
    for start, end in zip(starts, ends):
        yield from _stretch(start, end, z1, joints, shortest)


def _stretch(start, end, z1, joints, shortest):
    """Stones between two boundaries, cut at the corners of the boundaries and at joints on the bed between them."""
    low = max(x for x, _ in (start[0], start[-1])) + shortest
    high = min(x for x, _ in (end[0], end[-1])) - shortest
    bottom = start[::-1] + [(x, start[0][1]) for x in joints if low < x < high] + end
    foot = (len(start) - 1, len(bottom) - len(end))  # the two ends of the bed, which are no joints
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
        Ends of the wall, where the bond begins and ends [m].
    length : float
        About that of a block [m]; it is adjusted so that a whole number fits.
    """

    def __init__(self, masonry, left, right, length):
        count = pieces("length", right - left, length)
        step = (right - left) / count
        self.masonry, self.left, self.right, self.shortest = masonry, left, right, SHORTEST * step
        self._joints = [[left + i * step for i in range(1, count)], [left + (i + 0.5) * step for i in range(count)]]

    def lay(self, prefix, levels, leaves, voids=(), ends=None, shift=0, solid=prism):
        """Lay the courses between beds.

        Parameters
        ----------
        prefix : str
            Stones are called ``<prefix>c0b0`` ...; with several leaves ``<prefix>c0b0y0`` ...
        levels : list of float
            Beds from the bottom up [m].
        leaves : list of list of float
            Along y, the faces of the leaves: courses take these in turn [m].
        voids : list of Window or Arched
        ends : (callable, callable), optional
            Ends of the wall if they are not upright.
        shift : int
            0 or 1: whether the first course begins with a whole or a half block.
        solid : callable
            Makes a block of a polygon and two values of y.
        """
        left, right = ends or (upright(self.left), upright(self.right))
        for course, (z0, z1) in enumerate(zip(levels, levels[1:])):
            joints, faces = self._joints[(course + shift) % 2], leaves[course % len(leaves)]
            for i, polygon in enumerate(course_polygons(z0, z1, left, right, voids, joints, self.shortest)):
                for k, (y0, y1) in enumerate(zip(faces, faces[1:])):
                    name = "{}c{}b{}".format(prefix, course, i) + ("y{}".format(k) if len(faces) > 2 else "")
                    self.masonry.lay(name, solid(polygon, y0, y1))


def lay_ring(masonry, prefix, ring, centre, springing, leaves, solid=prism):
    """Lay the voussoirs of an arch, ``<prefix>v0`` ..., from right to left; leaves as in `Coursework.lay`."""
    for i, polygon in enumerate(ring.voussoirs):
        moved = [(centre + x, springing + z) for x, z in polygon]
        faces = leaves[i % len(leaves)]
        for k, (y0, y1) in enumerate(zip(faces, faces[1:])):
            name = "{}v{}".format(prefix, i) + ("y{}".format(k) if len(faces) > 2 else "")
            masonry.lay(name, solid(moved, y0, y1))


def bonded_leaves(low, high, count):
    """Faces of `count` leaves through a wall, and for every other course the same with the joints staggered [m].

    One leaf is a wall of through stones; with more, every other course has half a leaf at both faces.
    """
    step = (high - low) / count
    plain = [low + i * step for i in range(count)] + [high]
    if count == 1:
        return [plain]
    return [plain, [low] + [low + (i + 0.5) * step for i in range(count)] + [high]]
