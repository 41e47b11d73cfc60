"""Closed polyhedra that the templates are built from, and the checks of their parameters."""

import math

from compas_nscd.errors import InputError
from compas_nscd.structure import Block

#: Faces of a hexahedron, outward when its vertices are bottom then top, each counter-clockwise seen from above.
HEXAHEDRON = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def hexahedron(bottom, top, **attributes):
    """Block between two quadrilaterals of corresponding corners, both counter-clockwise seen from the top."""
    return Block(list(bottom) + list(top), HEXAHEDRON, **attributes)


def box(lower, upper, **attributes):
    """Block with faces along the axes [m]."""
    (x0, y0, z0), (x1, y1, z1) = lower, upper
    plan = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    return hexahedron([(x, y, z0) for x, y in plan], [(x, y, z1) for x, y in plan], **attributes)


def require(name, value, low, high, strict=True):
    """Refuse a parameter outside its range, and say the range."""
    number = isinstance(value, (int, float)) and math.isfinite(value)
    if not number or not (low < value < high if strict else low <= value <= high):
        bounds = "between {:g} and {:g}".format(low, high) if math.isfinite(high) else "over {:g}".format(low)
        if not strict and not math.isfinite(high):
            bounds = "at least {:g}".format(low)
        raise InputError("{} is {!r}; it must be {}.".format(name, value, bounds), parameter=name)
    return value


def require_count(name, value, least):
    """Refuse anything but a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError("{} is {!r}; it must be a whole number.".format(name, value), parameter=name)
    return require(name, value, least, math.inf, strict=False)
