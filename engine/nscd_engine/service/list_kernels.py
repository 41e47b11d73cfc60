"""Write the list of the kernels that analyses need: `python -m nscd_engine.service.list_kernels`.

Every part of the list comes from a process of its own, which runs tasks of `warm_up` and tells the kernels that it
has loaded. Kernels must be compiled before, by `warm_up`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, Dict, List, Set, Tuple

from nscd_engine import kernel_cache
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import needed_kernels, signatures, verbs, warm_up

#: This module, also where it runs as `__main__`.
MODULE = "nscd_engine.service.list_kernels"
#: Name of a kernel -> its folder, the names of kernels that it calls, and the types of its arguments in all versions.
Kernels = Dict[str, Tuple[str, List[str], List[List[signatures.Words]]]]
#: Code of a kernel that is too much for one process [bytes].
LARGE = 1_000_000
#: Part of the kernels -> tasks of `warm_up` that use all that most such analyses need. In the order in which processes
#: beside the engine compile them.
TASKS = {
    "static-newton": ("inclined joint",),
    "limit-newton": ("limit", "inclined joint"),
    "dynamic-newton": ("compiled steps", "inclined joint", "at rest"),
    "check-newton": ("check",),
    "quasistatic-newton": ("quasistatic bagi_bojtar greedy",),
    "static-nlgs": ("static nlgs associated",),
    "static-spg": ("static spg associated",),
}


def write() -> None:
    """Write the list."""
    parts: Dict[str, List[str]] = {}
    kernels: Kernels = {}
    for part in TASKS:
        done = subprocess.run([sys.executable, "-m", MODULE, part], stdout=subprocess.PIPE, check=True)
        parts[part] = with_versions(json.loads(done.stdout), kernels)
    rows = {
        needed_kernels.version(name, number): [folder, callees, arguments]
        for name, (folder, callees, versions) in kernels.items()
        for number, arguments in enumerate(versions, 1)
    }
    with open(needed_kernels.PATH, "w", encoding="utf-8") as file:
        file.write('{{\n"parts": {},\n"kernels": {}\n}}\n'.format(_lines(parts), _lines(rows)))


def with_versions(found: Kernels, kernels: Kernels) -> List[str]:
    """Names of the versions of kernels that were found; new ones are added to `kernels`."""
    names = []
    for name, (folder, callees, versions) in found.items():
        known = kernels.setdefault(name, (folder, callees, []))[2]
        known += [arguments for arguments in versions if arguments not in known]
        names += [needed_kernels.version(name, 1 + known.index(arguments)) for arguments in versions]
    return names


def kernels_of(part: str) -> Kernels:
    """Kernels of one part, by running its tasks in a process that has run no others.

    Those of the largest code come first, but after the kernels that they call.
    """
    tasks = {name: (target, request) for name, target, request in warm_up.tasks()}
    for task in TASKS[part]:
        verbs.run(*tasks[task], Monitor())
    _load_callees()
    used = {name: kernel for name, kernel in needed_kernels.kernels() if kernel.overloads}
    found: Kernels = {}
    for name in _callees_first(used):
        kernel = used[name]
        folder = kernel.py_func.__module__[len(needed_kernels.KERNELS) :].split(".")[0]
        callees = sorted(called(kernel.py_func) & set(used))
        found[name] = (folder, callees, [[signatures.words(kind) for kind in kinds] for kinds in kernel.overloads])
    return found


def _load_callees():
    """Load the kernels that large ones call, since processes can compile them at the same time.

    Compiled code tells nothing of them, so the large ones are compiled again.
    """
    sizes = _sizes()
    for name in needed_kernels.loaded():
        if sizes.get(name, 0) > LARGE:
            kernel = dict(needed_kernels.kernels())[name]
            kernel._compiler.compile(next(iter(kernel.overloads)), None)


def called(function: Any) -> Set[str]:
    """Names of the kernels with files of their own that a function calls, itself or through others."""
    found: Set[str] = set()
    for name in function.__code__.co_names:
        kernel = function.__globals__.get(name)
        callee = getattr(kernel, "py_func", None)
        if callee is not None and needed_kernels.is_kept(kernel):
            found.add("{}.{}".format(callee.__module__.split(".")[-1], callee.__qualname__))
        elif callee is not None:
            found |= called(callee)
    return found


def _callees_first(used):
    """Names of kernels, those of the largest code first, each after the kernels that it calls."""
    sizes, order = _sizes(), []

    def add(name):
        if name not in order:
            for callee in sorted(called(used[name].py_func) & set(used), key=by_size):
                add(callee)
            order.append(name)

    def by_size(name):
        return -sizes.get(name, 0), name

    for name in sorted(used, key=by_size):
        add(name)
    return order


def _lines(table):
    """A table as JSON, one line an entry."""
    return "{{\n{}\n}}".format(",\n".join(json.dumps({key: table[key]})[1:-1] for key in table))


def _sizes():
    """Name of a kernel -> bytes of its code: a measure of the time that it takes to compile."""
    sizes: Dict[str, int] = {}
    for folder, _, names in os.walk(kernel_cache.state["path"]):
        for name in names:
            if name.endswith(".nbc"):
                kernel = name.split("-")[0]
                sizes[kernel] = sizes.get(kernel, 0) + os.path.getsize(os.path.join(folder, name))
    return sizes


if __name__ == "__main__":
    print(json.dumps(kernels_of(sys.argv[1]))) if sys.argv[1:] else write()
