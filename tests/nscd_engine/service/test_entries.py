"""Functions that the engine calls from Python have an entry from Python."""

import ast
import importlib
from pathlib import Path

import nscd_engine
from nscd_engine.service.needed_kernels import KERNELS

FOLDER = Path(nscd_engine.__file__).parent


def without_entry():
    """Module, and function of a kernel that it uses although only kernels can call it."""
    for path in sorted(FOLDER.rglob("*.py")):
        if FOLDER / "kernels" in path.parents:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known = {}
        for line in ast.walk(tree):
            if isinstance(line, ast.ImportFrom) and (line.module or "").startswith(KERNELS[:-1]):
                for name in line.names:
                    known[name.asname or name.name] = imported(line.module, name.name)
        used = [known.get(node.id) for node in ast.walk(tree) if isinstance(node, ast.Name)]
        used += [
            getattr(known.get(node.value.id), node.attr, None)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        ]
        for function in used:
            if getattr(function, "targetoptions", {}).get("no_cpython_wrapper"):
                yield str(path.relative_to(FOLDER)), function.py_func.__name__


def imported(module, name):
    """What `from module import name` gives."""
    found = importlib.import_module(module)
    return getattr(found, name) if hasattr(found, name) else importlib.import_module("{}.{}".format(module, name))


def test_python_calls_only_functions_with_an_entry():
    assert list(without_entry()) == []
