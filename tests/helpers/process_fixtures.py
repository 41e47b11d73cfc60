"""What the tests of the engine process share: a home of their own, and proof that no process is left behind."""

import pytest

from compas_nscd.client import process
from compas_nscd.client.engine import Engine
from process_tools import Program, engines_of, wait_until


@pytest.fixture
def home(tmp_path, monkeypatch):
    """NSCD_HOME with a space and letters beyond ASCII. No engine may outlive the test."""
    folder = tmp_path / "ingénieur à l'œuvre"
    folder.mkdir()
    monkeypatch.setenv("NSCD_HOME", str(folder))
    yield folder
    process.release_all()
    assert wait_until(lambda: not engines_of(folder)), "an engine is left behind"


@pytest.fixture
def engine(home):
    """An engine that also has the verbs of `nscd_engine.service.fault_verbs`."""
    with Engine(options=["--test-verbs"]) as engine:
        yield engine


@pytest.fixture
def program(home):
    """Start another program: program(code)."""
    programs = []

    def start(code, **options):
        programs.append(Program(code, **options))
        return programs[-1]

    yield start
    for each in programs:
        if each.process.poll() is None:
            each.kill()
