"""Fragility: probability that a limit state is reached, as a lognormal distribution of the intensity.

P(level) = Phi(ln(level / median) / dispersion), fitted by maximum likelihood

- to counts at levels (multiple stripes, or single records of a cloud): a probit model in ln(level), by Fisher scoring;
- to the levels at which records reached the limit (incremental dynamic analysis), where records that never did count
  by the probability of lying above their last level: expectation and maximisation;

or by regression of ln(measure) on ln(level) (cloud). Baker (2015), Jalayer et al. (2015).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import InputError, NotConvergedError

#: Change of the parameters at which an iteration stops [-].
TOLERANCE = 1e-12
#: Most iterations: of Fisher scoring, which converges quadratically, and of EM, which converges linearly.
MOST_ITERATIONS, MOST_EM = 100, 20000
#: Replicates of a bootstrap unless given, and the share between the ends of its bands.
REPLICATES, CONFIDENCE = 1000, 0.9

_NORMAL = NormalDist()
_phi = np.vectorize(_NORMAL.pdf, otypes=[float])
_cdf = np.vectorize(_NORMAL.cdf, otypes=[float])


class Fragility(NamedTuple):
    """A fragility curve."""

    median: float  # [unit of the levels] level with a probability of one half
    dispersion: float  # [-] standard deviation of ln(level)
    method: str  # stripes, hunt or cloud
    replicates: np.ndarray | None = None  # (n, 2) medians and dispersions of a bootstrap

    def probability(self, level: Any) -> np.ndarray:
        """Probability of the limit state at levels [-]."""
        return _curve(np.asarray(level, float), self.median, self.dispersion)

    def band(self, level: Any, confidence: float = CONFIDENCE) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper end of the probability at levels, from the bootstrap."""
        if self.replicates is None:
            raise InputError("The curve has no bootstrap.", remedy="Give a number of replicates.")
        found = np.array([_curve(np.asarray(level, float), *each) for each in self.replicates])
        low, high = np.quantile(found, _ends(confidence), axis=0)
        return low, high

    def interval(self, confidence: float = CONFIDENCE) -> dict[str, list[float]]:
        """Intervals of median and dispersion, from the bootstrap."""
        assert self.replicates is not None
        low, high = np.quantile(self.replicates, _ends(confidence), axis=0)
        return {"median": [float(low[0]), float(high[0])], "dispersion": [float(low[1]), float(high[1])]}


def fit_counts(levels: Any, reached: Any, runs: Any, replicates: int = 0, seed: int = 0) -> Fragility:
    """Fit counts at levels.

    Parameters
    ----------
    levels : array-like (n,)
        Above 0.
    reached : array-like (n,)
        Runs at each level that reached the limit state.
    runs : array-like (n,)
        Runs at each level.
    replicates : int, optional
        Of a bootstrap: at every level the runs are drawn again.
    seed : int, optional

    Raises
    ------
    InputError
        If the counts are impossible, or determine no curve.
    """
    x, k, n = (np.asarray(each, float).ravel() for each in (levels, reached, runs))
    _check_counts(x, k, n)
    median, dispersion = _probit(np.log(x), k, n)

    def again(random: np.random.Generator) -> tuple[float, float]:
        return _probit(np.log(x), random.binomial(n.astype(int), k / n).astype(float), n)

    return Fragility(median, dispersion, "stripes", _bootstrap(again, replicates, seed))


def fit_capacities(capacities: Any, survived: Any = (), replicates: int = 0, seed: int = 0) -> Fragility:
    """Fit the levels at which records reached the limit state, and the last levels of those that did not.

    Parameters
    ----------
    capacities : array-like (n,)
    survived : array-like (m,), optional
    replicates : int, optional
        Of a bootstrap: records are drawn again.
    seed : int, optional
    """
    c, s = np.asarray(capacities, float).ravel(), np.asarray(survived, float).ravel()
    if len(c) < 2 or not (np.concatenate([c, s]) > 0.0).all():
        raise InputError("At least two records must reach the limit state, at levels above 0.")
    level, known = np.log(np.concatenate([c, s])), np.repeat([True, False], [len(c), len(s)])

    def again(random: np.random.Generator) -> tuple[float, float]:
        drawn = random.integers(0, len(level), len(level))
        return _censored(level[drawn], known[drawn])

    return Fragility(*_censored(level, known), "hunt", _bootstrap(again, replicates, seed))


def fit_cloud(levels: Any, values: Any, threshold: float, replicates: int = 0, seed: int = 0) -> Fragility:
    """Regression of ln(value) on ln(level), and the levels at which it crosses a threshold.

    Parameters
    ----------
    levels, values : array-like (n,)
        Intensities and measures of single runs, above 0.
    threshold : float
        Of the measure.
    replicates : int, optional
        Of a bootstrap: runs are drawn again.
    seed : int, optional
    """
    x, y = np.asarray(levels, float).ravel(), np.asarray(values, float).ravel()
    sound = (x > 0.0) & (y > 0.0) & np.isfinite(x) & np.isfinite(y)
    x, y = np.log(x[sound]), np.log(y[sound])
    if len(x) < 3 or not threshold > 0.0:
        raise InputError("A cloud needs three runs with a measure above 0, and a threshold above 0.")

    def again(random: np.random.Generator) -> tuple[float, float]:
        drawn = random.integers(0, len(x), len(x))
        return _regression(x[drawn], y[drawn], threshold)

    return Fragility(*_regression(x, y, threshold), "cloud", _bootstrap(again, replicates, seed))


def _curve(level: np.ndarray, median: float, dispersion: float) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return _cdf(np.log(level / median) / dispersion)


