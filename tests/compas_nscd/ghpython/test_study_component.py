"""Study on the canvas: table, progress, cancel, refusals. Static runs are computed in this process."""

import threading

import pytest

from compas_nscd import GroundMotion, templates
from compas_nscd.ghpython.components.study import _assigned, _varied
from compas_nscd.studies.running import worker
from study_tools import EngineHere

pytest_plugins = ["gh_fixtures"]


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    """Engines of workers are in this process; nothing is kept in the home folder."""
    monkeypatch.setattr(worker, "Engine", EngineHere)
    monkeypatch.setattr(worker, "_here", threading.local())
    return tmp_path


def test_table_of_a_template(rhino, live, tmp_path):
    lines = ["thickness=0.3..0.6/2", "friction=0.2,0.7"]
    component = live.add("Nscd_Study", source="arch", vary=lines, compute=True)
    component.set(folder=str(tmp_path))
    live.solve()
    assert rhino.idle(lambda: component["collapse"], 120.0), component.told
    assert component["collapse"] == [True, True, True, False] and component["progress"] == 1.0
    assert component["columns"][:4] == ["run", "thickness", "friction", "collapse"]
    assert component.Message == "4 runs" and component.told == []
    assert (tmp_path / "table.csv").exists()


def test_cancelled_studies_go_on(rhino, live, tmp_path):
    component = live.add("Nscd_Study", source="arch", vary=["friction=0.3..0.7/400"], compute=True)
    component.set(folder=str(tmp_path))
    live.solve()
    assert rhino.idle(lambda: _written(tmp_path) > 2, 120.0), component.told
    component.set(compute=False)
    live.solve()
    assert rhino.idle(lambda: component.Message == "cancelled", 20.0), component.Message
    assert 0 < _written(tmp_path) < 400 and 0.0 < component["progress"] < 1.0 and (tmp_path / "table.csv").exists()


def _written(folder):
    path = folder / "runs.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_without_compute_it_waits(rhino, live):
    component = live.add("Nscd_Study", source=templates.stack(), vary=["friction=0.3,0.4"])
    live.solve()
    assert component.Message == "ready" and component["info"] == ["Set compute to true."]


def test_a_parameter_that_does_not_exist_is_a_message(rhino, live):
    component = live.add("Nscd_Study", source="arch", vary=["thicknes=0.3"], compute=True)
    live.solve()
    assert any("thicknes" in text for text in component.messages("Error"))


def test_lines_of_vary():
    assert _varied("a=1,2.5,x") == ("a", {"values": [1, 2.5, "x"]})
    assert _varied(" a = 0.1 .. 0.2 ") == ("a", {"low": 0.1, "high": 0.2})
    assert _varied("a=-1..1/3") == ("a", {"low": -1.0, "high": 1.0, "count": 3})
    assert _assigned("vary=acceleration:x") == ("vary", "acceleration:x")


def test_inputs_that_are_no_lines_are_refused(rhino, live):
    component = live.add("Nscd_Study", source="arch", vary=["thickness"], compute=True)
    live.solve()
    assert any("name=value" in text for text in component.messages("Error"))
    component = live.add(
        "Nscd_Study", source="arch", ground=[GroundMotion.half_sine("x", 1, 1)], levels=[0.0], compute=True
    )
    live.solve()
    assert any("above 0" in text for text in component.messages("Error"))
