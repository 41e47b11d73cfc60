"""Static studies without a process: quick, and with the engine's own numbers."""

import threading

import pytest

from compas_nscd.studies.running import worker
from study_tools import EngineHere, Inline


@pytest.fixture
def inline(monkeypatch):
    """An executor that computes in this process; benches of other tests are not seen."""
    monkeypatch.setattr(worker, "Engine", EngineHere)
    monkeypatch.setattr(worker, "_here", threading.local())
    monkeypatch.setattr(worker, "_benches", [])
    return Inline()
