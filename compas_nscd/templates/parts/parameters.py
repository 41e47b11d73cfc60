"""Checks of the parameters of templates; every error names the allowed range."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, NoReturn

from compas_nscd.errors import InputError
from compas_nscd.templates.parts.limits import MOST_PIECES

#: Least length, distance or radius [m]. Smaller: beside long ones, welding closes faces.
SHORTEST = 1e-3
#: Greatest length, distance or radius [m]. Larger: beside short ones, welding closes faces.
LONGEST = 1e3
#: Least density [kg/m3]; a smaller one is a mistake of units.
LIGHTEST = 1e-3
#: Greatest density [kg/m3]; a larger one is a mistake of units.
HEAVIEST = 1e5


def require(name: str, value: Any, low: float, high: float = math.inf, strict: bool = True) -> Any:
    """Return a number in the range (low, high), or [low, high] if not `strict`; an InputError otherwise.

    An excluded bound of 0 becomes `SHORTEST`, a bound of infinity `LONGEST`.
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


def require_positive(**values: Any) -> None:
    """An InputError if a length, or a `density`, is not within its bounds."""
    for name, value in values.items():
        low, high = (LIGHTEST, HEAVIEST) if name == "density" else (SHORTEST, LONGEST)
        require(name, value, low, high, strict=False)


def require_count(name: str, value: Any, least: int, most: int = MOST_PIECES) -> int:
    """Return an integer from `least` to `most`; an InputError otherwise."""
    if not _is_whole(value) or not least <= value <= most:
        _refuse(name, value, "a whole number from {} to {}".format(least, most))
    return value


def require_odd(name: str, value: Any, least: int, most: int = MOST_PIECES) -> int:
    """Return an odd integer from `least` to `most`; an InputError otherwise."""
    if not _is_whole(value) or not least <= value <= most or value % 2 == 0:
        _refuse(name, value, "an odd whole number from {} to {}".format(least, most))
    return value


def require_choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """Return one of the choices; an InputError otherwise."""
    if not isinstance(value, str) or value not in choices:
        _refuse(name, value, "one of " + ", ".join(choices))
    return value


def require_flag(name: str, value: Any) -> bool:
    """Return True or False; an InputError otherwise."""
    if not isinstance(value, bool):
        _refuse(name, value, "True or False")
    return value


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    """Whether it is a finite number in the range of a float."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def _above(value: Any, kind: str, bound: float) -> bool:
    return value > bound if kind == "over" else value >= bound


def _below(value: Any, kind: str, bound: float) -> bool:
    return value < bound if kind == "under" else value <= bound


def _refuse(name: str, value: Any, allowed: str) -> NoReturn:
    raise InputError("{} is {!r:.60}; it must be {}.".format(name, value, allowed), parameter=name)
