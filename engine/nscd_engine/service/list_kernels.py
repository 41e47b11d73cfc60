"""Write the list of the kernels that analyses need: `python -m nscd_engine.service.list_kernels`.

Every part of the list comes from a process of its own, which runs one task of `warm_up` and tells the kernels that it
has loaded. With compiled kernels that takes seconds; without, kernels that others call would be counted too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import List

from nscd_engine.core.monitor import Monitor
from nscd_engine.service import needed_kernels, verbs, warm_up

#: This module, also where it runs as `__main__`.
MODULE = "nscd_engine.service.list_kernels"
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


def write() -> None:
    """Write the names of all parts."""
    table = {}
    for part in TASKS:
        done = subprocess.run([sys.executable, "-m", MODULE, part], stdout=subprocess.PIPE, check=True)
        table[part] = json.loads(done.stdout)
    with open(needed_kernels.PATH, "w", encoding="utf-8") as file:
        json.dump(table, file, indent=0)
        file.write("\n")


def names_of(part: str) -> List[str]:
    """Names of the kernels of one part, by running its task; in a process that has run no other."""
    target, request = {name: (target, request) for name, target, request in warm_up.tasks()}[TASKS[part]]
    verbs.run(target, request, Monitor())
    return sorted(needed_kernels.loaded())


if __name__ == "__main__":
    print(json.dumps(names_of(sys.argv[1]))) if sys.argv[1:] else write()
