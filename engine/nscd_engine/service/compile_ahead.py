"""Kernels compiled by processes beside the engine, while it compiles others itself for the first analysis.

Python compiles on one core. So an engine that finds no kernels at all starts one process for every further core that
is free, which runs the tasks of `warm_up` in another order, into the same folder: what one has compiled, the others
load. They end with the engine, or when all is compiled.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from typing import Any, Dict, List, Tuple

import numpy as np

from nscd_engine import kernel_cache
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.threads import CORES
from nscd_engine.service import libraries, verbs, warm_up

#: Most processes beside the engine [-]. More: they compile the same kernels at the same time.
MOST = 3
#: By how much they stand back behind the engine, where the system has such a number [-].
NICENESS = 1

#: This module, also where it runs as `__main__`.
MODULE = "nscd_engine.service.compile_ahead"
#: Name, "module:function" and request.
Task = Tuple[str, str, Dict[str, Any]]

log = logging.getLogger(__name__)
_started: List[Any] = []


def start() -> None:
    """Start the processes, if the folder of kernels is empty and there are cores for them; once."""
    if _started or not kernel_cache.is_empty():
        return
    count = min(_free_cores(), MOST)
    hidden: Dict[str, Any] = {}
    if sys.platform == "win32":
        hidden["creationflags"] = subprocess.CREATE_NO_WINDOW
    for number in range(count):
        command = [sys.executable, "-m", MODULE, str(number), str(count)]
        quiet = subprocess.DEVNULL
        try:
            child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, **hidden)
            _started.append(child)
        except OSError as error:
            log.warning("no process to compile kernels: %s", error)


def main(number: int, count: int) -> None:
    """Compile all kernels, in the order of process `number` of `count`."""
    threading.Thread(target=_end_with_the_engine, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.stack_size(16 << 20)  # as in the engine: compiling recurses deeply
    worker = threading.Thread(target=_compile, args=(tasks(number, count),))
    worker.start()
    worker.join()


def tasks(number: int, count: int) -> List[Task]:
    """All tasks: backwards, every process from another one on.

    The first process begins with what the first static analysis needs last: the factor, and then the whole solver. The
    engine begins with the detection of contacts.
    """
    backwards = list(warm_up.tasks())[::-1]
    first = number * len(backwards) // count
    alone = ("factor_alone", "solve_alone") if number == 0 else ()
    solver: List[Task] = [(name, "{}:{}".format(MODULE, name), {}) for name in alone]
    return solver + backwards[first:] + backwards[:first]


def factor_alone(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """The kernels of a factor by themselves: the unit matrix of two bodies that touch."""
    from nscd_engine.core.threads import Threads
    from nscd_engine.linalg.factor import factorised, symbolic

    sym = symbolic(np.array([[0, 1]], np.int32), 2)
    factor, arena = np.zeros(int(sym.panel_start[-1])), np.empty(sym.arena)
    for first, stride in zip(sym.diagonal, sym.diagonal_stride):
        factor[first + np.arange(6) * (stride + 1)] = 1.0
    factorised(sym, factor, arena, Threads(1))
    return {}


def solve_alone(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """The kernels of a static solution by themselves: a cube on four contacts, without detection."""
    from nscd_engine.core.settings import Settings
    from nscd_engine.core.structs import Problem
    from nscd_engine.solvers import newton
    from nscd_engine.solvers.solution import Warm
    from nscd_engine.solvers.workspace import Workspace

    corners = np.array([[-0.5, -0.5, -0.5], [0.5, -0.5, -0.5], [0.5, 0.5, -0.5], [-0.5, 0.5, -0.5]])
    problem = Problem(
        mass=np.full(1, 1000.0),
        inertia=np.full((1, 1, 1), 1000.0 / 6.0) * np.eye(3),
        v_free=np.array([[0.0, 0.0, -9.81, 0.0, 0.0, 0.0]]),
        body=np.tile(np.array([-1, 0], np.int32), (4, 1)),
        arm=np.stack([corners, corners], axis=1),
        frame=np.tile(np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), (4, 1, 1)),
        bias=np.zeros((4, 3)),
        friction=np.full(4, 0.6),
        compliance=np.zeros((4, 2)),
    )
    _, report = newton.solve(problem, Warm(workspace=Workspace()), Settings(), monitor)
    if report.follow is not None:
        report.follow()
    return {}


def _free_cores() -> int:
    """Cores that neither the engine nor other programs use: without one, further processes only take its time."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return CORES - 1 - round(load)


def _compile(chosen: List[Task]) -> None:
    libraries.load()
    for name, target, request in chosen:
        try:
            verbs.run(target, request, Monitor())
        except Exception:
            log.exception("compile ahead: %s", name)  # the engine meets it too, and reports it


def _end_with_the_engine() -> None:
    """Wait for the end of standard input, which the engine holds open while it lives."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
