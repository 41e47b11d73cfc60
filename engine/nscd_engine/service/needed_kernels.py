"""Kernels that an analysis needs: how many are ready, and which were never compiled.

`needed_kernels.json` has the names for every part of the kernels (`verbs.kernels_of`), as the smallest request of
`warm_up` uses them; `list_kernels` writes it.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from typing import Any, Dict, Iterator, List, Tuple

from nscd_engine import kernel_cache

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "needed_kernels.json")
#: Modules of kernels begin so.
KERNELS = "nscd_engine.kernels."


def progress(part: str) -> str:
    """How many kernels of a part are loaded or compiled: ", 12 of 31 kernels"; empty where their number is unknown."""
    names = needed().get(part, ())
    return ", {} of {} kernels".format(len(loaded().intersection(names)), len(names)) if names else ""


def missing() -> List[str]:
    """Names of the kernels of all parts that were never compiled into the folder of kernels."""
    if kernel_cache.is_warm():
        return []
    return sorted({name for names in needed().values() for name in names} - compiled())


def compiled() -> set[str]:
    """Names of the kernels in the folder of compiled kernels."""
    path = kernel_cache.state["path"]
    files: List[str] = [name for _, _, names in os.walk(path) for name in names] if path else []
    return {name.split("-")[0] for name in files if name.endswith(".nbi")}


@cache
def needed() -> Dict[str, Tuple[str, ...]]:
    """Part of the kernels -> names "module.function" of its kernels."""
    with open(PATH, encoding="utf-8") as file:
        return {part: tuple(names) for part, names in json.load(file).items()}


def loaded() -> set[str]:
    """Names of the kernels that this process has loaded or compiled."""
    return {name for name, kernel in kernels() if kernel.overloads}


def kernels() -> Iterator[Tuple[str, Any]]:
    """Names of the kernels of this process that are kept when they are compiled, and the kernels."""
    for module, content in list(sys.modules.items()):
        if module.startswith(KERNELS):
            for value in list(vars(content).values()):
                function = getattr(value, "py_func", None)
                if function is not None and function.__module__ == module and _is_kept(value):
                    yield "{}.{}".format(module.split(".")[-1], function.__qualname__), value


def _is_kept(kernel):
    """Whether a compiled function has files of its own; those that only kernels call do not."""
    return type(getattr(kernel, "_cache", None)).__name__ == "FunctionCache"
