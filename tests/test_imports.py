"""The layers of docs/architecture.md are executed, not written."""

import ast
import subprocess
import sys

import pytest

from places import ROOT

TOPS = ("compas_nscd", "engine", "ghpython_components")
SHIPPED = sorted(path for top in TOPS for path in ROOT.glob(top + "/**/*.py"))


@pytest.mark.short
def test_import_contracts_hold():
    code = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(config_filename='pyproject.toml'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=str(ROOT), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.short
def test_client_loads_without_the_numerics():
    """Rhino's interpreter has compas and what compas needs, and may have neither numba nor rhino3dm."""
    code = """
import importlib, pkgutil, sys
for name in ("numba", "rhino3dm", "nscd_engine"):
    sys.modules[name] = None
import compas_nscd
for module in pkgutil.walk_packages(compas_nscd.__path__, "compas_nscd."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=str(ROOT), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: str(p.relative_to(ROOT)))
def test_syntax_is_that_of_python_3_9(path):
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))


def test_ruff_finds_nothing():
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "."]
    done = subprocess.run(command, cwd=str(ROOT), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_nothing_of_this_machine_is_in_the_project():
    """No absolute path of a developer's machine in anything that is committed."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=str(ROOT), capture_output=True)
    if done.returncode != 0:
        pytest.skip("not a git checkout")
    for name in filter(None, done.stdout.decode("utf-8").split("\0")):
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".json", ".svg", ".html"} and path.is_file():
            text = path.read_text(encoding="utf-8")
            assert "/" + "home/" not in text and "/" + "root/" not in text and "/" + "work/" not in text, name
