"""Fixtures of the tests of Grasshopper: Rhino's modules, an engine's home, and an end to everything after the test."""

import sys

import pytest
from fakes.canvas import Application, Definition

from compas_nscd import gh_live
from compas_nscd.gh_engine import session


@pytest.fixture
def rhino(monkeypatch, request):
    """Rhino, open on a document in metres; `@pytest.mark.parametrize("rhino", ["Millimeters"], indirect=True)`."""
    app = Application(getattr(request, "param", "Meters"))
    for name, module in app.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(gh_live, "_watched", set())
    yield app
    app.closing.fire(None, None)
    assert app.trespasses == []


@pytest.fixture
def canvas(rhino):
    """An empty definition of Grasshopper."""
    return Definition(rhino)


@pytest.fixture
def live(canvas):
    """A definition whose analyses run in an engine of the user's own home, so that its kernels are compiled already."""
    yield canvas
    session.close()
