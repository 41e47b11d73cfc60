import json

import pytest

from compas_nscd.cli import main
from compas_nscd.cli.validate import exit_status


def test_cases_as_json(capsys):
    assert main(["validate", "--only", "V36,V8", "--json", "--quiet"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [case["id"] for case in found["cases"]] == ["V8", "V36"] and (found["passed"], found["failed"]) == (2, 0)
    for case in found["cases"]:
        assert {"id", "title", "reference", "computed", "error", "tolerance", "pass"} <= set(case)
        assert case["pass"] is True and case["error"] <= case["tolerance"]


def test_the_book_is_written(tmp_path, capsys):
    book = tmp_path / "book.html"
    assert main(["validate", "--only", "V25", "--quiet", "--report", str(book)]) == 0
    out = capsys.readouterr().out
    assert "V25" in out and "agrees" in out and "1 agree, 0 differ" in out
    text = book.read_text(encoding="utf-8")
    assert "<svg" in text and "0.3736" in text


def test_an_unknown_case_is_refused(capsys):
    assert main(["validate", "--only", "V999", "--quiet"]) == 2
    assert "There is no case V999" in capsys.readouterr().err


@pytest.mark.parametrize("failed, status", [(0, 0), (3, 1)])
def test_a_failed_case_is_an_exit_status(failed, status):
    assert exit_status({"failed": failed}) == status
