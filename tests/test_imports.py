"""The layers of docs/architecture.md are executed, not written."""

import ast
import importlib
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


#: Cycles that are allowed, with the reason. None.
KNOWN_CYCLES = []


@pytest.mark.short
def test_no_module_imports_itself_through_others():
    """Imports inside functions count: they would hide a cycle, not remove it. Those for type checkers do not run."""
    grimp = pytest.importorskip("grimp")
    graph = grimp.build_graph(
        "compas_nscd",
        "nscd_engine",
        cache_dir=None,
        include_external_packages=False,
        exclude_type_checking_imports=True,
    )
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imported) > 200
    assert cycles(imported) == KNOWN_CYCLES


@pytest.mark.short
def test_cycles_are_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}) == [["b", "c"]]
    assert cycles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def cycles(imported):
    """Groups of modules that import each other, directly or not: strongly connected components (Tarjan, 1972)."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(module):
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in sorted(imported[module]):
            if other not in number:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            start = stack.index(module)
            if len(stack) - start > 1:
                found.append(sorted(stack[start:]))
            del stack[start:]

    for module in sorted(imported):
        if module not in number:
            visit(module)
    return sorted(found)


@pytest.mark.short
@pytest.mark.parametrize("package", ["", "client", "rhino"])
def test_type_checkers_see_the_names_that_are_loaded_when_used(package):
    name = ".".join(filter(None, ("compas_nscd", package)))
    tree = ast.parse((ROOT / "compas_nscd" / package / "__init__.py").read_text(encoding="utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    seen = {}
    for statement in block.body:
        [alias] = statement.names
        assert alias.asname == alias.name  # else it is not exported
        seen[alias.name] = statement.module
    module = importlib.import_module(name)
    assert sorted(seen) == module.__all__
    for each, home in seen.items():
        assert getattr(importlib.import_module(home), each) is getattr(module, each)


def test_the_package_loads_nothing_heavy():
    """`typing` and `importlib.abc` alone would make its import several times slower."""
    code = "import sys; before = set(sys.modules); import compas_nscd; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import sys; sys.path.insert(0, sys.argv[1])\n" + code, str(ROOT)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not {"typing", "importlib.abc", "compas", "numpy", "inspect"} & set(done.stdout.split()), done.stdout
