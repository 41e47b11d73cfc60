"""Kernels that an analysis needs: how many are ready, which were never compiled, and how to compile them.

`needed_kernels.json` has the names for every part of the kernels (`verbs.kernels_of`), those whose code is largest
first, but after those that they call; and for every kernel its folder, the kernels that it calls, and the types of its
arguments (`signatures`), as the smallest request of `warm_up` uses them. A kernel that is compiled for other types too
has a number behind its name: "cholesky.factor_tasks 2". `list_kernels` writes the list.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections import Counter
from functools import cache
from typing import Any, Dict, Iterable, Iterator, List, Set, Tuple

from nscd_engine import kernel_cache
from nscd_engine.service import signatures

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "needed_kernels.json")
#: Kernels that an analysis does without until another process has compiled them (`core.later`): the largest, which
#: would be compiled after all others and on one core.
LATER = frozenset(["compiled_steps.take_steps"])
#: Modules of kernels begin so.
KERNELS = "nscd_engine.kernels."


def progress(part: str) -> str:
    """How many kernels of a part are compiled: ", 12 of 31 kernels"; empty where their number is unknown."""
    names = set(needed().get(part, ()))
    ready = names and names & (loaded() | compiled())
    return ", {} of {} kernels".format(len(ready), len(names)) if names else ""


def missing(parts: Iterable[str]) -> List[str]:
    """Names of the kernels of some parts that were never compiled into the folder of kernels, in their order."""
    if kernel_cache.is_warm():
        return []
    ready = compiled()
    return [name for name in dict.fromkeys(name for part in parts for name in needed()[part]) if name not in ready]


def compiled() -> Set[str]:
    """Names of the kernels in the folder of compiled kernels, as many versions of each as there are."""
    path = kernel_cache.state["path"]
    files: List[str] = [name for _, _, names in os.walk(path) for name in names] if path else []
    counts = Counter(name.split("-")[0] for name in files if name.endswith(".nbc"))
    return {version(name, number) for name, count in counts.items() for number in range(1, count + 1)}


def version(name: str, number: int) -> str:
    """Name of a version of a kernel, counted from 1."""
    return name if number == 1 else "{} {}".format(name, number)


def needed() -> Dict[str, List[str]]:
    """Part of the kernels -> names "module.function" of its kernels."""
    return _table()["parts"]


@cache
def _table():
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


def callees(name: str) -> List[str]:
    """Names of the kernels that a kernel calls, without versions."""
    return _table()["kernels"][name][1]


def compile_kernel(name: str) -> None:
    """Compile a kernel for the arguments that analyses give it, or load it if it is compiled."""
    folder, _, arguments = _table()["kernels"][name]
    name = name.split(" ")[0]
    module = importlib.import_module("{}{}.{}".format(KERNELS, folder, name.split(".")[0]))
    dict(kernels_of(module))[name].compile(tuple(signatures.type_of(each) for each in arguments))


def loaded() -> Set[str]:
    """Names of the kernels that this process has loaded or compiled, as many versions of each as there are."""
    counts = {name: len(kernel.overloads) for name, kernel in kernels()}
    return {version(name, number) for name, count in counts.items() for number in range(1, count + 1)}


def kernels() -> Iterator[Tuple[str, Any]]:
    """Names of the kernels of this process that are kept when they are compiled, and the kernels."""
    for name, module in list(sys.modules.items()):
        if name.startswith(KERNELS):
            yield from kernels_of(module)


def kernels_of(module: Any) -> Iterator[Tuple[str, Any]]:
    """Names and kernels of a module that are kept when they are compiled."""
    for value in list(vars(module).values()):
        function = getattr(value, "py_func", None)
        if function is not None and function.__module__ == module.__name__ and is_kept(value):
            yield "{}.{}".format(module.__name__.split(".")[-1], function.__qualname__), value


def is_kept(kernel: Any) -> bool:
    """Whether a compiled function has files of its own; those that only kernels call do not."""
    return type(getattr(kernel, "_cache", None)).__name__ == "FunctionCache"
