import re

import pytest

from compas_nscd.errors import EngineStartError, InputError
from compas_nscd.validation.case import KINDS, LeftOut, Trial
from compas_nscd.validation.chapter import Chapter
from compas_nscd.validation.runner import CASES, run_case, run_cases, select
from places import ROOT

#: Cases of docs/validation.md whose subjects exist; V71 is a test of the engine.
KNOWN = [*range(1, 16), *range(20, 38), *range(40, 47), *range(50, 71), *range(72, 79), *range(80, 87)]


def made(compute, **more):
    chapter = Chapter("chapter")
    chapter.case("X1", "title", "D", "source", "reason", **more)(compute)
    return chapter.cases[0]


def test_every_known_case_is_in_the_book_once():
    numbers = [case.id for case in CASES]
    assert len(set(numbers)) == len(numbers)
    assert sorted(int(name[1:]) for name in numbers if name[0] == "V") == KNOWN
    assert sum(name[0] == "E" for name in numbers) >= 4  # experiments


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_says_what_its_reference_is(case):
    assert case.title and case.source and case.reason and case.description
    assert case.kind and all(letter in KINDS for letter in case.kind.split())
    assert case.leaves_out or not case.id.startswith("E")  # what a model of rigid blocks does not have


def test_the_page_of_the_docs_names_every_case():
    """Made by `python docs/validation.py`: each case has a section, or is among those that were not computed."""
    text = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
    assert [case.id for case in CASES if not re.search(r"\b{}\b".format(case.id), text)] == []


def test_cases_are_chosen_by_number():
    assert [case.id for case in select(["v25", " V22"])] == ["V22", "V25"]
    assert len(select()) == len(CASES) > len(select(quick=True)) > 20
    assert select(["V20"], quick=True) == []
    with pytest.raises(InputError, match="V999"):
        select(["V22", "V999"])


def test_what_goes_wrong_in_a_case_is_its_failure():
    def broken(trial):
        trial.number("a", 1.0, 1.0)
        raise ValueError("no such thing")

    outcome = run_case(made(broken), Trial(None))
    assert outcome.passed is False and outcome.failure.startswith("ValueError: no such thing (test_runner.py")


def test_a_case_without_its_model_is_left_out():
    def absent(trial):
        raise LeftOut("needs a model")

    assert (run_case(made(absent), Trial(None)).passed, run_case(made(absent), Trial(None)).left_out) == (
        None,
        "needs a model",
    )


def test_an_engine_that_cannot_start_ends_everything():
    def unreachable(trial):
        raise EngineStartError("no interpreter")

    with pytest.raises(EngineStartError):
        run_case(made(unreachable), Trial(None))


def test_progress_is_told_before_each_case():
    told = []
    outcomes = list(run_cases([made(lambda trial: trial.number("a", 1, 1))] * 2, None, progress=told.append))
    assert [outcome.passed for outcome in outcomes] == [True, True]
    assert [(step["phase"], step["fraction"]) for step in told] == [("X1, title", 0.0), ("X1, title", 0.5)]