def _ends(confidence: float) -> list[float]:
    return [0.5 * (1.0 - confidence), 0.5 * (1.0 + confidence)]


def _check_counts(x: np.ndarray, k: np.ndarray, n: np.ndarray) -> None:
    if not (len(x) == len(k) == len(n) and len(x) >= 2 and np.isfinite(np.concatenate([x, k, n])).all()):
        raise InputError("Counts need two levels or more, each with its number of runs.")
    if not ((x > 0.0).all() and (k >= 0.0).all() and (k <= n).all() and (n > 0.0).all()):
        raise InputError(
            "A level is not above 0, or has more collapses than runs.", remedy="Give level, collapses and runs."
        )
    if (k % 1.0).any() or (n % 1.0).any():
        raise InputError("Numbers of runs and of collapses are whole.")


def _probit(z: np.ndarray, k: np.ndarray, n: np.ndarray) -> tuple[float, float]:
    """Median and dispersion by Fisher scoring of p = Phi(a + b z)."""
    _require_overlap(z, k, n)
    shift, scale = z.mean(), z.std()
    u = (z - shift) / scale
    share = np.clip(k / n, 0.02, 0.98)
    b, a = np.polyfit(u, [_NORMAL.inv_cdf(p) for p in share], 1, w=np.sqrt(n))
    for _ in range(MOST_ITERATIONS):
        step = _scoring_step(u, k, n, a, b)
        a, b = a + step[0], b + step[1]
        if np.abs(step).max() < TOLERANCE * max(abs(a), abs(b), 1.0):
            break
    else:
        raise NotConvergedError("The maximum of the likelihood was not found.")
    if not b > 0.0:
        raise InputError("Collapses do not become more frequent with the level.", remedy="Check the columns.")
    slope = b / scale
    return math.exp(shift - a / slope), 1.0 / slope


def _scoring_step(u: np.ndarray, k: np.ndarray, n: np.ndarray, a: float, b: float) -> np.ndarray:
    """Step (a, b) of Fisher scoring, shortened so that no argument moves by more than one deviation."""
    eta = a + b * u
    p, f = np.clip(_cdf(eta), 1e-300, 1.0 - 1e-16), _phi(eta)
    weight = n * f * f / (p * (1.0 - p))
    score = f * (k - n * p) / (p * (1.0 - p))
    design = np.column_stack([np.ones_like(u), u])
    step = np.linalg.solve(design.T @ (weight[:, None] * design), design.T @ score)
    return step / max(np.abs(design @ step).max(), 1.0)


def _require_overlap(z: np.ndarray, k: np.ndarray, n: np.ndarray) -> None:
    """An InputError if the highest level without collapse is not above the lowest with one: any steep curve fits."""
    stands, falls = z[k < n], z[k > 0.0]
    if not len(falls) or not len(stands):
        word = "no" if not len(falls) else "every"
        raise InputError("There was a collapse at {} level in {} run.".format("any" if word == "no" else "each", word))
    if stands.max() <= falls.min() and not ((k > 0.0) & (k < n)).any():
        remedy = "Add levels between the highest without and the lowest with collapses."
        raise InputError("The counts change from none to all between two levels.", remedy=remedy)
    if ((k > 0.0) & (k < n)).sum() == 1 and stands.max() <= falls.min():
        raise InputError("Only one level has some collapses.", remedy="Add levels beside it.")


def _censored(level: np.ndarray, known: np.ndarray) -> tuple[float, float]:
    """Median and dispersion of a normal sample whose other values are known to be greater, by EM."""
    if known.sum() < 2 or not np.ptp(level[known]) > 0.0:
        raise InputError("The records reach the limit state at one level.", remedy="Refine the hunt, or add records.")
    mean, deviation = level[known].mean(), level[known].std()
    for _ in range(MOST_EM if not known.all() else 0):
        t = (level[~known] - mean) / deviation
        tail = np.maximum(1.0 - _cdf(t), 1e-300)
        hazard = _phi(t) / tail
        first = mean + deviation * hazard
        second = deviation**2 * (1.0 + t * hazard - hazard**2)  # variance of the hidden values
        new = (level[known].sum() + first.sum()) / len(level)
        spread = ((level[known] - new) ** 2).sum() + (second + (first - new) ** 2).sum()
        change = abs(new - mean) + abs(math.sqrt(spread / len(level)) - deviation)
        mean, deviation = new, math.sqrt(spread / len(level))
        if change < TOLERANCE:
            break
    return math.exp(mean), float(deviation)


def _regression(x: np.ndarray, y: np.ndarray, threshold: float) -> tuple[float, float]:
    if not np.ptp(x) > 0.0:
        raise InputError("All records have the same intensity.", remedy="Take other records.")
    b, a = np.polyfit(x, y, 1)
    if not b > 0.0:
        raise InputError("The measure does not grow with the intensity.", remedy="Take another measure.")
    deviation = math.sqrt(((y - a - b * x) ** 2).sum() / (len(x) - 2))
    return math.exp((math.log(threshold) - a) / b), deviation / b


def _bootstrap(
    again: Callable[[np.random.Generator], tuple[float, float]], replicates: int, seed: int
) -> np.ndarray | None:
    """Medians and dispersions of samples that were drawn again; samples that determine no curve are left out."""
    if not replicates:
        return None
    random = np.random.default_rng(seed)
    found: list[Sequence[float]] = []
    for _ in range(replicates):
        try:
            found.append(again(random))
        except (InputError, NotConvergedError, np.linalg.LinAlgError):
            continue
    if len(found) < replicates / 2:
        raise InputError("Most samples of the bootstrap determine no curve.", remedy="Compute more runs.")
    return np.array(found)
