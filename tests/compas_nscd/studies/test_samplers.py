"""Samples: the same for the same seed, spread as the sampler promises, refused where they make no sense."""

import math
import sys

import numpy as np
import pytest

from compas_nscd.errors import InputError, NotAvailableError
from compas_nscd.studies import samplers
from compas_nscd.studies.samplers import samples
from compas_nscd.studies.variables import variable


def made(sampler, runs=None, seed=0, **vary):
    return samples([variable(name, given, sampler == "grid") for name, given in vary.items()], sampler, runs, seed)


def test_grid_has_every_combination_in_order():
    found = made("grid", a=[1, 2], b=["x", "y"])
    assert found == [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}]
    assert [row["a"] for row in made("grid", a={"low": 0.0, "high": 1.0, "count": 3})] == [0.0, 0.5, 1.0]
    assert made("grid") == [{}]


@pytest.mark.parametrize("sampler", ["random", "latin", "sobol"])
def test_samples_follow_the_seed(sampler):
    a, b, c = (made(sampler, 16, seed, x=(0.0, 1.0), y=(2.0, 4.0)) for seed in (1, 1, 2))
    assert a == b and a != c and len(a) == 16
    assert all(0.0 < row["x"] < 1.0 and 2.0 < row["y"] < 4.0 for row in a)


def test_latin_hypercube_has_one_sample_in_each_stratum():
    found = made("latin", 50, x=(0.0, 50.0), y=(0.0, 50.0))
    for name in "xy":
        assert sorted(int(row[name]) for row in found) == list(range(50))


def test_sobol_sequence_is_balanced():
    found = np.array([row["x"] for row in made("sobol", 64, x=(0.0, 1.0))])
    assert (np.histogram(found, 8, (0.0, 1.0))[0] == 8).all()


def test_distributions_have_their_moments():
    found = made("latin", 2000, x={"normal": [5.0, 2.0]}, y={"lognormal": [3.0, 0.4]}, z={"values": [7, 8, 9]})
    x, y = np.array([row["x"] for row in found]), np.log([row["y"] for row in found])
    assert x.mean() == pytest.approx(5.0, abs=0.02) and x.std() == pytest.approx(2.0, abs=0.02)
    assert y.mean() == pytest.approx(math.log(3.0), abs=0.01) and y.std() == pytest.approx(0.4, abs=0.01)
    assert {row["z"] for row in found} == {7, 8, 9}


@pytest.mark.parametrize(
    "sampler, runs, given, message",
    [
        ("grid", None, {"low": 0, "high": 1}, "needs values"),
        ("grid", 3, [1, 2], "has 2 samples"),
        ("grid", None, [], "has no values"),
        ("latin", None, (0, 1), "needs runs"),
        ("latin", 0, (0, 1), "needs runs"),
        ("latin", True, (0, 1), "needs runs"),
        ("cubic", 3, (0, 1), "no sampler"),
        ("random", 3, (1, 0), "must ascend"),
        ("random", 3, {"normal": [0, 0]}, "above 0"),
        ("random", 3, {"lognormal": [-1, 1]}, "above 0"),
        ("random", 3, {"low": "a", "high": 1}, "two numbers"),
        ("random", 3, {"between": [0, 1]}, "cannot vary"),
        ("grid", None, {"low": 0, "high": 1, "count": 0}, "count"),
    ],
)
def test_what_makes_no_sense_is_refused(sampler, runs, given, message):
    with pytest.raises(InputError, match=message):
        made(sampler, runs, x=given)


def test_without_salib_the_error_says_what_to_install(monkeypatch):
    for name in ("SALib", "SALib.sample", "SALib.sample.sobol"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(NotAvailableError, match=r"compas_nscd\[sensitivity\]"):
        samplers.salib("sample.sobol")
