"""Tables over time, linear between their rows."""

from bisect import bisect_right
from typing import NamedTuple

import numpy as np

from compas_nscd.errors import LoadError
from nscd_engine.gate.structure import array


class History(NamedTuple):
    """A table, constant before and after."""

    times: list  # [s] (T,)
    values: np.ndarray  # (T, ...)


def constant(value):
    """A history that does not vary."""
    return History([0.0], np.asarray(value, float)[None])


def value_at(history, t):
    """Value at time t [s]."""
    times, values = history
    k = bisect_right(times, t) - 1
    if k < 0:
        return values[0]
    if k >= len(times) - 1:
        return values[-1]
    s = (t - times[k]) / (times[k + 1] - times[k])
    return values[k] + s * (values[k + 1] - values[k])


def read_times(part, key="times", rising=True):
    """The times of a table of a message (T,): at least one, ascending; two may be the same unless they must rise."""
    times = array(part, key, np.float64, (-1,), LoadError)
    if not len(times) or (np.diff(times) < 0.0).any() or (rising and (np.diff(times) == 0.0).any()):
        raise LoadError("The times of a load or motion do not ascend.")
    return times


def read_history(part, times, values, shape=()):
    """The table of a message whose rows have this shape."""
    found = read_times(part, times)
    return History(found.tolist(), array(part, values, np.float64, (len(found),) + shape, LoadError))
