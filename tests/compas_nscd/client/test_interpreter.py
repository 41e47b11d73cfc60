"""Which Python runs the engine, and that different ones understand each other."""

import os
import sys

import pytest

from compas_nscd.client.engine import Engine
from compas_nscd.client.interpreters import choice, interpreter
from compas_nscd.errors import EngineStartError

pytest_plugins = ["process_fixtures"]


@pytest.fixture(autouse=True)
def unset(monkeypatch):
    monkeypatch.delenv(interpreter.VARIABLE, raising=False)


@pytest.mark.short
def test_the_argument_wins_over_the_variable_and_the_variable_over_our_own(monkeypatch, tmp_path):
    named, given = tmp_path / "python-named", tmp_path / "python-given"
    named.write_text("")
    given.write_text("")
    own = choice.choose()
    monkeypatch.setenv(interpreter.VARIABLE, str(named))
    assert choice.choose().path == str(named) and interpreter.VARIABLE in choice.choose().reason
    assert choice.choose(str(given)).path == str(given) and "argument" in choice.choose(str(given)).reason
    assert os.path.samefile(own.path, sys.executable)


@pytest.mark.parametrize("how", ["argument", "variable"])
def test_a_python_that_is_not_there_is_named(monkeypatch, tmp_path, how):
    path = str(tmp_path / "python9")
    if how == "variable":
        monkeypatch.setenv(interpreter.VARIABLE, path)
    with pytest.raises(EngineStartError, match="python9"):
        choice.choose(path if how == "argument" else None)


def test_inside_rhino_the_python_beside_it_is_found(monkeypatch):
    monkeypatch.setattr(sys, "executable", os.path.join(os.sep, "Applications", "Rhino 8.app", "Rhinoceros"))
    monkeypatch.setattr(sys, "_base_executable", sys.executable, raising=False)
    found = interpreter.own_executable()
    assert os.path.basename(found).startswith("python") and os.path.isfile(found)


def test_without_numba_the_remedy_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(interpreter.importlib.util, "find_spec", lambda name: None if name == "numba" else object())
    monkeypatch.setattr(interpreter, "extra_paths", list)
    with pytest.raises(EngineStartError, match="lacks numba") as caught:
        choice.choose()
    assert "-m pip install" in caught.value.remedy and sys.executable in caught.value.remedy


def test_folders_that_a_new_process_would_not_search_are_handed_on(monkeypatch, tmp_path):
    """Rhino puts packages into folders that it adds to sys.path while it runs."""
    package = tmp_path / "site-envs" / "numba"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setenv("PYTHONHOME", "Rhino's")
    environment = choice.choose().environment()
    assert str(package.parent) in environment["PYTHONPATH"].split(os.pathsep)
    assert "PYTHONHOME" not in environment


@pytest.fixture
def other_python():
    path = os.environ.get("NSCD_OTHER_PYTHON")
    if not path:
        pytest.skip("NSCD_OTHER_PYTHON does not name another Python with compas_nscd[engine]")
    return path


def test_an_engine_of_another_python_serves_us(home, other_python):
    with Engine(python=other_python, options=["--test-verbs"]) as engine:
        assert engine.submit("echo", {"value": [1, 2.5, "é"]}).result() == {"value": [1, 2.5, "é"]}


def test_our_engine_serves_a_client_of_another_python(home, program, other_python):
    with Engine(python=sys.executable, options=["--test-verbs"]) as engine:
        client = program(
            """
            with Engine(python={!r}, options=["--test-verbs"]) as engine:
                assert not engine.info["started"], engine.info
                print(engine.submit("echo", {{"value": engine.info["pid"]}}).result()["value"], flush=True)
            """.format(sys.executable),
            python=other_python,
        )
        assert int(client.line()) == engine.info["pid"]
        assert client.finish() == 0
