"""The limit of any parameter of the shape: thickness, rise, number of blocks."""

import math
from typing import NamedTuple

from compas_nscd.errors import SettingsError


class Bracket(NamedTuple):
    """Between which values of a parameter the verdict changes."""

    stands: float  # stands here
    falls: float  # falls here
    analyses: int

    @property
    def value(self):
        """Middle of both."""
        return 0.5 * (self.stands + self.falls)


def limit_parameter(engine, build, low, high, tolerance=1e-4, case=None, settings=None, progress=None):
    """Bisect a parameter of the shape on the verdict of static analyses.

    Parameters
    ----------
    engine : Engine
    build : callable
        Makes the Structure for a value of the parameter.
    low, high : float
        Values with different verdicts.
    tolerance : float, optional
        Width of the bracket at the end, over its upper end.
    case : LoadCase, optional
    settings : Settings, optional
    progress : callable, optional
        Called with ``{"phase", "fraction", "state"}`` before every analysis; what it raises stops the search.

    Returns
    -------
    Bracket

    Raises
    ------
    SettingsError
        If both ends have the same verdict.
    """
    numbers = all(isinstance(n, (int, float)) and math.isfinite(n) for n in (low, high, tolerance))
    if not (numbers and low < high and tolerance > 0.0):
        raise SettingsError("The ends of the search should be two numbers, the lower first, and the tolerance above 0.")
    count = [0]
    total = 2 + math.ceil(max(math.log2((high - low) / (tolerance * max(abs(low), abs(high)))), 1.0))

    def stands(value):
        if progress is not None:
            done = min(count[0] / total, 1.0)
            progress({"state": "running", "phase": "parameter {:.6g}".format(value), "fraction": done})
        count[0] += 1
        return engine.static(build(value), case, settings).verdict == "stable"

    ends = {stands(low): low, stands(high): high}
    if len(ends) < 2:
        raise SettingsError(
            "It {} at both ends, {:g} and {:g}.".format("stands" if True in ends else "falls", low, high),
            remedy="Widen the search until the verdicts differ.",
        )
    while abs(ends[True] - ends[False]) > tolerance * max(abs(ends[True]), abs(ends[False])):
        middle = 0.5 * (ends[True] + ends[False])
        ends[stands(middle)] = middle
    return Bracket(ends[True], ends[False], count[0])
