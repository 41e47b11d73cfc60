"""The environment that compas_nscd makes for its engine."""

import os
import sys
import threading
import time
from pathlib import Path
from types import ModuleType

import pytest

from compas_nscd import Engine
from compas_nscd.cli import main
from compas_nscd.client import doctor, process
from compas_nscd.client.interpreters import choice, environment, interpreter
from compas_nscd.errors import CancelledError, EngineStartError
from stand_in import stand_in as program

#: Where an environment has its Python.
PYTHON = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
#: Makes an environment in which `{}` is Python.
VENV = """
import os, shutil, sys
python = os.path.join(sys.argv[3], *{!r})
os.makedirs(os.path.dirname(python))
shutil.copy({!r}, python)
print("made", sys.argv[3])
"""
#: Tells where packages go, `{}`, and installs them by `{}`.
INNER = """
import json, os, sys, time
if sys.argv[1] == "-c":
    print(json.dumps([{!r}, "0.60"]))
else:
    {}
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The engine's home in a folder as people have it."""
    folder = tmp_path / "Büro Müller (2) ñ"
    monkeypatch.setenv("NSCD_HOME", str(folder))
    monkeypatch.delenv(interpreter.VARIABLE, raising=False)
    yield folder
    process.release_all()


def stand_in(tmp_path, pip="print('Collecting numba')"):
    """A base whose `-m venv` makes a python that installs by `pip`, a line of Python."""
    site = tmp_path / "site"
    site.mkdir(exist_ok=True)
    inner = program(tmp_path / "python inside", INNER.format(str(site), pip))
    return program(tmp_path / "python base", VENV.format(PYTHON, inner))


@pytest.mark.short
def test_progress_is_told_and_the_mark_is_written_last(home, tmp_path):
    assert environment.ready() is None
    lines = []
    found = environment.create(progress=lines.append, base=stand_in(tmp_path))
    assert not any(line.startswith("[") for line in lines)  # answers of programs are not for the user
    assert lines[1] == "made {}".format(environment.folder()) and "Collecting numba" in lines and "ready" in lines[-1]
    assert found.path == os.path.join(environment.folder(), *PYTHON) and str(home) in found.reason
    linked = (tmp_path / "site" / "compas_nscd.pth").read_text(encoding="utf-8").splitlines()
    assert Path(environment.__file__).parents[3] in map(Path, linked)


@pytest.mark.short
@pytest.mark.parametrize("pip", ["print('no connection'), sys.exit(1)", "os.kill(os.getpid(), 9)"])
def test_a_failure_leaves_nothing_and_says_what_to_do(home, tmp_path, pip):
    with pytest.raises(EngineStartError) as caught:
        environment.create(base=stand_in(tmp_path, pip))
    assert not os.path.exists(environment.folder()) and environment.ready() is None
    assert "internet" in caught.value.remedy and interpreter.VARIABLE in caught.value.remedy
    if "print" in pip:
        assert "no connection" in caught.value.message


def test_what_a_broken_off_attempt_left_is_no_environment_and_is_replaced(home, tmp_path):
    half = Path(environment.folder()).joinpath(*PYTHON)
    half.parent.mkdir(parents=True)
    half.write_text("")
    assert environment.ready() is None
    environment.create(base=stand_in(tmp_path))
    assert environment.ready() is not None


def test_it_can_be_cancelled(home, tmp_path):
    lines = []
    with pytest.raises(CancelledError):
        slow = "[(print('line'), time.sleep(1)) for i in range(9)]"
        environment.create(lines.append, stand_in(tmp_path, slow), cancelled=lambda: "line" in lines)
    assert not os.path.exists(environment.folder())


def test_a_silent_program_is_ended_too(home, tmp_path):
    """Closing Rhino does not wait for the next line of pip."""
    began = time.monotonic()
    asleep = stand_in(tmp_path, "print('asleep', flush=True), time.sleep(60)")
    lines = []
    with pytest.raises(CancelledError):
        environment.create(lines.append, asleep, cancelled=lambda: "asleep" in lines)
    assert time.monotonic() - began < 30.0


#: A Python whose `-m venv` fails; `-m pip install --target` writes what it was asked for into the folder.
WITHOUT_VENV = """
import os, sys
if sys.argv[1:3] == ["-m", "venv"]:
    sys.exit("no module named venv")
if sys.argv[1:4] == ["-m", "pip", "install"]:
    open(os.path.join(sys.argv[5], "asked"), "w", encoding="utf-8").write(" ".join(sys.argv[1:]))
"""


def test_where_venv_fails_packages_are_installed_beside(home, tmp_path):
    base = program(tmp_path / "python of Rhino", WITHOUT_VENV)
    lines = []
    found = environment.create(lines.append, base)
    assert found.path == base and any("no virtual environments" in line for line in lines)
    packages = os.path.join(environment.folder(), "packages")
    assert " ".join(environment.PACKAGES) in Path(packages, "asked").read_text()
    again = environment.ready()
    paths = again.environment()["PYTHONPATH"].split(os.pathsep)
    assert paths[0] == packages and str(Path(environment.__file__).parents[3]) in paths


