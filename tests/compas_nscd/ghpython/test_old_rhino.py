"""Rhino 7 and IronPython get one clear message, not a syntax error somewhere inside."""

import ast
import sys

import pytest

from places import ROOT

pytest_plugins = ["gh_fixtures"]

FIRST = {
    "package": ROOT / "compas_nscd" / "__init__.py",
    "component": ROOT / "ghpython_components" / "Nscd_Install" / "code.py",
}
CODE = sorted((ROOT / "ghpython_components").glob("Nscd_*/code.py"))


@pytest.mark.short
@pytest.mark.parametrize("which", FIRST)
def test_an_old_python_is_told_what_is_needed(which, monkeypatch, rhino):
    monkeypatch.setattr(sys, "version_info", (2, 7, 12, "final", 0))
    text = FIRST[which].read_text(encoding="utf-8")
    with pytest.raises(ImportError, match="Rhino 8") as caught:
        exec(compile(text, str(FIRST[which]), "exec"), {"__name__": "compas_nscd"})
    assert str(caught.value).count(".") == 1  # one sentence


@pytest.mark.parametrize("which", FIRST)
def test_what_an_old_python_reads_first_is_written_in_its_grammar(which):
    """Python 2.7 reads the whole file before it runs the first line: nothing of Python 3 alone may be in it."""
    source = FIRST[which].read_text(encoding="utf-8")
    tree = ast.parse(source)
    newer = (ast.JoinedStr, ast.AnnAssign, ast.AsyncFunctionDef, ast.Nonlocal, ast.Starred, ast.NamedExpr)
    assert not [node for node in ast.walk(tree) if isinstance(node, newer)]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert not any(f.returns or f.args.kwonlyargs or any(a.annotation for a in f.args.args) for f in functions)
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.cause]
    assert source.isascii()  # without a coding line, anything else is an error there


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.parent.name)
def test_all_components_name_one_environment_and_none_spoils_it(path):
    """A `# r:` line that pip cannot resolve makes Rhino throw the whole environment away."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["#! python3", "# venv: compas_nscd"] and len(lines) <= 100
    assert not any(line.replace(" ", "").startswith("#r:") for line in lines)
