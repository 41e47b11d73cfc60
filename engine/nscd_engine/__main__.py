"""`python -m nscd_engine`: the engine process. Clients start it; see `compas_nscd.client.engine.Engine`."""

from __future__ import annotations

import argparse
import faulthandler
import logging
import logging.handlers
import os
import signal
import sys
import threading
from typing import List, Optional

from nscd_engine import kernel_cache
from nscd_engine.service import warm_up
from nscd_engine.service.server import Server
from nscd_engine.service.service import Service
from nscd_engine.service.verbs import ANALYSES

log = logging.getLogger("nscd_engine")


def main(arguments: Optional[List[str]] = None) -> None:
    """Serve until asked to stop, orphaned or idle for too long; then end the process."""
    options = parse(arguments)
    os.umask(0o077)  # what the engine writes is for its user alone
    faulthandler.enable()  # a crash in compiled code leaves its trace on standard error
    keep_log(options.log)
    # Ctrl-C in the terminal is for the client, which cancels its job and goes on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A job in pure Python must not delay the answer to a ping by the usual 5 ms at every turn.
    sys.setswitchinterval(5e-4)
    # Compiling recurses deeply, in threads whose stack is small on some systems.
    threading.stack_size(16 << 20)
    analyses = dict(ANALYSES)
    if options.test_verbs:
        from nscd_engine.service import fault_verbs

        analyses.update(fault_verbs.VERBS)
    service = Service(analyses, log_path=options.log)
    signal.signal(signal.SIGTERM, lambda number, frame: service.stopping.set())
    log.info("Python %s, kernels in %s", sys.version.split()[0], kernel_cache.state["path"])
    if kernel_cache.state["note"]:
        log.warning(kernel_cache.state["note"])
    server = Server(service, options.rendezvous, options.idle, options.parent, options.tcp)
    threading.Thread(target=warm_up.preload, args=(service.idle_s,), daemon=True).start()
    try:
        server.run()
    except Exception:
        log.exception("the engine fails")
        raise
    kernel_cache.tidy()
    logging.shutdown()
    leave()  # a kernel may still run in a thread, and there is nothing left to tidy


def leave() -> None:
    """End the process at once."""
    if sys.platform == "win32":
        from nscd_engine.service import windows

        windows.leave()
    os._exit(0)


def parse(arguments: Optional[List[str]]) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="nscd_engine")
    parser.add_argument("--rendezvous", required=True, help="file that tells clients where the engine listens")
    parser.add_argument("--log", help="log file; standard error if absent")
    parser.add_argument("--idle", type=float, default=0.0, help="leave after so many seconds without work; 0: never")
    parser.add_argument("--parent", action="store_true", help="leave when standard input ends")
    parser.add_argument("--tcp", action="store_true", help="listen on a port of 127.0.0.1")
    parser.add_argument("--test-verbs", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


class LogFile(logging.handlers.RotatingFileHandler):
    """A log that is rotated when it is full, unless another program has it open: Windows then refuses to rename it."""

    def doRollover(self) -> None:
        """Rotate the file, or leave it."""
        try:
            super().doRollover()
        except PermissionError:
            pass  # it grows until the next line


def keep_log(path: Optional[str]) -> None:
    """Write the log to a file, or to standard error."""
    handler: logging.Handler
    if path:
        handler = LogFile(path, maxBytes=1 << 20, backupCount=2, encoding="utf-8")
    else:
        handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.getLogger("numba").setLevel(logging.WARNING)


if __name__ == "__main__":
    main()
