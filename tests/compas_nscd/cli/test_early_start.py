"""An engine that is started while the command is being loaded."""

import subprocess
import sys

import pytest

from compas_nscd import Engine
from compas_nscd.cli.options import early_start
from compas_nscd.client import process
from compas_nscd.client.interpreters.choice import choose
from compas_nscd.errors import EngineStartError


@pytest.fixture
def begun(monkeypatch, tmp_path):
    """Options of the engines that are started."""
    options = []
    monkeypatch.setattr(process, "_unseen", {})
    monkeypatch.setenv("NSCD_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(process, "begin", lambda files, interpreter, given: options.append(given))
    return options


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text("{}", encoding="utf-8")
    return str(path)


def test_a_command_starts_the_engine_that_it_will_look_for(begun, scene):
    early_start.start_early(["static", "--quiet", scene])
    assert begun == [["--idle", "900.0"]]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["static"],
        ["static", "absent.json"],
        ["make", "SCENE"],
        ["static", "SCENE", "-h"],
        ["limit", "--python", "SCENE"],
    ],
)
def test_no_engine_is_started_in_vain(begun, scene, arguments):
    early_start.start_early([scene if argument == "SCENE" else argument for argument in arguments])
    assert not begun


def test_no_engine_is_started_beside_another(begun, scene, monkeypatch):
    monkeypatch.setattr(process.EngineFiles, "read", lambda files: {"pid": 1})
    early_start.start_early(["static", scene])
    assert not begun


def test_what_is_wrong_with_the_engine_is_told_by_the_command(scene, monkeypatch):
    def refuse(*given):
        raise EngineStartError("no Python")

    monkeypatch.setattr(process, "begin", refuse)
    early_start.start_early(["static", scene])


def test_the_client_takes_the_engine_that_was_started_early(monkeypatch, tmp_path):
    monkeypatch.setenv("NSCD_HOME", str(tmp_path))
    files = process.EngineFiles(choose())
    process.begin_early(files, choose())
    with Engine() as engine:
        assert engine.info["pid"] == process.child(files).pid
        engine.stop()


def test_it_loads_no_numpy():

    code = "import sys, compas_nscd.cli.options.early_start; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
