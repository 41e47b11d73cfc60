"""Run an engine until interrupted, for other programs to use."""

import time

from compas_nscd.client.engine import Engine


def add_arguments(parser):
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after this time")


def run(options):
    with Engine(python=options.python) as engine:
        answer = dict(engine.ping(), interpreter=engine.info)
        if not options.json:
            print("engine {pid} is up; log {log}".format(**answer), flush=True)
        end = None if options.seconds is None else time.monotonic() + options.seconds
        try:
            while end is None or time.monotonic() < end:
                time.sleep(0.2)
                engine.ping()
        except KeyboardInterrupt:
            if not options.json:
                print("stopping")
    return answer
