"""A convex body cut into cells by planes, such as rock by fractures.

The cells share one list of points, so that two cells cut along a common edge get the same corner, and the distances of
all points from a plane are computed at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from compas_nscd.templates.parts.limits import tell
from compas_nscd.templates.parts.shapes import Point, Solid

#: Faces of a cell: indices into the common list of points.
Faces = list[list[int]]

#: Distance below which a point is on a plane [size of the body]. Larger: faces are not planar. Smaller: edges of the
#: length of rounding error.
ON_PLANE = 1e-10


def divide(body: Solid, normals: np.ndarray, offsets: np.ndarray, thinnest: float) -> list[Solid]:
    """Cut a convex body by planes.

    Parameters
    ----------
    body : (vertices, faces)
        See `shapes`.
    normals : (n, 3) array
        Unit normals of the planes.
    offsets : (n,) array
        The planes are ``normal . x = offset`` [m].
    thinnest : float
        A plane does not cut a cell if the part would be thinner than this, normal to the plane, or smaller than a cube
        of this size [m].

    Returns
    -------
    list of (vertices, faces)
    """
    points, cells = list(body[0]), [body[1]]
    corners, count = np.arange(len(points)), np.array([len(points)])  # of the cells, one after the other
    known = np.array(points)
    tolerance = ON_PLANE * np.ptp(known, axis=0).max()
    for normal, offset in zip(normals, offsets):
        known = np.concatenate([known, np.array(points[len(known) :]).reshape(-1, 3)])
        distance = known @ normal - offset
        each, starts = distance[corners], np.cumsum(count) - count
        low, high = np.minimum.reduceat(each, starts), np.maximum.reduceat(each, starts)
        knife, whole = _Knife(points, distance, tolerance), np.ones(len(cells), bool)
        parts: list[Faces] = []
        for k in np.flatnonzero((low < -thinnest) & (high > thinnest)).tolist():
            below, above, cap = knife.cut(cells[k])
            # the smaller part contains the cone over the cut
            if min(-low[k], high[k]) * _area([points[i] for i in cap]) > 3.0 * thinnest**3:
                parts += [below, above]
                whole[k] = False
        cells = [cell for cell, uncut in zip(cells, whole.tolist()) if uncut] + parts
        tell(len(cells), "cut")
        added = [set(chain.from_iterable(part)) for part in parts]
        corners = np.append(corners[np.repeat(whole, count)], np.fromiter(chain.from_iterable(added), int))
        count = np.append(count[whole], np.array([len(ids) for ids in added], int))
    ends = np.cumsum(count).tolist()
    ids = corners.tolist()
    return [_own(points, faces, ids[a:b]) for faces, a, b in zip(cells, [0] + ends, ends)]


def _own(points: list[Point], faces: Faces, ids: list[int]) -> Solid:
    """A cell with vertices of its own."""
    number = {i: k for k, i in enumerate(ids)}
    return [points[i] for i in ids], [[number[i] for i in face] for face in faces]


def _area(polygon: Sequence[Point]) -> float:
    """Area of a planar polygon in space [m2]."""
    (xo, yo, zo), x, y, z = polygon[0], 0.0, 0.0, 0.0
    for (xa, ya, za), (xb, yb, zb) in zip(polygon[1:], polygon[2:]):
        xa, ya, za, xb, yb, zb = xa - xo, ya - yo, za - zo, xb - xo, yb - yo, zb - zo
        x += ya * zb - za * yb
        y += za * xb - xa * zb
        z += xa * yb - ya * xb
    return 0.5 * (x * x + y * y + z * z) ** 0.5


class _Knife:
    """A plane that cuts cells, and the intersections with their edges.

    Parameters
    ----------
    points : list of (x, y, z)
        Of all cells [m]; intersections are appended.
    distance : (n,) array
        Of the points from the plane [m].
    tolerance : float
        Distance up to which a point is on the plane [m].
    """

    def __init__(self, points: list[Point], distance: np.ndarray, tolerance: float) -> None:
        self.points, self.distance = points, distance.tolist()
        self.side = ((distance > tolerance).astype(int) - (distance < -tolerance)).tolist()
        self.between: dict[tuple[int, int], int] = {}

    def cut(self, faces: Faces) -> tuple[Faces, Faces, list[int]]:
        """Faces of the parts of a cell below and above the plane, and the section, which is the last face below."""
        side = self.side
        below: Faces = []
        above: Faces = []
        against: dict[int, int] = {}  # edges of the section as traversed in the part below: end -> start
        for face in faces:
            sides = [side[i] for i in face]
            if 1 not in sides:
                below.append(face)
                if sides.count(0) > 1:
                    edges = zip(face, face[1:] + face[:1])
                    against.update((j, i) for i, j in edges if side[i] == 0 == side[j])
            elif -1 not in sides:
                above.append(face)
            else:
                low, high = self._split(face)
                below.append(low)
                above.append(high)
                first, last = [k for k, i in enumerate(low) if side[i] == 0]
                start, end = (low[first], low[last]) if last == first + 1 else (low[last], low[first])
                against[end] = start
        cap = [start]
        while len(cap) < len(against):
            cap.append(against[cap[-1]])
        return below + [cap], above + [cap[::-1]], cap

    def _split(self, face: list[int]) -> tuple[list[int], list[int]]:
        """The two parts of a face that the plane crosses; each intersection with an edge is made once."""
        side, between, i = self.side, self.between, face[-1]
        low: list[int] = []
        high: list[int] = []
        for j in face:
            if side[i] * side[j] < 0:
                edge = (i, j) if i < j else (j, i)
                if edge not in between:
                    between[edge] = self._crossing(*edge)
                low.append(between[edge])
                high.append(between[edge])
            if side[j] <= 0:
                low.append(j)
            if side[j] >= 0:
                high.append(j)
            i = j
        return low, high

    def _crossing(self, i: int, j: int) -> int:
        """Index of a new point, the intersection of the plane with an edge."""
        (xa, ya, za), (xb, yb, zb) = self.points[i], self.points[j]
        t = self.distance[i] / (self.distance[i] - self.distance[j])
        self.points.append((xa + t * (xb - xa), ya + t * (yb - ya), za + t * (zb - za)))
        self.side.append(0)
        return len(self.points) - 1
