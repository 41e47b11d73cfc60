"""The libraries the engine computes with: loaded in the background, while nobody waits for them yet."""

import importlib
import logging
import threading

LIBRARIES = ("numpy", "scipy", "numba", "llvmlite")

log = logging.getLogger(__name__)
_state = {"loaded": False, "versions": {}, "broken": {}}


def start_loading():
    threading.Thread(target=load, daemon=True).start()


def load():
    for name in LIBRARIES:
        try:
            _state["versions"][name] = importlib.import_module(name).__version__
        except Exception as error:
            log.exception("%s cannot be loaded", name)
            _state["broken"][name] = "{}: {}".format(type(error).__name__, error)
    _state["loaded"] = True


def status():
    """{"loaded", "versions": {name: version}, "broken": {name: why}}; complete once loaded."""
    return {"loaded": _state["loaded"], "versions": dict(_state["versions"]), "broken": dict(_state["broken"])}
