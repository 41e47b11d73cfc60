"""Which parameter matters: indices of Sobol, or elementary effects of Morris, through SALib."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.studies.samplers import MORRIS_LEVELS, salib, salib_problem
from compas_nscd.studies.table import Table


class Effect(NamedTuple):
    """How much a column depends on a parameter."""

    parameter: str
    first: float  # Sobol: share of the variance by the parameter alone; Morris: mean absolute effect
    total: float  # Sobol: with its interactions; Morris: deviation of the effects
    uncertainty: float  # of `first`, 95 %


def sensitivity(study: Any, table: Table, column: str) -> list[Effect]:
    """Effects of the parameters of a study on a column, greatest first.

    Parameters
    ----------
    study : Study
        With the sampler `saltelli` (indices of Sobol) or `morris` (elementary effects).
    table : Table
    column : str

    Raises
    ------
    InputError
        If the sampler is another one, or runs are missing.
    NotAvailableError
        If SALib is not installed.
    """
    if study.sampler not in ("saltelli", "morris"):
        raise InputError("The sampler {} has no indices.".format(study.sampler), remedy="Use saltelli or morris.")
    if len(table) != len(study.samples) or len(table.done) != len(table):
        raise InputError("Indices need every run of the study.", remedy="Run it to the end, without failed runs.")
    values = table.column(column)
    if not np.isfinite(values).all():
        raise InputError("The column {} has missing numbers.".format(column), remedy="Take another column.")
    names = list(study.vary)
    found = _sobol(names, values) if study.sampler == "saltelli" else _morris(study, names, values)
    return sorted(found, key=lambda effect: -effect.first)


def _sobol(names: list[str], values: np.ndarray) -> list[Effect]:
    analyse = salib("analyze.sobol").analyze
    found = analyse(salib_problem(names), values, calc_second_order=False, seed=0)
    rows = zip(names, found["S1"].tolist(), found["ST"].tolist(), found["S1_conf"].tolist())
    return [Effect(*row) for row in rows]


def _morris(study: Any, names: list[str], values: np.ndarray) -> list[Effect]:
    """Effects over the trajectories that `samplers` made with the same seed."""
    shares = salib("sample.morris").sample(salib_problem(names), study.runs, num_levels=MORRIS_LEVELS, seed=study.seed)
    found = salib("analyze.morris").analyze(salib_problem(names), shares, values, num_levels=MORRIS_LEVELS, seed=0)
    rows = zip(names, list(found["mu_star"]), list(found["sigma"]), list(found["mu_star_conf"]))
    return [Effect(*map(_plain, row)) for row in rows]


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else float(value)
