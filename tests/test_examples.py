"""Every example runs; each asserts its own answer."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SCRIPTS = sorted(path for path in EXAMPLES.glob("*/*.py") if path.parent.name != "rhino")  # test_rhino.py has those


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_example(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # pictures go here
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out  # it tells what it found


def test_every_example_is_listed():
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in SCRIPTS if path.name not in text] == []
