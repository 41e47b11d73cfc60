"""Analyses of one test do not use what those before it have left, so that each computes all it tests."""

import pytest

from nscd_engine.contacts import unmoved
from nscd_engine.gate import structure
from nscd_engine.statics import recent


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch):
    monkeypatch.setattr(unmoved, "_known", None)
    monkeypatch.setattr(recent, "_recent", ())
    monkeypatch.setattr(structure, "_sound_faces", structure.NO_FACES)
    for module in (unmoved, recent):
        monkeypatch.setattr(module, "LARGEST", -1)
