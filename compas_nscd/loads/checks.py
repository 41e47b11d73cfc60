"""Checks of the arguments of loads, and the base class of loads. SI units.

Functions of time are tables, linear between their rows; `sampled` makes one of a Python function.
"""

from __future__ import annotations

import math
import uuid
from typing import Any

import numpy as np
from compas.data import Data

from compas_nscd.errors import LoadError
from compas_nscd.geometry.vectors import AXES

#: Most rows of a table: a day at 10 per second. Larger: requests of hundreds of MB. Smaller: long records are refused.
MAX_ROWS = 1000000


def vector(value: Any, what: str) -> tuple[float, float, float]:
    """Three finite numbers as a tuple of float; a LoadError about `what` otherwise."""
    try:
        x, y, z = (float(c) for c in value)
    except (TypeError, ValueError, OverflowError):
        raise LoadError("The {} must be three numbers, not {!r:.60}.".format(what, value))
    if not all(map(math.isfinite, (x, y, z))):
        raise LoadError("The {} is not finite: {!r:.60}.".format(what, value), remedy="Give three finite numbers.")
    return (x, y, z)


def number(value: Any, what: str, above: float | None = None, least: float | None = None) -> float:
    """A finite number greater than `above` and at least `least`; a LoadError about `what` otherwise."""
    try:
        out = float(value)
    except (TypeError, ValueError, OverflowError):
        raise LoadError("The {} must be a number, not {!r:.60}.".format(what, value))
    if not math.isfinite(out) or (above is not None and out <= above) or (least is not None and out < least):
        bounds = [text.format(b) for text, b in ((" above {:g}", above), (" of at least {:g}", least)) if b is not None]
        raise LoadError("The {} must be a finite number{}, not {:g}.".format(what, "".join(bounds), out))
    return out


def block_key(block: Any) -> int | str:
    """Index, name or guid by which a load refers to its block; a LoadError otherwise."""
    if isinstance(block, (str, uuid.UUID)):
        return str(block)
    if isinstance(block, (int, np.integer)) and not isinstance(block, bool):
        return int(block)
    raise LoadError(
        "A load must name its block, not {!r:.60}.".format(block),
        remedy="Give the index of the block, its name or its guid.",
    )


def unit(direction: Any) -> tuple[float, float, float]:
    """Unit vector of "x", "y", "z" or three numbers; a LoadError otherwise."""
    if isinstance(direction, str) and direction not in AXES:
        text = "The direction {!r:.20} is not known.".format(direction)
        raise LoadError(text, remedy="Give x, y, z or three numbers.")
    axis = vector(AXES[direction] if isinstance(direction, str) else direction, "direction")
    length = math.sqrt(sum(c * c for c in axis))
    if length == 0.0:
        raise LoadError("The direction has no length.", remedy="Give x, y, z or three numbers that are not all 0.")
    x, y, z = axis
    return (x / length, y / length, z / length)


def listed(table: Any, what: str) -> tuple[list[float], list[float]]:
    """Times and values of a table as lists; a LoadError about `what` otherwise."""
    try:
        times, values = table
    except (TypeError, ValueError):
        raise LoadError("{} must be a pair of times and values.".format(what.capitalize()))
    t, a = checked_table(times, values, what)
    return t.tolist(), a.tolist()


def all_of(kind: type, items: Any, what: str) -> list[Any]:
    """A list of objects of one class, also of a single one; a LoadError about `what` otherwise."""
    found = [items] if isinstance(items, kind) else items
    try:
        found = list(found)
    except TypeError:
        found = [items]
    wrong = [item for item in found if not isinstance(item, kind)]
    if wrong:
        raise LoadError("{} must be a list of {}, not of {!r:.60}.".format(what, kind.__name__, wrong[0]))
    return found


def maybe(value: Any, what: str, **bounds: float) -> float | None:
    """None, or a number as in `number`."""
    return None if value is None else number(value, what, **bounds)


class LoadData(Data):
    """Base class of loads: equal if their data are equal."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        content = ", ".join("{}={!r}".format(key, value) for key, value in self.__data__.items())
        return "{}({})".format(type(self).__name__, content)


def checked_table(
    times: Any, values: Any, what: str = "the table", columns: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Check a table.

    Parameters
    ----------
    times : sequence of float
        [s], ascending.
    values : sequence
        As many numbers, or rows of `columns` numbers.
    what : str, optional
        Name of the table in errors.
    columns : int, optional

    Returns
    -------
    (T,) array, (T,) or (T, columns) array

    Raises
    ------
    LoadError
        Naming the first bad row.
    """
    shape = "numbers" if columns is None else "rows of {} numbers".format(columns)
    try:
        t, a = np.array(times, float), np.array(values, float)
    except (TypeError, ValueError, OverflowError):
        raise LoadError("The values of {} must be {}.".format(what, shape))
    wanted = t.shape if columns is None else t.shape + (columns,)
    if t.ndim != 1 or a.shape != wanted or len(t) < 2:
        raise LoadError("In {} there must be as many times as values, at least two.".format(what))
    if len(t) > MAX_ROWS:
        raise LoadError("There are {} rows in {}, over the limit of {}.".format(len(t), what, MAX_ROWS))
    bad = ~(np.isfinite(t) & np.isfinite(a.reshape(len(t), -1)).all(axis=1))
    if bad.any():
        row = int(np.argmax(bad))
        raise LoadError(
            "Row {} of {} is not finite: {}, {}.".format(row, what, t[row], a[row]),
            remedy="Remove or repair the row.",
            row=row,
        )
    if not (np.diff(t) > 0.0).all():
        row = int(np.argmax(np.diff(t) <= 0.0)) + 1
        raise LoadError(
            "The times of {} must ascend; row {} at {:g} s comes after {:g} s.".format(what, row, t[row], t[row - 1]),
            remedy="Sort the rows, and keep one for each time.",
            row=row,
        )
    return t, a
