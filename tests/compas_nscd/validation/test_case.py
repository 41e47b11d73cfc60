import math

import pytest

from compas_nscd.validation.case import Case, Comparison, LeftOut, Outcome, Trial, plain


def outcome_of(*comparisons, **more):
    case = Case("X1", "title", "chapter", "D", "source", "reason", lambda trial: None, True, "", "")
    return Outcome(case, list(comparisons), [], 0.1, **more)


@pytest.mark.parametrize(
    "reference, computed, tolerances, error, passed",
    [
        (2.0, 2.02, {"relative": 0.02}, 0.01, True),
        (2.0, 2.1, {"relative": 0.02}, 0.05, False),
        (2.0, 2.1, {"absolute": 0.2}, 0.1, True),
        (4, 4, {}, 0.0, True),
        (4, 5, {}, 1.0, False),
        (2.0, None, {"relative": 0.02}, math.inf, False),
        (2.0, math.nan, {"absolute": 1.0}, math.inf, False),
        (-2.0, -2.02, {"relative": 0.02}, 0.01, True),
    ],
)
def test_a_number_is_compared_within_its_tolerance(reference, computed, tolerances, error, passed):
    trial = Trial(None)
    trial.number("x", reference, computed, **tolerances)
    (row,) = trial.comparisons
    assert row.error == pytest.approx(error) and row.passed is passed


def test_a_range_and_a_verdict():
    trial = Trial(None)
    trial.inside("inside", 1.0, 2.0, 1.5)
    trial.inside("outside", 1.0, 2.0, 2.25)
    trial.inside("no answer", 1.0, 2.0, None)
    trial.verdict("same", "stable", "stable")
    trial.verdict("other", True, None)
    assert [row.error for row in trial.comparisons] == [0.0, 0.25, math.inf, 0.0, 1.0]
    assert [row.passed for row in trial.comparisons] == [True, False, False, True, False]


def test_a_case_passes_if_all_its_quantities_do():
    good, bad = Comparison("a", 1.0, 1.0, 0.0, 0.1), Comparison("b", 1.0, 2.0, 1.0, 0.1)
    assert outcome_of(good).passed is True
    assert outcome_of(good, bad).passed is False and outcome_of(good, bad).worst == bad
    assert outcome_of().passed is False  # nothing was compared
    assert outcome_of(good, failure="ValueError").passed is False
    assert outcome_of(left_out="needs a file").passed is None


def test_data_have_one_value_or_one_for_each_quantity():
    one = outcome_of(Comparison("a", 1.0, math.inf, math.inf, 0.1)).to_data()
    assert (one["reference"], one["computed"], one["error"], one["tolerance"], one["pass"]) == (
        1.0,
        None,
        None,
        0.1,
        False,
    )
    two = outcome_of(Comparison("a", (1.0, 2.0), 1.5, 0.0, 0.0), Comparison("b", "x", "x", 0.0, 0.0)).to_data()
    assert two["reference"] == {"a": [1.0, 2.0], "b": "x"} and two["computed"] == {"a": 1.5, "b": "x"} and two["pass"]


def test_plain_data():
    assert plain((1.0, math.nan, "a", None, True)) == [1.0, None, "a", None, True]


def test_models_outside_the_project_are_left_out_where_they_are_absent(tmp_path):
    (tmp_path / "there.json").write_text("{}", encoding="utf-8")
    assert Trial(None, tmp_path).shared("there.json").is_file()
    for shared in (None, tmp_path):
        with pytest.raises(LeftOut, match="peers/index.json"):
            Trial(None, shared).shared("peers", "index.json")