@pytest.mark.parametrize("name", ["python.exe", "Rhinoceros", "rhinocode-py39", ""])
def test_inside_rhino_the_environment_is_made_whatever_the_interpreter_is_called(home, tmp_path, monkeypatch, name):
    """By `Engine()` of a script too; outside of Rhino nobody's disk is filled."""
    monkeypatch.setattr(choice, "NEEDED", ("nscd_engine", "no_such_numba"))
    base = stand_in(tmp_path)
    monkeypatch.setattr(environment, "find_base", lambda: base)
    monkeypatch.setattr(sys, "executable", name and str(tmp_path / name))
    with pytest.raises(EngineStartError):
        Engine().start()
    assert environment.ready() is None
    monkeypatch.setitem(sys.modules, "Rhino", ModuleType("Rhino"))
    lines = []
    with pytest.raises(EngineStartError):  # the stand-in is no Python that could run the engine
        Engine(progress=lines.append).start()
    assert environment.ready() is not None and "Collecting numba" in lines


def test_a_script_that_has_not_imported_rhino_is_inside_all_the_same(monkeypatch):
    """Rhino's Python has loaded pythonnet, which finds the namespace."""
    monkeypatch.delitem(sys.modules, "Rhino", raising=False)
    monkeypatch.setitem(sys.modules, "clr", ModuleType("clr"))
    assert not interpreter.embedded()
    monkeypatch.setattr(interpreter.importlib.util, "find_spec", lambda name: object() if name == "Rhino" else None)
    assert interpreter.embedded()


@pytest.mark.skipif(os.name == "nt", reason="Windows reads paths of macOS as its own")
def test_the_stub_of_macos_is_no_python(home, monkeypatch):
    """/usr/bin/python3 opens a window that offers the developer tools; it is never run."""
    asked = []
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(environment, "own_executable", lambda: "/usr/bin/python3")
    monkeypatch.setattr(environment, "_answer", lambda command: asked.append(command[0]))
    with pytest.raises(EngineStartError, match="No Python was found"):
        environment.find_base()
    assert not [path for path in asked if path.startswith("/usr/bin/")]


def test_variables_of_python_do_not_reach_the_engine(monkeypatch):
    for name in ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONNOUSERSITE", "VIRTUAL_ENV"):
        monkeypatch.setenv(name, "of Rhino")
    monkeypatch.setenv("NSCD_HOME", "kept")
    values = interpreter.Interpreter("python", "a reason").environment()
    assert "of Rhino" not in values.values() and values["NSCD_HOME"] == "kept"
    assert environment._environment().get("PYTHONPATH") is None


def test_two_at_once_make_one(home, tmp_path, monkeypatch):
    """The second waits for the first, and takes what it made."""
    log = tmp_path / "log"
    base = stand_in(tmp_path, "print('x', file=open({!r}, 'a', encoding='utf-8')), time.sleep(0.3)".format(str(log)))
    monkeypatch.setattr(interpreter.Interpreter, "missing", lambda self: [])
    found = []
    threads = [threading.Thread(target=lambda: found.append(environment.create(base=base).path)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert len(set(found)) == 1 and len(found) == 3
    assert log.read_text().split() == ["x"]


@pytest.mark.short
def test_who_runs_the_engine_inside_and_outside_of_a_cad_program(home, tmp_path, monkeypatch):
    environment.create(base=stand_in(tmp_path))
    assert choice.choose().path == interpreter.own_executable()  # whoever installed it here wants it
    named = os.path.realpath(sys.executable)
    monkeypatch.setitem(sys.modules, "Rhino", ModuleType("Rhino"))
    assert choice.choose().path.startswith(environment.folder())
    monkeypatch.setenv(interpreter.VARIABLE, named)
    assert interpreter.VARIABLE in choice.choose().reason
    environment.remove()
    monkeypatch.delenv(interpreter.VARIABLE)
    assert not choice.choose().path.startswith(environment.folder())  # Rhino's own, which has it


def test_without_any_engine_the_remedy_names_the_environment(home, monkeypatch):
    monkeypatch.setattr(choice, "NEEDED", ("nscd_engine", "no_such_numba"))
    with pytest.raises(EngineStartError, match="no_such_numba") as caught:
        choice.choose()
    assert "nscd doctor --install" in caught.value.remedy


def test_nscd_doctor_makes_it_when_asked(home, monkeypatch, capsys):
    told = []
    monkeypatch.setattr(doctor, "create", lambda progress: told.append(progress("Collecting numba")))
    assert main(["doctor", "--json"]) == 0 and told == []
    assert main(["doctor", "--install"]) == 0 and len(told) == 1
    assert "Collecting numba" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_real_one_runs_the_engine(home):
    """Made from this Python by pip, behind spaces and umlauts. Nothing is solved: compiling takes minutes."""
    lines = []
    found = environment.create(progress=lines.append)
    assert found.missing() == [] and any("numba" in line for line in lines)
    told = doctor.diagnose(python=found.path)
    assert told["problems"] == [] and told["engine"]["versions"]["numba"]
    assert told["interpreter"]["python"] == found.path and "NSCD_PYTHON" in told["interpreter"]["change"]
    assert environment.create().path == found.path  # the second time it is there
