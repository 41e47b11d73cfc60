"""Fragility curves: known fits, samples of known distributions, counts that determine nothing."""

import math

import numpy as np
import pytest

from compas_nscd.errors import InputError
from compas_nscd.studies.limit_states import LimitState, limit_states
from compas_nscd.studies.statistics.curves import capacities, stripes
from compas_nscd.studies.statistics.fragility import fit_capacities, fit_cloud, fit_counts


def test_counts_of_three_levels():
    """V85: the maximum of the likelihood, by an independent program."""
    curve = fit_counts([1.0, 1.5, 2.0], [2, 25, 43], [54, 54, 54])
    assert curve.median == pytest.approx(1.57248, abs=5e-6)
    assert curve.dispersion == pytest.approx(0.27003, abs=5e-6)


def test_the_unit_of_the_levels_scales_the_median_only():
    a, b = fit_counts([1, 1.5, 2], [2, 25, 43], [54] * 3), fit_counts([981, 1471.5, 1962], [2, 25, 43], [54] * 3)
    assert b.median == pytest.approx(981 * a.median) and b.dispersion == pytest.approx(a.dispersion)


def test_bands_contain_the_curve_and_are_the_same_for_the_same_seed():
    curve = fit_counts([1.0, 1.5, 2.0], [2, 25, 43], [54] * 3, replicates=200, seed=4)
    again = fit_counts([1.0, 1.5, 2.0], [2, 25, 43], [54] * 3, replicates=200, seed=4)
    assert np.array_equal(curve.replicates, again.replicates)
    low, high = curve.band([1.2, 1.57, 2.0])
    assert (low < curve.probability([1.2, 1.57, 2.0])).all() and (curve.probability([1.2, 1.57, 2.0]) < high).all()
    ends = curve.interval()
    assert ends["median"][0] < curve.median < ends["median"][1]


@pytest.mark.parametrize(
    "counts, message",
    [
        (([1, 2], [0, 0], [5, 5]), "in no run"),
        (([1, 2], [5, 5], [5, 5]), "in every run"),
        (([1, 2, 3], [0, 5, 5], [5, 5, 5]), "from none to all"),
        (([1, 2, 3], [0, 2, 5], [5, 5, 5]), "Only one level"),
        (([1, 2], [3, 1], [5, 5]), "more frequent"),
        (([0, 2], [1, 3], [5, 5]), "not above 0"),
        (([1, 2], [1, 6], [5, 5]), "more collapses than runs"),
        (([1, 2], [1, 2.5], [5, 5]), "whole"),
        (([1], [1], [5]), "two levels"),
    ],
)
def test_counts_that_determine_no_curve_are_refused(counts, message):
    with pytest.raises(InputError, match=message):
        fit_counts(*counts)


def test_capacities_without_survivors_are_a_lognormal_sample():
    found = fit_capacities([1.0, 2.0, 4.0])
    assert found.median == pytest.approx(2.0)
    assert found.dispersion == pytest.approx(math.log(2.0) * math.sqrt(2.0 / 3.0))


def test_survivors_correct_the_bias_of_a_truncated_hunt():
    """4000 capacities of median 1 and dispersion 0.5, hunted up to 1.2: standard errors are about 1 %."""
    sample = np.exp(0.5 * np.random.default_rng(1).standard_normal(4000))
    known = sample[sample <= 1.2]
    curve = fit_capacities(known, [1.2] * int((sample > 1.2).sum()))
    assert curve.median == pytest.approx(1.0, abs=0.03) and curve.dispersion == pytest.approx(0.5, abs=0.03)
    assert fit_capacities(known).median < 0.85  # without them


def test_cloud_of_a_power_law():
    """ln y = ln 0.02 + 1.5 ln x with a deviation of 0.3: the threshold 0.02 is crossed at 1."""
    random = np.random.default_rng(2)
    x = np.exp(random.uniform(-1.0, 1.0, 4000))
    y = 0.02 * x**1.5 * np.exp(0.3 * random.standard_normal(4000))
    curve = fit_cloud(x, y, 0.02, replicates=20)
    assert curve.median == pytest.approx(1.0, abs=0.02) and curve.dispersion == pytest.approx(0.2, abs=0.01)


class Rows:
    """As much of a Table as the counts need."""

    def __init__(self, *rows):
        self.done = [dict(zip(("motion", "level", "collapse", "drift"), row)) for row in rows]


ROWS = Rows(("a", 0.1, 0, 0.001), ("a", 0.2, 0, 0.03), ("a", 0.4, 1, 9.0), ("b", 0.1, 0, 0.0), ("b", 0.2, 0, 0.01))


def test_stripes_count_collapse_as_every_limit_state():
    assert stripes(ROWS, LimitState()) == [(0.1, 0, 2), (0.2, 0, 2), (0.4, 1, 1)]
    assert stripes(ROWS, LimitState("drift", 0.02)) == [(0.1, 0, 2), (0.2, 1, 2), (0.4, 1, 1)]


def test_capacity_lies_between_the_last_that_stands_and_the_first_that_falls():
    found, survived = capacities(ROWS, LimitState())
    assert found == pytest.approx([math.sqrt(0.2 * 0.4)]) and survived == [0.2]


@pytest.mark.parametrize("said", [{"measure": "drift"}, 3, {"measure": "drift", "above": "x"}])
def test_limit_states_that_say_too_little_are_refused(said):
    with pytest.raises(InputError, match="limit state"):
        limit_states({"damage": said})
