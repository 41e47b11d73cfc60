"""Readers of single fields of a request: present, of the right type and shape, within bounds.

The bounds below refuse mistakes of units. Larger bounds: products of several such numbers lose all digits or overflow.
Smaller bounds: models in other scales are refused.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Iterable, NoReturn

import numpy as np

from compas_nscd.errors import GeometryError, LoadError, ProtocolError, SettingsError

#: Greatest coordinate [m].
MAX_COORDINATE = 1e9
#: Greatest velocity [m/s, rad/s].
MAX_VELOCITY = 1e6
#: Greatest acceleration [m/s2].
MAX_ACCELERATION = 1e6
#: Greatest force and moment [N, N m].
MAX_LOAD = 1e18
#: Greatest density [kg/m3].
MAX_DENSITY = 1e12
#: Least density [kg/m3].
MIN_DENSITY = 1e-6
#: Least size of a block [m].
MIN_SIZE = 1e-9


def is_number(value: Any) -> bool:
    """Whether a value is a finite int or float, and no bool; a whole number beyond all floats is none."""
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def is_word(value: Any, options: Iterable[str]) -> bool:
    """Whether a value is one of some words; an array, which would be compared number by number, is none."""
    return isinstance(value, str) and value in options


def part(request: dict, key: str) -> dict:
    """The dict of this name in a request."""
    found = request.get(key)
    if not isinstance(found, dict):
        raise ProtocolError("The request has no {!r}.".format(key))
    return found


def array(part: dict, key: str, dtype: Any, shape: tuple, error: type = ProtocolError) -> np.ndarray:
    """An array of a request, copied to the dtype and shape that kernels expect.

    Parameters
    ----------
    part : dict
    key : str
    dtype : numpy dtype
    shape : tuple of int
        -1 stands for any length.
    error : type, optional
        Raised if a number is not finite.
    """
    if key not in part:
        raise ProtocolError("The request has no array {!r}.".format(key))
    try:
        given = np.asarray(part[key])
        # An empty list arrives as float64; any type is right for it.
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


def starts(part: dict, key: str, count: int, end: int) -> np.ndarray:
    """Offsets (count + 1,) int32 into an array of length `end`: from 0, never falling, to `end`."""
    start = array(part, key, np.int32, (count + 1,))
    if count < 0 or start[0] != 0 or start[-1] != end or (start[1:] < start[:-1]).any():
        raise ProtocolError("{!r} should rise from 0 to {}.".format(key, end))
    return start


def refuse(
    bad: np.ndarray,
    names: list,
    message: str,
    remedy: str = "Repair the mesh of the block.",
    error: type = GeometryError,
) -> None:
    """Raise an error that names the blocks where `bad` (B,) is true."""
    if np.any(bad):
        raise error(message, remedy=remedy, blocks=[names[i] for i in np.flatnonzero(bad)[:20]])


def refuse_faces(bad: np.ndarray, block: np.ndarray, names: list, message: str) -> None:
    """Raise an error that names the blocks (F,) of the faces where `bad` (F,) is true."""
    flagged = np.zeros(len(names), bool)
    flagged[block[bad]] = True
    refuse(flagged, names, message)


def require_bounded(values: Any, most: float, what: str, unit: str) -> None:
    """Raise a LoadError if a number exceeds a bound."""
    if not (np.abs(values) <= most).all():
        raise LoadError(
            "{} is beyond {:g} {}.".format(what[0].upper() + what[1:], most, unit), remedy="Check its units."
        )


def _fail(key, value, what) -> NoReturn:
    raise SettingsError("{} = {!r:.60} should be {}.".format(key, value, what))


def choice(*options: str) -> Callable:
    """Check of a setting: one of some words."""

    def check(key, value):
        return value if is_word(value, options) else _fail(key, value, "one of " + ", ".join(options))

    return check


def number(low: float, high: float) -> Callable:
    """Check of a setting: a number in (low, high]."""

    def check(key, value):
        ok = is_number(value) and low < value <= high
        return float(value) if ok else _fail(key, value, "a number above {:g} and at most {:g}".format(low, high))

    return check


def integer(low: int, high: int) -> Callable:
    """Check of a setting: a whole number in [low, high]."""

    def check(key, value):
        ok = type(value) is int and low <= value <= high
        return value if ok else _fail(key, value, "a whole number from {} to {}".format(low, high))

    return check


def optional(check: Callable) -> Callable:
    """Check of a setting that may be None."""
    return lambda key, value: None if value is None else check(key, value)


def flag(key: str, value: Any) -> bool:
    """Check of a setting: true or false."""
    return value if isinstance(value, bool) else _fail(key, value, "true or false")


def falling(key: str, value: Any) -> tuple:
    """Check of a setting: two or more falling numbers between 0 and 1."""
    values = value.tolist() if isinstance(value, np.ndarray) else value
    ok = isinstance(values, (list, tuple)) and len(values) > 1
    ok = ok and all(is_number(v) and 0.0 < v < 1.0 for v in values)
    if not ok or any(a <= b for a, b in zip(values, values[1:])):
        _fail(key, value, "two or more falling numbers, each above 0 and below 1")
    return tuple(float(v) for v in values)
