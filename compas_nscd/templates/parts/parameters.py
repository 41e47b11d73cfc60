"""Checks of what the user of a template asks for; every refusal says the range that is allowed."""

import math
from numbers import Integral, Real

from compas_nscd.errors import InputError
from compas_nscd.templates.parts.limits import MOST_PIECES

#: Lengths, distances and radii [m]. Longer over shorter ones must leave faces that rounding does not close.
SHORTEST, LONGEST = 1e-3, 1e3
#: [kg/m3]
LIGHTEST, HEAVIEST = 1e-3, 1e5


def require(name, value, low, high=math.inf, strict=True):
    """Refuse a number outside its range; `strict` leaves out the bounds themselves.

    A bound of 0 that is left out, and one of infinity, are those of lengths.
    """
    least, most = ("over", low), ("under", high)
    if not strict:
        least, most = ("at least", low), ("at most", high)
    elif low == 0.0:
        least = ("at least", SHORTEST)
    if high == math.inf:
        most = ("at most", LONGEST)
    if not _is_number(value) or not (_above(value, *least) and _below(value, *most)):
        _refuse(name, value, "{} {:.6g} and {} {:.6g}".format(*least, *most))
    return value


def require_positive(**values):
    """Refuse lengths, or a `density`, that are not over 0, or beyond all reason."""
    for name, value in values.items():
        low, high = (LIGHTEST, HEAVIEST) if name == "density" else (SHORTEST, LONGEST)
        require(name, value, low, high, strict=False)


def require_count(name, value, least, most=MOST_PIECES):
    """Refuse anything but a whole number between `least` and `most`."""
    if not _is_whole(value) or not least <= value <= most:
        _refuse(name, value, "a whole number from {} to {}".format(least, most))
    return value


def require_odd(name, value, least, most=MOST_PIECES):
    """Refuse anything but an odd whole number."""
    if not _is_whole(value) or not least <= value <= most or value % 2 == 0:
        _refuse(name, value, "an odd whole number from {} to {}".format(least, most))
    return value


def require_choice(name, value, choices):
    """Refuse a word that is not among the choices."""
    if not isinstance(value, str) or value not in choices:
        _refuse(name, value, "one of " + ", ".join(choices))
    return value


def require_flag(name, value):
    """Refuse anything but True and False."""
    if not isinstance(value, bool):
        _refuse(name, value, "True or False")
    return value


def _is_whole(value):
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value):
    """Whether it is a finite number that a float can hold."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def _above(value, kind, bound):
    return value > bound if kind == "over" else value >= bound


def _below(value, kind, bound):
    return value < bound if kind == "under" else value <= bound


def _refuse(name, value, allowed):
    raise InputError("{} is {!r:.60}; it must be {}.".format(name, value, allowed), parameter=name)
