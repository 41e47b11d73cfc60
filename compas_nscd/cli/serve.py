"""Run an engine until interrupted, for other programs to use."""

import time
from argparse import ArgumentParser, Namespace
from typing import Any, Dict

from compas_nscd.client.engine import Engine

#: Interval of pings, which keep the engine from ending when idle [s]. Larger: Ctrl-C acts late on Windows.
PING_S = 0.2


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after this time")


def run(options: Namespace) -> Dict[str, Any]:
    """Run an engine until interrupted or for the given time."""
    with Engine(python=options.python) as engine:
        answer = dict(engine.ping(), interpreter=engine.info)
        if not options.json:
            print("engine {pid} is up; log {log}".format(**answer), flush=True)
        end = None if options.seconds is None else time.monotonic() + options.seconds
        try:
            while end is None or time.monotonic() < end:
                time.sleep(PING_S)
                engine.ping()
        except KeyboardInterrupt:
            if not options.json:
                print("stopping")
    return answer
