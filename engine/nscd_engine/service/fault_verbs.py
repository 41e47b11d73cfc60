"""Verbs that fail on purpose, for the tests of the process: only with the hidden option `--test-verbs`."""

from __future__ import annotations

import os
import time
from typing import Any, Dict

from nscd_engine.core.monitor import Monitor

_NAMES = ("echo", "sleep", "busy", "deaf", "crash", "fail", "exhaust")
VERBS = {name: "nscd_engine.service.fault_verbs:" + name for name in _NAMES}


def echo(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """Return the value of the request."""
    return {"value": request.get("value")}


def sleep(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """Wait, with frequent reports as an analysis gives."""
    end = time.monotonic() + request["seconds"]
    while time.monotonic() < end:
        monitor.report("sleeping", 1.0 - (end - time.monotonic()) / request["seconds"])
        time.sleep(0.01)
    return {"slept": request["seconds"]}


def busy(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """Hold the interpreter like an analysis in pure Python."""
    end = time.monotonic() + request["seconds"]
    count = 0
    while time.monotonic() < end:
        monitor.report("counting")
        count += sum(range(1000))
    return {"count": count}


def deaf(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """Wait without reports, so that cancelling has no effect."""
    time.sleep(request["seconds"])
    return {}


def crash(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """End the process."""
    time.sleep(0.1)  # the reply to the submission goes out first
    os._exit(request.get("status", 1))


def fail(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """Raise an error that no code expects."""
    raise ZeroDivisionError("on purpose")


def exhaust(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """Raise MemoryError."""
    raise MemoryError
