"""Design: the least value of a parameter with which a structure still does what it should."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Callable, NamedTuple

from compas_nscd.client.engine import Engine
from compas_nscd.errors import InputError, NotAvailableError
from compas_nscd.studies.measures import collapsed, kept
from compas_nscd.studies.running.worker import Model, Task
from compas_nscd.studies.study import Study


class Found(NamedTuple):
    """Answer of a search."""

    value: float  # of the parameter; the requirement holds there
    fails: float  # nearest value at which it does not hold
    analyses: int
    row: dict[str, Any]  # columns of the run at `value`


def least(
    study: Study,
    parameter: str,
    low: float,
    high: float,
    margin: tuple[str, float] | None = None,
    tolerance: float = 1e-3,
    engine: Engine | None = None,
) -> Found:
    """Least, or greatest, value of a parameter with which a requirement holds.

    At one end of the range the requirement holds and at the other it does not. A margin is a smooth function of the
    parameter, and found by Brent's method in few analyses; a verdict by bisection.

    Parameters
    ----------
    study : Study
        Gives structure, loads and analysis; its own samples are not run. It has no ground motions, or one.
    parameter : str
        Any that a study can vary: thickness, friction, cable.strength, ...
    low, high : float
    margin : (str, float), optional
        Column and the value that it must reach, e.g. ("multiplier_associated", 1.5). Default: it must not collapse.
    tolerance : float, optional
        Width of the answer, over the range.
    engine : Engine, optional

    Raises
    ------
    InputError
        If the requirement holds at both ends, or at neither.
    """
    study.source.check(parameter)
    if not (math.isfinite(low) and math.isfinite(high) and low < high and tolerance > 0.0):
        raise InputError("The ends of the search must be two numbers, the lower first, and the tolerance above 0.")
    with engine or Engine() as computing:
        trials = _Trials(study, parameter, margin, computing)
        return _brent(trials, low, high, tolerance) if margin else _bisection(trials, low, high, tolerance)


class _Trials:
    """Runs of a search, each computed once."""

    def __init__(self, study: Study, parameter: str, margin: tuple[str, float] | None, engine: Engine) -> None:
        keep = list(study.keep) + ([margin[0]] if margin and margin[0] not in study.keep else [])
        self._model = Model(dict(study.definition, keep=keep))
        self._fixed: Mapping[str, Any] = study.samples[0] if study.samples else {}
        self._parameter, self._margin, self._engine = parameter, margin, engine
        self._motion = 0 if study.motions else None
        self.rows: dict[float, dict[str, Any]] = {}

    def row(self, value: float) -> dict[str, Any]:
        """Columns of the run with a value of the parameter."""
        if value not in self.rows:
            values = dict(self._fixed, **{self._parameter: value})
            result, _ = self._model.result(self._engine, Task("", values, self._motion, 1.0))
            self.rows[value] = dict(kept(result, self._model.keep), collapse=collapsed(result))
        return self.rows[value]

    def excess(self, value: float) -> float:
        """By how much the margin is more than required; a run that collapses is short by all of it."""
        assert self._margin is not None
        column, required = self._margin
        found = self.row(value)[column]
        return -required if found is None else float(found) - required

    def holds(self, value: float) -> bool:
        """Whether the requirement holds."""
        return not self.row(value)["collapse"] if self._margin is None else self.excess(value) >= 0.0

    def answer(self) -> Found:
        """The narrowest bracket of the runs."""
        ends = sorted(self.rows)
        pairs = [(a, b) for a, b in zip(ends, ends[1:]) if self.holds(a) != self.holds(b)]
        good, bad = min(pairs, key=lambda pair: pair[1] - pair[0])
        good, bad = (good, bad) if self.holds(good) else (bad, good)
        return Found(good, bad, len(self.rows), self.rows[good])


def _require_change(trials: _Trials, low: float, high: float) -> None:
    if trials.holds(low) == trials.holds(high):
        word = "holds" if trials.holds(low) else "does not hold"
        raise InputError(
            "The requirement {} at both ends, {:g} and {:g}.".format(word, low, high), remedy="Widen the search."
        )


def _bisection(trials: _Trials, low: float, high: float, tolerance: float) -> Found:
    _require_change(trials, low, high)
    width, at_low = tolerance * (high - low), trials.holds(low)
    while high - low > width:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if trials.holds(middle) == at_low else (low, middle)
    return trials.answer()


def _brent(trials: _Trials, low: float, high: float, tolerance: float) -> Found:
    _require_change(trials, low, high)
    root = _root_finder()
    width = tolerance * (high - low)
    value = float(root(trials.excess, low, high, xtol=0.5 * width))
    for near in (value - 0.5 * width, value + 0.5 * width):  # so that the answer is a bracket as narrow as asked
        trials.holds(min(max(near, low), high))
    return trials.answer()


def _root_finder() -> Callable[..., float]:
    try:
        from scipy.optimize import brentq
    except ImportError:
        raise NotAvailableError("A search for a margin needs scipy.", remedy="pip install compas_nscd[studies]")
    return brentq
