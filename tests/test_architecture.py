"""docs/architecture.md describes the code as it is."""

import re
import runpy

import pytest

from places import ROOT

PAGE = ROOT / "docs" / "architecture.md"
REMEDY = "run `python docs/architecture.py`"
#: Most modules of a folder. More: a file is hard to find from the tree.
MOST_MODULES = 18


@pytest.fixture(scope="module")
def architecture():
    return runpy.run_path(str(ROOT / "docs" / "architecture.py"))


def test_tables_and_drawing_are_those_of_the_code(architecture):
    text = PAGE.read_text(encoding="utf-8")
    assert architecture["page"](text) == text, REMEDY
    assert architecture["PICTURE"].read_text(encoding="utf-8") == architecture["drawing"](), REMEDY


def test_every_folder_is_in_a_layer_and_says_what_it_holds(architecture):
    for package, folder in architecture["PACKAGES"].items():
        found = list(architecture["parts_of"](package))
        names = {part.name for part in found}
        files = {path.stem for path in folder.glob("*.py")} - set(architecture["PLUMBING"])
        folders = {path.parent.name for path in folder.glob("*/__init__.py")}
        assert names == files | folders, package
        assert [part.name for part in found if not part.purpose] == [], package


def test_answers_to_where_is_name_files_that_exist():
    section = PAGE.read_text(encoding="utf-8").split("## Where is")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 10
    for row in rows:
        paths = re.findall(r"`([\w/]+\.py)`", row)
        assert paths and [path for path in paths if not (ROOT / path).is_file()] == [], row


def test_no_folder_has_more_modules_than_can_be_surveyed(architecture):
    for folder in architecture["PACKAGES"].values():
        for path in folder.rglob("__init__.py"):
            assert len(list(path.parent.glob("*.py"))) - 1 <= MOST_MODULES, path.parent


def test_contributing_names_files_that_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:compas_nscd|engine|tests|ghpython_components|docs|benchmarks)/[\w./]*\w)`", text)
    assert len(paths) > 25 and [path for path in paths if not (ROOT / path).exists()] == []


def test_the_site_lists_every_page():
    listed = set(re.findall(r"(\w+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert listed == {path.name for path in (ROOT / "docs").rglob("*.md")}
