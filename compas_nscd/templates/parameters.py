"""Checks of what the user of a template asks for; every refusal says the range that is allowed."""

import math

from compas_nscd.errors import InputError


def require(name, value, low, high=math.inf, strict=True):
    """Refuse a number outside its range; `strict` leaves out the bounds themselves."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not number or not (low < value < high if strict else low <= value <= high):
        _refuse(name, value, _range(low, high, strict))
    return value


def require_positive(**values):
    """Refuse numbers that are not over 0."""
    for name, value in values.items():
        require(name, value, 0.0)


def require_count(name, value, least, most=math.inf):
    """Refuse anything but a whole number between `least` and `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        _refuse(name, value, "a whole number " + _range(least, most, strict=False))
    return value


def require_odd(name, value, least):
    """Refuse anything but an odd whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least or value % 2 == 0:
        _refuse(name, value, "an odd whole number of at least {}".format(least))
    return value


def require_choice(name, value, choices):
    """Refuse a word that is not among the choices."""
    if value not in choices:
        _refuse(name, value, "one of " + ", ".join(choices))
    return value


def _range(low, high, strict):
    if math.isfinite(high):
        text = "over {:.6g} and under {:.6g}" if strict else "between {:.6g} and {:.6g}"
        return text.format(low, high)
    return ("over {:.6g}" if strict else "at least {:.6g}").format(low)


def _refuse(name, value, allowed):
    raise InputError("{} is {!r:.60}; it must be {}.".format(name, value, allowed), parameter=name)
