"""Fixtures of the tests of Grasshopper: Rhino's modules, an engine's home, and an end to everything after the test."""

import functools
import sys

import pytest

import rhino_net
from compas_nscd.client.engine import Engine
from compas_nscd.ghpython import lifetime, shared_engine
from compas_nscd.ghpython.shared_engine import session
from rhino_net.canvas import Application, Definition


@pytest.fixture
def rhino(monkeypatch, request, tmp_path):
    """Rhino, open on a document in metres; `@pytest.mark.parametrize("rhino", ["Millimeters"], indirect=True)`."""
    reason = rhino_net.missing()
    if reason is not None:
        pytest.skip(reason)
    with rhino_net.importable():
        app = Application(getattr(request, "param", "Meters"))
        app.hopper.Folders.DefaultUserObjectFolder = str(tmp_path / "UserObjects")
        for name, module in app.modules().items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr(lifetime, "_watched", set())
        yield app
        app.close()
        assert app.trespasses == []


@pytest.fixture
def canvas(rhino):
    """An empty definition of Grasshopper."""
    return Definition(rhino)


@pytest.fixture
def live(canvas, monkeypatch):
    """A definition whose analyses run in the user's home, where kernels are compiled, in an engine the tests share."""
    yield from _with_engine(canvas, monkeypatch, options=["--test-verbs"])


@pytest.fixture
def alone(canvas, monkeypatch):
    """The same with an engine of its own, that can be killed and whose jobs can be counted."""
    yield from _with_engine(canvas, monkeypatch, reuse=False)


def _with_engine(canvas, monkeypatch, **options):
    session.close()
    monkeypatch.setattr(shared_engine, "Engine", functools.partial(Engine, **options))
    yield canvas
    session.close()
