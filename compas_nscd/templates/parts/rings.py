"""Voussoirs of an arch as polygons of (x, z): a profile thickened and cut by joints."""

from __future__ import annotations

from typing import Callable, NamedTuple

from compas_nscd.errors import InputError
from compas_nscd.templates.parts.parameters import require, require_choice, require_count, require_positive
from compas_nscd.templates.parts.profiles import Profile, profile
from compas_nscd.templates.parts.shapes import Corner

#: A joint: its ends on the intrados and on the extrados [m].
Joint = tuple[Corner, Corner]

#: Directions of joints.
JOINTS = ("radial", "vertical")


class Ring(NamedTuple):
    """Voussoirs from the right springing to the left one."""

    voussoirs: list[list[Corner]]  # polygons of (x, z) [m]
    right: Joint  # the springing joint
    extrados: list[Corner]  # corners of the right half, from springing to crown [m]
    upright: bool  # whether the springing joints are horizontal

    @property
    def left(self) -> Joint:
        """The left springing joint."""
        return _mirror(self.right[0]), _mirror(self.right[1])

    def springer(self, side: int, length: float) -> list[Corner]:
        """Polygon of the stone of this length [m] behind a springing joint; `side`: 1 right, -1 left."""
        (xi, zi), (xe, ze) = self.right
        scale = length / ((xe - xi) ** 2 + (ze - zi) ** 2) ** 0.5
        dx, dz = (ze - zi) * scale, (xi - xe) * scale  # along the tangent, away from the arch
        return [(side * x, z) for x, z in ((xi, zi), (xe, ze), (xe + dx, ze + dz), (xi + dx, zi + dz))]


def ring(shape: str, span: float, rise: float | None, thickness: float, blocks: int, joints: str = "radial") -> Ring:
    """Divide an arch into voussoirs with straight edges.

    Parameters
    ----------
    shape : str
        See `profiles`.
    span, rise : float
        Of the centre line [m].
    thickness : float
        At right angles to the centre line [m].
    blocks : int
    joints : {"radial", "vertical"}
        At right angles to the centre line in equal steps of its length, or upright in equal steps along x.
    """
    require_choice("joints", joints, JOINTS)
    require_count("blocks", blocks, 2)
    line = profile(shape, span, rise)
    require_positive(thickness=thickness)
    require("thickness", thickness, 0.0, 2 * line.least_radius)
    inner, outer = _offset(line, -thickness / 2), _offset(line, thickness / 2)
    crown = (0.0, _height(inner, 0.0)), (0.0, _height(outer, 0.0))
    springing = inner(0.0), outer(0.0)
    halves = [springing]
    for i in range(1, (blocks + 1) // 2):
        s = 2 * i / blocks
        x = (1 - s) * springing[0][0]
        cut = (inner(s), outer(s)) if joints == "radial" else ((x, _height(inner, x)), (x, _height(outer, x)))
        if cut[0][0] <= 0.0:
            raise InputError(
                "blocks is {}; joints would cross below the crown, so it must be fewer.".format(blocks),
                remedy="Use fewer blocks, a thinner ring or vertical joints.",
            )
        halves.append(cut)
    peaked = shape == "pointed"
    if blocks % 2 == 0:
        halves.append(crown)
    stones = _voussoirs(halves, blocks, crown, peaked)
    return Ring(stones, springing, _extrados(halves, blocks, crown, peaked), line.upright)


def _voussoirs(halves: list[Joint], blocks: int, crown: Joint, peaked: bool) -> list[list[Corner]]:
    """Polygons between joints; an odd number has a keystone, with a corner at the peak of a pointed arch."""
    right = [[a[0], a[1], b[1], b[0]] for a, b in zip(halves, halves[1:])]
    left = [[_mirror(p) for p in polygon] for polygon in reversed(right)]
    if blocks % 2 == 0:
        return right + left
    low, high = halves[-1]
    key = [low, high] + [crown[1]] * peaked + [_mirror(high), _mirror(low)] + [crown[0]] * peaked
    return right + [key] + left


def _extrados(halves: list[Joint], blocks: int, crown: Joint, peaked: bool) -> list[Corner]:
    points = [joint[1] for joint in halves]
    if blocks % 2:
        points.append(crown[1] if peaked else (0.0, points[-1][1]))
    return points


def _mirror(point: Corner) -> Corner:
    return -point[0], point[1]


def _offset(line: Profile, distance: float) -> Callable[[float], Corner]:
    def place(s: float) -> Corner:
        x, z, nx, nz = line.place(s)
        return x + distance * nx, z + distance * nz

    return place


def _height(place: Callable[[float], Corner], x: float) -> float:
    """Height of an offset half curve, or of its continuation beyond the crown, at x [m]."""
    low, high = 0.0, 1.0
    while place(high)[0] > x + 1e-15 * abs(place(0.0)[0]) and high < 2.0:
        high += 0.125
    for _ in range(60):
        s = 0.5 * (low + high)
        low, high = (s, high) if place(s)[0] > x else (low, s)
    return place(0.5 * (low + high))[1]
