"""Readers of single fields of a request: present, of the right type and shape, within bounds."""

import math

import numpy as np

from compas_nscd.errors import GeometryError, LoadError, ProtocolError, SettingsError

#: Coordinates beyond this are a mistake of units, and their squares and cubes lose all meaning [m].
MAX_COORDINATE = 1e9
#: The same for velocities [m/s, rad/s], accelerations [m/s2], forces with their moments [N, N m], densities [kg/m3].
MAX_VELOCITY, MAX_ACCELERATION, MAX_LOAD, MAX_DENSITY = 1e6, 1e6, 1e18, 1e12


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def part(request, key):
    """The dict of this name in a message."""
    found = request.get(key)
    if not isinstance(found, dict):
        raise ProtocolError("The request has no {!r}.".format(key))
    return found


def array(part, key, dtype, shape, error=ProtocolError):
    """An array of the message with the dtype and shape the kernels expect; -1 in shape stands for any length."""
    if key not in part:
        raise ProtocolError("The request has no array {!r}.".format(key))
    try:
        given = np.asarray(part[key])
        # A list without entries comes as float64; nothing is lost by giving it the type that is expected.
        kind = np.dtype(dtype).kind
        ok = given.size == 0 or given.dtype.kind == kind or (given.dtype.kind in "iub" and kind in "fiu")
        found = np.array(given, dtype=dtype, order="C") if ok else given
    except (TypeError, ValueError, OverflowError):
        ok = False
    if ok and found.size == 0 and shape[0] == -1:
        found = found.reshape((0,) + shape[1:])
    if not ok or found.ndim != len(shape) or any(n not in (-1, m) for n, m in zip(shape, found.shape)):
        raise ProtocolError("Array {!r} should be {} of shape {}.".format(key, np.dtype(dtype).name, shape))
    if kind != "f" and not np.array_equal(found, given.reshape(found.shape)):
        raise ProtocolError("Array {!r} has numbers out of range.".format(key))
    if kind == "f" and not np.isfinite(found).all():
        raise error("{!r} has a number that is not finite.".format(key))
    return found


def starts(part, key, count, end):
    """Offsets into an array of length `end`: from 0, never falling, to `end`."""
    start = array(part, key, np.int32, (count + 1,))
    if count < 0 or start[0] != 0 or start[-1] != end or (start[1:] < start[:-1]).any():
        raise ProtocolError("{!r} should rise from 0 to {}.".format(key, end))
    return start


def refuse(bad, names, message, remedy="Repair the mesh of the block.", error=GeometryError):
    if np.any(bad):
        raise error(message, remedy=remedy, blocks=[names[i] for i in np.flatnonzero(bad)[:20]])


def refuse_faces(bad, block, names, message):
    flagged = np.zeros(len(names), bool)
    flagged[block[bad]] = True
    refuse(flagged, names, message)


def require_bounded(values, most, what, unit):
    """Refuse numbers that nothing can be computed with."""
    if not (np.abs(values) <= most).all():
        raise LoadError(
            "{} is beyond {:g} {}.".format(what[0].upper() + what[1:], most, unit), remedy="Check its units."
        )


def _fail(key, value, what):
    raise SettingsError("{} = {!r:.60} should be {}.".format(key, value, what))


def choice(*options):
    def check(key, value):
        return value if value in options else _fail(key, value, "one of " + ", ".join(options))

    return check


def number(low, high):
    def check(key, value):
        ok = is_number(value) and low < value <= high
        return float(value) if ok else _fail(key, value, "a number above {:g} and at most {:g}".format(low, high))

    return check


def integer(low, high):
    def check(key, value):
        ok = type(value) is int and low <= value <= high
        return value if ok else _fail(key, value, "a whole number from {} to {}".format(low, high))

    return check


def optional(check):
    return lambda key, value: None if value is None else check(key, value)


def flag(key, value):
    return value if isinstance(value, bool) else _fail(key, value, "true or false")


def falling(key, value):
    values = value.tolist() if isinstance(value, np.ndarray) else value
    values = values if isinstance(values, (list, tuple)) else [values]
    ok = 0 < len(values) <= 64 and all(is_number(v) and 0.0 < v <= 1.0 for v in values)
    if not ok or any(a <= b for a, b in zip(values, values[1:])):
        _fail(key, value, "numbers in (0, 1], each smaller than the one before")
    return tuple(float(v) for v in values)
