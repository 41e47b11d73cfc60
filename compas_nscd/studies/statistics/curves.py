"""From the table of a study to a fragility curve of a limit state."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.studies.limit_states import LimitState
from compas_nscd.studies.statistics.fragility import Fragility, fit_capacities, fit_cloud, fit_counts
from compas_nscd.studies.table import Table


class Stripe(NamedTuple):
    """Runs at one level."""

    level: float
    reached: int
    runs: int


def stripes(table: Table, limit: LimitState) -> list[Stripe]:
    """Counts of a limit state at every level, ascending; failed runs do not count."""
    counts: dict[float, list[int]] = {}
    for row in table.done:
        if row.get("level") is not None:
            one = counts.setdefault(row["level"], [0, 0])
            one[0] += limit.reached(row)
            one[1] += 1
    return [Stripe(level, *counts[level]) for level in sorted(counts)]


def capacities(table: Table, limit: LimitState, parameters: Any = ()) -> tuple[list[float], list[float]]:
    """Levels at which records reached a limit state, and last levels of those that did not.

    The capacity of a record is the geometric mean of the last level before the limit state and of the first that
    reached it; without a level before, it is that first level.

    Parameters
    ----------
    table : Table
    limit : LimitState
    parameters : list of str, optional
        Names of what varies: a record with two samples counts twice.
    """
    curves: dict[tuple[Any, ...], list[tuple[float, bool]]] = {}
    for row in table.done:
        if row.get("level") is not None:
            mark = (row["motion"], *(repr(row.get(name)) for name in parameters))
            curves.setdefault(mark, []).append((row["level"], limit.reached(row)))
    found: tuple[list[float], list[float]] = ([], [])
    for points in curves.values():
        level, reached = _capacity(sorted(points))
        found[0 if reached else 1].append(level)
    return found


def _capacity(points: list[tuple[float, bool]]) -> tuple[float, bool]:
    above = [level for level, reached in points if reached]
    if not above:
        return points[-1][0], False
    below = [level for level, reached in points if level < above[0]]
    return (math.sqrt(below[-1] * above[0]) if below else above[0]), True


def fragility(study: Any, table: Table, name: str = "collapse", replicates: int = 0, seed: int = 0) -> Fragility:
    """Fragility curve of a study: of stripes, of a hunt, or of a cloud, as its levels are.

    Parameters
    ----------
    study : Study
    table : Table
    name : str
        Of the limit state.
    replicates : int, optional
        Of the bootstrap.
    seed : int, optional
    """
    if name not in study.limits:
        remedy = "Limit states: {}.".format(", ".join(study.limits))
        raise InputError("The study has no limit state {!r:.40}.".format(name), remedy=remedy)
    limit = study.limits[name]
    if not study.motions:
        raise InputError("Without ground motions there is no fragility.", remedy="Give `ground`.")
    if hasattr(study.levels, "levels"):
        return fit_capacities(*capacities(table, limit, study.vary), replicates, seed)
    if study.levels is None and limit.measure is not None:
        return fit_cloud(table.column("level"), table.column(limit.measure), limit.above, replicates, seed)
    level, reached, runs = np.array(stripes(table, limit), float).reshape(-1, 3).T
    return fit_counts(level, reached, runs, replicates, seed)
