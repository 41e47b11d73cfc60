"""Variables of a study: values in a list, ranges, and distributions."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any, NamedTuple

from compas_nscd.errors import InputError

#: Forms of a variable in `vary`.
FORMS = (
    '[values], {"values": [...]}, {"low": a, "high": b, "count": n}, {"normal": [mean, deviation]}, '
    '{"lognormal": [median, dispersion]}'
)
#: Distributions of two numbers.
_PAIRS = ("normal", "lognormal")


class Variable(NamedTuple):
    """A parameter that a study varies."""

    name: str
    kind: str  # values, uniform, normal or lognormal
    numbers: tuple[Any, ...]  # the values; low and high; or the two numbers of the distribution
    steps: int | None = None  # values of a range on a grid

    def at(self, share: float) -> Any:
        """Value with a cumulative probability, above 0 and below 1."""
        if self.kind == "values":
            return self.numbers[min(int(share * len(self.numbers)), len(self.numbers) - 1)]
        a, b = self.numbers
        if self.kind == "uniform":
            return a + share * (b - a)
        deviate = NormalDist().inv_cdf(share)
        return a + b * deviate if self.kind == "normal" else a * math.exp(b * deviate)

    def grid(self) -> list[Any]:
        """Values on a grid; of a range its ends and what lies between them in equal steps."""
        if self.kind == "values":
            return list(self.numbers)
        if self.steps is None:
            remedy = 'Give a list of values or a "count", or another sampler.'
            raise InputError("On a grid {} needs values.".format(self.name), remedy=remedy)
        shares = [(k + 0.5) / self.steps for k in range(self.steps)]
        if self.kind == "uniform":
            shares = [k / max(self.steps - 1, 1) for k in range(self.steps)]
        return [self.at(share) for share in shares]


def variable(name: str, given: Any, on_grid: bool) -> Variable:
    """Variable of what `vary` says; two numbers are a range unless the sampler is a grid.

    Raises
    ------
    InputError
        If it has none of the forms.
    """
    if isinstance(given, dict):
        return _described(name, given)
    values = list(given) if isinstance(given, (list, tuple, range)) or hasattr(given, "tolist") else [given]
    values = [value.item() if hasattr(value, "item") else value for value in values]
    if not values:
        raise InputError("The parameter {} has no values.".format(name), remedy="Give {}.".format(FORMS))
    if not on_grid and len(values) == 2 and all(_is_number(value) for value in values):
        return _described(name, {"low": values[0], "high": values[1]})
    return Variable(name, "values", tuple(values))


def _described(name: str, given: dict[str, Any]) -> Variable:
    said = dict(given)
    count = said.pop("count", None)
    if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
        raise InputError("The count of {} must be 1 or more, not {!r:.20}.".format(name, count))
    if set(said) == {"values"}:
        return variable(name, said["values"], on_grid=True)
    if set(said) == {"low", "high"}:
        low, high = _numbers(name, (said["low"], said["high"]))
        if not low < high:
            raise InputError("The range of {} must ascend, not from {:g} to {:g}.".format(name, low, high))
        return Variable(name, "uniform", (low, high), count)
    for kind in _PAIRS:
        if set(said) == {kind}:
            a, b = _numbers(name, said[kind])
            if b <= 0.0 or (kind == "lognormal" and a <= 0.0):
                raise InputError("The {} distribution of {} needs numbers above 0.".format(kind, name))
            return Variable(name, kind, (a, b), count)
    raise InputError("The parameter {} cannot vary as {!r:.60}.".format(name, given), remedy="Give {}.".format(FORMS))


def _numbers(name: str, given: Any) -> tuple[float, float]:
    try:
        a, b = (float(number) for number in given)
    except (TypeError, ValueError):
        a = b = math.nan
    if not (math.isfinite(a) and math.isfinite(b)):
        raise InputError("The parameter {} needs two numbers, not {!r:.40}.".format(name, given))
    return a, b


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
