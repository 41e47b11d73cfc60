"""The commands of `nscd`, one module each."""

from __future__ import annotations

import importlib
import sys

#: Exit status after Ctrl-C, as of a shell.
INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status. Ctrl-C ends it without a traceback."""
    try:
        return importlib.import_module("compas_nscd.cli.entry").main(arguments)
    except KeyboardInterrupt:
        print("nscd: interrupted", file=sys.stderr)
        return INTERRUPTED


def program() -> None:
    """The program `nscd`: run one command and end the process."""
    import gc
    import signal

    status = INTERRUPTED
    gc.disable()  # what is loaded stays: to look for unreachable parts of it takes a tenth of the time
    try:
        # Modules of others that an exception interrupts while they are loaded raise errors of their own.
        signal.signal(signal.SIGINT, _leave_at_once)
        importlib.import_module("compas_nscd.cli.options.early_start").start_early(sys.argv[1:])
        importlib.import_module("compas_nscd.cli.entry").load(sys.argv[1:])
        signal.signal(signal.SIGINT, _interrupt)
        gc.enable()
        status = main()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # engines are let go of at the end
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if status == INTERRUPTED:
        _leave(status)
    sys.exit(status)


def _interrupt(number: int, frame: object) -> None:
    """Handler of the first Ctrl-C: a motion still gives what it has computed. The next one ends the process."""
    import signal

    signal.signal(signal.SIGINT, _leave_at_once)
    raise KeyboardInterrupt


def _leave_at_once(number: int, frame: object) -> None:
    """Handler of Ctrl-C while there is nothing to tidy. An engine leaves when its parent has gone."""
    import os

    os.write(2, b"nscd: interrupted\n")
    os._exit(INTERRUPTED)


def _leave(status: int) -> None:
    """End the process with this status. After Ctrl-C during an import Python would end itself by a signal instead."""
    import atexit
    import contextlib
    import os

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(status)
