"""Verbs that fail on purpose, for the tests of the process: only with the hidden option `--test-verbs`."""

import os
import time

_NAMES = ("echo", "sleep", "busy", "deaf", "crash", "fail", "exhaust")
VERBS = {name: "nscd_engine.service.fault_verbs:" + name for name in _NAMES}


def echo(request, monitor):
    return {"value": request.get("value")}


def sleep(request, monitor):
    """Like a well-behaved analysis: reports often."""
    end = time.monotonic() + request["seconds"]
    while time.monotonic() < end:
        monitor.report("sleeping", 1.0 - (end - time.monotonic()) / request["seconds"])
        time.sleep(0.01)
    return {"slept": request["seconds"]}


def busy(request, monitor):
    """Holds the interpreter like an analysis in pure Python."""
    end = time.monotonic() + request["seconds"]
    count = 0
    while time.monotonic() < end:
        monitor.report("counting")
        count += sum(range(1000))
    return {"count": count}


def deaf(request, monitor):
    """Never looks whether it was cancelled."""
    time.sleep(request["seconds"])
    return {}


def crash(request, monitor):
    time.sleep(0.1)  # the reply to the submission goes out first
    os._exit(request.get("status", 1))


def fail(request, monitor):
    raise ZeroDivisionError("on purpose")


def exhaust(request, monitor):
    raise MemoryError
