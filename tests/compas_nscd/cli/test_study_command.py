"""`nscd study`: run, show and fit, with real engines."""

import json
import re

import pytest

from compas_nscd.cli import main

#: A column of two blocks under a half sine: it stands at the first level and falls at the second.
STUDY = {
    "name": "column",
    "template": "stack",
    "parameters": {"blocks": 2},
    "ground": [{"kind": "half-sine", "direction": "x", "acceleration": 1.0, "duration": 0.6, "name": "pulse"}],
    "levels": [0.05, 2.0],
    "options": {"time_step": 0.01, "after": 1.0},
    "limits": {"drift": {"measure": "drift", "above": 0.05}},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder of a study that has been run."""
    place = tmp_path_factory.mktemp("study")
    (place / "column_study.json").write_text(json.dumps(STUDY))
    assert main(["study", "run", str(place / "column_study.json"), "--out", str(place / "out"), "--workers", "1"]) == 0
    return place


def answer(capsys, *arguments):
    status = main([*arguments, "--json", "--quiet"])
    return status, json.loads(capsys.readouterr().out)


def test_run_goes_on_with_what_is_there(folder, capsys):
    status, found = answer(
        capsys, "study", "run", str(folder / "column_study.json"), "--out", str(folder / "out"), "--workers", "1"
    )
    assert status == 0 and set(found) == {"runs", "done", "failed", "reused", "workers", "time"}
    assert [found[key] for key in ("runs", "done", "failed", "reused", "workers")] == [2, 2, 0, 2, 1]
    assert set(found["time"]) == {"wall_s", "analysis_s"}
    table = (folder / "out" / "table.csv").read_text().splitlines()
    assert len(table) == 3 and table[0].startswith("run,motion,level,factor,collapse,verdict,outcome")
    assert [line.split(",")[4] for line in table[1:]] == ["0", "1"]


def test_show_writes_a_page_whose_points_lead_to_runs(folder, capsys):
    status, found = answer(capsys, "study", "show", str(folder / "out"), "--replicates", "0")
    assert status == 0 and found["runs"] == 2 and "error" in found["fragility"]["collapse"]
    page = (folder / "out" / "study.html").read_text(encoding="utf-8")
    for link in re.findall(r'href="#(run-\d+)"', page):
        assert "id='{}'".format(link) in page
    assert page.count('href="#run-') == 2


def test_the_page_of_a_run_is_made_on_demand(folder, capsys):
    status, found = answer(capsys, "study", "show", str(folder / "out"), "--run", "1")
    assert status == 0 and found["collapse"] is True
    assert "It falls" in open(found["page"], encoding="utf-8").read()
    assert answer(capsys, "study", "show", str(folder / "out"), "--run", "2")[0] == 2


def test_fit_of_counts(tmp_path, capsys):
    path = tmp_path / "counts.csv"
    path.write_text("level, collapses, runs\n1,2,54\n1.5,25,54\n2,43,54\n")
    status, found = answer(capsys, "study", "fit", str(path), "--replicates", "50")
    assert status == 0
    assert found["median"] == pytest.approx(1.57248, abs=5e-6)
    assert found["dispersion"] == pytest.approx(0.27003, abs=5e-6)
    assert found["band"]["median"][0] < found["median"] < found["band"]["median"][1]


@pytest.mark.parametrize(
    "text, message",
    [
        ("a,b\n1,2\n", "no column level"),
        ("level,collapses,runs\n1,x,3\n", "Line 2"),
        ("level,collapses,runs\n", "no column"),
        ("level,collapses,runs\n1,0,5\n2,0,5\n", "collapse"),
        ("", "empty"),
    ],
)
def test_counts_that_cannot_be_fitted(tmp_path, capsys, text, message):
    path = tmp_path / "counts.csv"
    path.write_text(text)
    assert main(["study", "fit", str(path)]) == 2
    assert message in capsys.readouterr().err


def test_wrong_studies_end_with_status_2(tmp_path, capsys):
    path = tmp_path / "study.json"
    path.write_text('{"template": "arch", "vary": {"thicknes": [1]}}')
    assert main(["study", "run", str(path), "--out", str(tmp_path / "out")]) == 2
    assert "There is no parameter 'thicknes'" in capsys.readouterr().err
    assert main(["study", "show", str(tmp_path)]) == 2
    assert main(["study", "run", str(path), "--out", str(path / "x"), "--workers", "0"]) == 2
