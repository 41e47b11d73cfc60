"""Value of a parameter of the shape, such as thickness or rise, at which a structure collapses."""

import math
from typing import Any, Callable, Dict, NamedTuple, Optional

from compas_nscd.errors import SettingsError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure


class Bracket(NamedTuple):
    """Two values of a parameter between which the verdict changes."""

    stands: float  # [unit of the parameter] stable
    falls: float  # [unit of the parameter] collapse
    analyses: int  # [-] static analyses that were run

    @property
    def value(self) -> float:
        """Mean of both."""
        return 0.5 * (self.stands + self.falls)


def limit_parameter(
    engine: Any,
    build: Callable[[float], Structure],
    low: float,
    high: float,
    tolerance: float = 1e-4,
    case: Optional[LoadCase] = None,
    settings: Optional[Settings] = None,
    progress: Optional[Callable[[dict], Any]] = None,
) -> Bracket:
    """Bisect a parameter of the shape on the verdict of static analyses.

    Parameters
    ----------
    engine : Engine
        Or any object with its method `static`.
    build : callable
        Makes the Structure for a value of the parameter.
    low, high : float
        Values with different verdicts.
    tolerance : float, optional
        Width of the bracket at the end, over its upper end.
    case : LoadCase, optional
    settings : Settings, optional
    progress : callable, optional
        Called with ``{"phase", "fraction", "state"}`` before every analysis; an exception from it ends the search.

    Returns
    -------
    Bracket

    Raises
    ------
    SettingsError
        If both ends have the same verdict.
    """
    _check_ends(low, high, tolerance)
    steps = 2 + math.ceil(max(math.log2((high - low) / (tolerance * max(abs(low), abs(high)))), 1.0))
    analyses = 0

    def stands(value: float) -> bool:
        nonlocal analyses
        if progress is not None:
            done = min(analyses / steps, 1.0)
            progress({"state": "running", "phase": "parameter {:.6g}".format(value), "fraction": done})
        analyses += 1
        return engine.static(build(value), case, settings).verdict == "stable"

    ends = _bisected(stands, low, high, tolerance)
    return Bracket(ends[True], ends[False], analyses)


def _check_ends(low: Any, high: Any, tolerance: Any) -> None:
    numbers = all(isinstance(n, (int, float)) and math.isfinite(n) for n in (low, high, tolerance))
    if not (numbers and low < high and tolerance > 0.0):
        raise SettingsError("The ends of the search should be two numbers, the lower first, and the tolerance above 0.")


def _bisected(stands: Callable[[float], bool], low: float, high: float, tolerance: float) -> Dict[bool, float]:
    """Ends of the bracket, by whether it stands there."""
    ends = {stands(low): low, stands(high): high}
    if len(ends) < 2:
        raise SettingsError(
            "It {} at both ends, {:g} and {:g}.".format("stands" if True in ends else "falls", low, high),
            remedy="Widen the search until the verdicts differ.",
        )
    while abs(ends[True] - ends[False]) > tolerance * max(abs(ends[True]), abs(ends[False])):
        middle = 0.5 * (ends[True] + ends[False])
        ends[stands(middle)] = middle
    return ends
