"""The process that compiles kernels beside the engine: `python -m nscd_engine.service.compiler`.

It reads names of kernels, one a line, and writes an empty line whenever it is ready for the next. It ends with its
input, and also in the midst of a kernel if the engine has gone. Only one of `needed_kernels.LATER` is finished first:
commands that last shorter than it takes to compile would never get it.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from typing import List

from nscd_engine.service import libraries, needed_kernels

if sys.platform == "win32":
    from nscd_engine.service import windows

#: This module, also where it runs as `__main__`.
MODULE = "nscd_engine.service.compiler"
#: By how much it stands back behind other programs, where the system has such a number [-]; Windows: `compile_ahead`.
NICENESS = 10
#: Interval at which it looks whether the engine still runs [s].
WATCH_S = 0.5

log = logging.getLogger(__name__)
_at_work: List[str] = []


def main() -> None:
    """Compile what is asked for."""
    threading.Thread(target=_end_with_the_engine, args=(os.getppid(),), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.stack_size(16 << 20)  # as in the engine: compiling recurses deeply
    worker = threading.Thread(target=_work)
    worker.start()
    worker.join()


def _work():
    answers, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    libraries.load()
    _say_ready(answers)
    for line in sys.stdin:
        _at_work[:] = [line.strip()]
        try:
            needed_kernels.compile_kernel(line.strip())
        except Exception:
            log.exception("compile ahead: %s", line)  # the analysis meets it too, and reports it
        _at_work.clear()
        _say_ready(answers)


def _say_ready(answers):
    answers.write("\n")
    answers.flush()


def _end_with_the_engine(engine):
    while not _has_gone(engine):
        time.sleep(WATCH_S)
    while needed_kernels.LATER.intersection(_at_work):
        time.sleep(WATCH_S)
    os._exit(0)


def _has_gone(engine):
    """Windows: standard input is looked at, never read here; see `windows.pipe_ended`."""
    return windows.pipe_ended() if sys.platform == "win32" else os.getppid() != engine


if __name__ == "__main__":
    main()
