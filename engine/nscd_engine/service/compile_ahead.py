"""Kernels compiled by the engine and by processes beside it at the same time, before an analysis needs them.

Python compiles on one core. So an engine that lacks kernels starts one process for every further core (`compiler`).
All take kernels from one list, the largest first: first those of the analysis that waits, then all others. What one
has compiled, the others load. The engine compiles itself what a process does not finish, and leaves to the processes
what an analysis can do without for a while (`needed_kernels.LATER`).
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from typing import Any, Dict, Iterable, List, Optional, Set

from nscd_engine import kernel_cache
from nscd_engine.core import later
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.threads import CORES
from nscd_engine.service import compiler, needed_kernels

#: Most processes beside the engine [-]. More: each takes memory, and there are no more kernels of a second or longer.
MOST = 3
#: Fewest kernels for which processes are started [-]. Fewer: a process takes longer to start than to compile them.
WORTHWHILE = 4
#: How long the engine waits for the next kernel of a process when there is nothing left to take [s]. Longer: a process
#: that gets no core holds up the analysis. Shorter: the engine compiles what is almost there.
PATIENCE_S = 5.0
#: Interval at which a cancel is looked for meanwhile [s].
LOOK_S = 0.05

log = logging.getLogger(__name__)


class Worklist:
    """Kernels that are not compiled yet, in the order in which they are taken. Any thread may call it."""

    def __init__(self) -> None:
        self._waiting: List[str] = []
        self._taken: Set[str] = set()
        self._known: Set[str] = set()
        self._change = threading.Condition()
        self._last = 0.0

    def add(self, names: Iterable[str], first: bool = False) -> None:
        """Append kernels that were never added; those that come `first` are moved to the front."""
        with self._change:
            names = [name for name in names if name not in self._known or (first and name in self._waiting)]
            self._known.update(names)
            rest = [name for name in self._waiting if name not in names]
            self._waiting = names + rest if first else rest + names

    def take(self, among: Optional[Set[str]] = None) -> Optional[str]:
        """The next kernel, which nobody else gets; None if there is none, or none `among` some.

        A kernel waits for those that it calls and others have taken: compiling it would compile these again.
        """
        with self._change:
            unfinished = {_base(name) for name in self._taken}
            for name in self._waiting:
                if among is None or name in among:
                    if unfinished.isdisjoint(needed_kernels.callees(name)):
                        self._waiting.remove(name)
                        self._taken.add(name)
                        self._last = time.monotonic()
                        return name
                    unfinished.add(_base(name))
            return None

    def done(self, name: str) -> None:
        """A kernel that was taken is compiled."""
        with self._change:
            self._taken.discard(name)
            self._last = time.monotonic()
            self._change.notify_all()

    def give_back(self, name: str) -> None:
        """A kernel that was taken is not compiled: others may take it."""
        with self._change:
            self._taken.discard(name)
            self._waiting.insert(0, name)
            self._change.notify_all()

    def unfinished(self, names: Iterable[str]) -> Set[str]:
        """Those of these kernels that wait or that somebody has taken."""
        with self._change:
            return set(names) & {*self._waiting, *self._taken}

    def wait(self, names: Set[str]) -> bool:
        """Wait a moment for others that have taken some of these kernels; False if nothing is left to wait for, or
        nothing has happened for too long.
        """
        with self._change:
            late = time.monotonic() - self._last > PATIENCE_S
            if late or not self.unfinished(names):
                return False
            self._change.wait(LOOK_S)
            return True


_list = Worklist()
_processes: List[Any] = []
_working: Set[Any] = set()


def compile_missing(part: str, monitor: Monitor) -> None:
    """Compile the kernels of a part that are missing, on all cores; returns when all are compiled, or as good as all.

    Nothing is done where it would be of no use: for few kernels, on one core, or without a folder that all share.
    """
    names = needed_kernels.missing([part] if part in needed_kernels.needed() else [])
    ours = set(names) - needed_kernels.LATER
    others = set(names) & needed_kernels.LATER
    if (len(ours) < WORTHWHILE and not others) or CORES == 1 or not kernel_cache.is_shared():
        return
    _list.add(sorted(names, key=needed_kernels.LATER.__contains__), first=True)
    _list.add(needed_kernels.missing(needed_kernels.needed()))
    _start_processes()
    _leave_to_processes(others)
    while True:
        monitor.report("")
        name = _list.take(ours)
        if name is not None:
            _compile_here(name)
        elif not _list.wait(ours):
            return


def _leave_to_processes(names):
    """Let analyses do without these kernels, if processes compile them."""
    later.awaited.update(names)
    later.awaited.intersection_update(_list.unfinished(names) if _working else ())


def _base(name):
    """Name of a kernel without the number of its version."""
    return name.split(" ")[0]


def _compile_here(name):
    try:
        needed_kernels.compile_kernel(name)
    except Exception:
        log.exception("compile ahead: %s", name)  # the analysis meets it too, and reports it
    _list.done(name)


def _start_processes():
    """Start the processes, once."""
    if _processes:
        return
    for _ in range(min(CORES - 1, MOST)):
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", compiler.MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                **_in_background(),
            )
        except OSError as error:
            log.warning("no process to compile kernels: %s", error)
            return
        _processes.append(process)
        _working.add(process)
        threading.Thread(target=_employ, args=(process,), daemon=True).start()


def _in_background() -> Dict[str, Any]:
    """Arguments of Popen for a process without a window, which stands back behind others; see also `compiler`."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {}


def _employ(process):
    """Let a process compile until nothing is left, and then end it; what it has not finished is given back."""
    name = None
    try:
        while process.stdout.readline():  # it is ready
            if name is not None:
                _list.done(name)
                later.awaited.discard(name)
            name = _list.take()
            if name is None:
                break
            process.stdin.write(name.encode() + b"\n")
            process.stdin.flush()
        process.stdin.close()
    except OSError:
        pass  # it has ended
    if name is not None:
        log.warning("a process that compiled kernels has ended during %s", name)
        _list.give_back(name)
        later.awaited.discard(name)
    _working.discard(process)
    process.wait()
