"""Voussoirs of an arch as polygons of (x, z): a profile thickened and cut by joints."""

from typing import NamedTuple

from compas_nscd.errors import InputError
from compas_nscd.templates.parts.parameters import require, require_choice, require_count, require_positive
from compas_nscd.templates.parts.profiles import profile

JOINTS = ("radial", "vertical")


class Ring(NamedTuple):
    """Voussoirs from the right springing to the left one."""

    voussoirs: list  # polygons of (x, z) [m]
    right: tuple  # the springing joint: its ends (x, z) on the intrados and on the extrados
    extrados: list  # corners of the right half, springing first, the crown last
    upright: bool  # whether the springing joints are horizontal

    @property
    def left(self):
        return tuple(_mirror(point) for point in self.right)

    def springer(self, side, length):
        """Polygon of the stone behind a springing joint; `side` is 1 for the right one, -1 for the left [m]."""
        (xi, zi), (xe, ze) = self.right
        scale = length / ((xe - xi) ** 2 + (ze - zi) ** 2) ** 0.5
        dx, dz = (ze - zi) * scale, (xi - xe) * scale  # along the tangent, away from the arch
        return [(side * x, z) for x, z in ((xi, zi), (xe, ze), (xe + dx, ze + dz), (xi + dx, zi + dz))]


def ring(shape, span, rise, thickness, blocks, joints="radial"):
    """Cut an arch into voussoirs with straight edges.

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


def _voussoirs(halves, blocks, crown, peaked):
    """Polygons between joints; an odd number has a keystone, which follows the peak of a pointed arch."""
    right = [[a[0], a[1], b[1], b[0]] for a, b in zip(halves, halves[1:])]
    left = [[_mirror(p) for p in polygon] for polygon in reversed(right)]
    if blocks % 2 == 0:
        return right + left
    low, high = halves[-1]
    key = [low, high] + [crown[1]] * peaked + [_mirror(high), _mirror(low)] + [crown[0]] * peaked
    return right + [key] + left


def _extrados(halves, blocks, crown, peaked):
    points = [joint[1] for joint in halves]
    if blocks % 2:
        points.append(crown[1] if peaked else (0.0, points[-1][1]))
    return points


def _mirror(point):
    return -point[0], point[1]


def _offset(line, distance):
    def place(s):
        x, z, nx, nz = line.place(s)
        return x + distance * nx, z + distance * nz

    return place


def _height(place, x):
    """Where an offset half curve, or its continuation beyond the crown, passes over x [m]."""
    low, high = 0.0, 1.0
    while place(high)[0] > x + 1e-15 * abs(place(0.0)[0]) and high < 2.0:
        high += 0.125
    for _ in range(60):
        s = 0.5 * (low + high)
        low, high = (s, high) if place(s)[0] > x else (low, s)
    return place(0.5 * (low + high))[1]
