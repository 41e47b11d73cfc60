"""Kernels that an analysis needs: how many are ready, and which were never compiled.

`needed_kernels.json` has the names for every part of the kernels (`verbs.kernels_of`), as the smallest request of
`warm_up` uses them. `python -m nscd_engine.service.needed_kernels` writes it anew, from compiled kernels in seconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any, Dict, Iterator, List, Tuple

from nscd_engine import kernel_cache

#: This module, also where it runs as `__main__`.
MODULE = "nscd_engine.service.needed_kernels"
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "needed_kernels.json")
#: Part of the kernels -> task of `warm_up` that uses all that every such analysis needs.
TASKS = {
    "static-newton": "static newton associated",
    "static-nlgs": "static nlgs associated",
    "static-spg": "static spg associated",
    "check-newton": "check",
    "limit-newton": "limit",
    "dynamic-newton": "compiled steps",
    "quasistatic-newton": "quasistatic bagi_bojtar greedy",
}
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


def names_of(part: str) -> List[str]:
    """Names of the kernels of one part, by running its task; in a process that has run no other."""
    from nscd_engine.core.monitor import Monitor
    from nscd_engine.service import verbs, warm_up

    target, request = {name: (target, request) for name, target, request in warm_up.tasks()}[TASKS[part]]
    verbs.run(target, request, Monitor())
    return sorted(loaded())


def write() -> None:
    """Write the names of all parts."""
    table = {}
    for part in TASKS:
        done = subprocess.run([sys.executable, "-m", MODULE, part], stdout=subprocess.PIPE, check=True)
        table[part] = json.loads(done.stdout)
    with open(PATH, "w", encoding="utf-8") as file:
        json.dump(table, file, indent=0)
        file.write("\n")


if __name__ == "__main__":
    print(json.dumps(names_of(sys.argv[1]))) if sys.argv[1:] else write()
