"""Every example runs, draws and tells what it found; each asserts its own answer."""

import runpy
from xml.etree import ElementTree

import pytest

from places import EXAMPLES

SCRIPTS = sorted(path for path in EXAMPLES.glob("*/*.py") if path.parent.name != "rhino")  # test_rhino.py has those
#: Those that may take more than ten seconds on a busy machine.
SLOW = (
    "bagi/flood.py",  # as V46 in test_water
    "acary_jean_1998/deformable_arch.py",
    "beatini_2017/fig10_false_dome.py",
    "beatini_2017/fig11_12_shaking.py",
    "bohatier/arena_shaken.py",
    "bohatier/arena_static.py",
    "quasistatic/biaxial_test.py",
)
#: What is given to a script beside the folder, so that it does not take minutes: the arena shakes for less than 3 s.
SHORTER = {"bohatier/arena_shaken.py": [0.25]}
#: More lines are not read in a minute.
MOST_LINES = 66


def name_of(path):
    return path.relative_to(EXAMPLES).as_posix()


def marked(path):
    slow = name_of(path) in SLOW
    return pytest.param(path, id=name_of(path), marks=[pytest.mark.slow, pytest.mark.timeout(900)] if slow else [])


@pytest.mark.parametrize("path", [marked(path) for path in SCRIPTS])
def test_example(path, tmp_path, capsys):
    if "rhino3dm" in path.read_text(encoding="utf-8"):
        pytest.importorskip("rhino3dm")
    runpy.run_path(str(path))["main"](tmp_path, *SHORTER.get(name_of(path), []))
    assert capsys.readouterr().out  # it tells what it found
    pictures = list(tmp_path.glob("*.svg"))
    assert pictures
    for picture in pictures:
        ElementTree.parse(picture)


def test_every_example_is_listed():
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in SCRIPTS if name_of(path) not in text] == []
    assert [name for name in SLOW if not (EXAMPLES / name).exists()] == []


@pytest.mark.parametrize("path", [path for path in SCRIPTS if path.parent.name != "first_steps"], ids=name_of)
def test_an_example_names_its_source_and_what_it_asserts(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MOST_LINES
    assert any(line.startswith("Source: ") for line in lines) and any(line.startswith("Asserted: ") for line in lines)


def test_the_gallery_has_every_example():
    """Built by `python docs/gallery.py`: a picture of every script, none too large, none left over."""
    docs = EXAMPLES.parent / "docs"
    text = (docs / "gallery.md").read_text(encoding="utf-8")
    pictures = sorted((docs / "images" / "gallery").iterdir())
    assert [path.name for path in pictures if path.name not in text] == []
    assert [path.name for path in pictures if path.stat().st_size > 150_000] == []
    for path in SCRIPTS:
        assert name_of(path) in text
        assert "images/gallery/{}-{}-0.".format(path.parent.name, path.stem) in text, path
