"""Samplers: which values of the parameters are run. The same seed gives the same samples."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Callable

import numpy as np

from compas_nscd.errors import InputError, NotAvailableError
from compas_nscd.studies.variables import Variable

#: Most runs of a study. More: a mistake of the grid.
MOST_RUNS = 10_000_000
#: Levels of the grid of Morris trajectories [-], the value of SALib's manual.
MORRIS_LEVELS = 4


def samples(variables: Sequence[Variable], sampler: str, runs: int | None, seed: int) -> list[dict[str, Any]]:
    """Values of the parameters of every sample.

    Parameters
    ----------
    variables : list of Variable
    sampler : {"grid", "random", "latin", "sobol", "saltelli", "morris"}
        The last two are those of SALib for indices of sensitivity.
    runs : int or None
        Number of samples; a grid has its own. With `saltelli` and `morris` the number of base samples or trajectories.
    seed : int
    """
    if sampler == "grid":
        return _grid(variables, runs)
    if sampler not in SAMPLERS:
        known = ", ".join(["grid", *SAMPLERS])
        raise InputError("There is no sampler {!r:.40}.".format(sampler), remedy="Samplers: {}.".format(known))
    if not isinstance(runs, int) or isinstance(runs, bool) or not 1 <= runs <= MOST_RUNS:
        remedy = "Give a number from 1 to {}.".format(MOST_RUNS)
        raise InputError("The sampler {} needs runs, not {!r:.20}.".format(sampler, runs), remedy=remedy)
    if not variables:
        return [{} for _ in range(runs)]
    # Values from distributions without end need shares inside (0, 1).
    shares = np.clip(SAMPLERS[sampler](variables, runs, seed), 1e-12, 1.0 - 1e-12)
    return [{each.name: each.at(share) for each, share in zip(variables, row)} for row in shares.tolist()]


def _grid(variables: Sequence[Variable], runs: int | None) -> list[dict[str, Any]]:
    axes = [each.grid() for each in variables]
    count = int(np.prod([len(axis) for axis in axes], dtype=float)) if axes else 1
    if runs is not None and runs != count:
        raise InputError("The grid has {} samples, not {}.".format(count, runs), remedy="Leave `runs` out.")
    if count > MOST_RUNS:
        raise InputError("The grid has {} samples, over {}.".format(count, MOST_RUNS), remedy="Take fewer values.")
    return [dict(zip([each.name for each in variables], row)) for row in itertools.product(*axes)]


def _random(variables: Sequence[Variable], runs: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random((runs, len(variables)))


def _latin(variables: Sequence[Variable], runs: int, seed: int) -> np.ndarray:
    """Latin hypercube: one sample in each of `runs` strata of every parameter. (runs, P)"""
    random = np.random.default_rng(seed)
    strata = np.column_stack([random.permutation(runs) for _ in variables])
    return (strata + random.random(strata.shape)) / runs


def _sobol(variables: Sequence[Variable], runs: int, seed: int) -> np.ndarray:
    """Scrambled Sobol sequence; balanced if `runs` is a power of two. (runs, P)"""
    try:
        from scipy.stats import qmc
    except ImportError:
        raise NotAvailableError("The sampler sobol needs scipy.", remedy="pip install compas_nscd[studies]")
    sequence = qmc.Sobol(len(variables), scramble=True, seed=np.random.default_rng(seed))
    return sequence.random_base2((runs - 1).bit_length())[:runs]


def salib(module: str) -> Any:
    """A module of SALib."""
    try:
        from importlib import import_module

        return import_module("SALib." + module)
    except ImportError:
        raise NotAvailableError("Indices of sensitivity need SALib.", remedy="pip install compas_nscd[sensitivity]")


def salib_problem(names: Sequence[str]) -> dict[str, Any]:
    """Names and bounds of shares as SALib takes them."""
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


def _saltelli(variables: Sequence[Variable], runs: int, seed: int) -> np.ndarray:
    problem = salib_problem([each.name for each in variables])
    return salib("sample.sobol").sample(problem, runs, calc_second_order=False, seed=seed)


def _morris(variables: Sequence[Variable], runs: int, seed: int) -> np.ndarray:
    problem = salib_problem([each.name for each in variables])
    return salib("sample.morris").sample(problem, runs, num_levels=MORRIS_LEVELS, seed=seed)


#: Samplers beside the grid: shares of every parameter. (runs, P)
SAMPLERS: dict[str, Callable[[Sequence[Variable], int, int], np.ndarray]] = {
    "random": _random,
    "latin": _latin,
    "sobol": _sobol,
    "saltelli": _saltelli,
    "morris": _morris,
}
