"""An acceleration of all blocks over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Callable

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.loads.checks import MAX_ROWS, LoadData, listed, number, unit


def sampled(function: Callable[[float], Any], duration: float, step: float = 1e-3) -> tuple[list[float], list[Any]]:
    """Table of a function of time.

    Parameters
    ----------
    function : callable
        Of the time [s]; returns a number or three.
    duration : float
        [s]
    step : float, optional
        Interval between rows [s].

    Returns
    -------
    tuple of list
        Times and values.
    """
    rows = number(duration, "duration", above=0.0) / number(step, "step", above=0.0)
    if rows > MAX_ROWS:
        line = "A table of {:g} s every {:g} s has {:.3g} rows, over the limit of {:.3g}."
        raise LoadError(line.format(duration, step, rows, MAX_ROWS), remedy="Take a longer step.")
    count = int(math.ceil(rows)) + 1
    times = np.linspace(0.0, duration, max(count, 2)).tolist()
    return times, [function(t) for t in times]


class BodyAcceleration(LoadData):
    """An acceleration of all free blocks over time, added to gravity: inertia in a tilting or shaking frame.

    Parameters
    ----------
    direction : "x", "y", "z" or sequence of 3 floats
        Normalised.
    times, values : sequence of float
        [s], ascending, and [m/s2].
    """

    def __init__(
        self, direction: Any, times: Sequence[float], values: Sequence[float], name: str | None = None
    ) -> None:
        super().__init__(name=name)
        self.direction = unit(direction)
        self.times, self.values = listed((times, values), "the body acceleration")

    @property
    def __data__(self) -> dict[str, Any]:
        return {"direction": list(self.direction), "times": self.times, "values": self.values}
