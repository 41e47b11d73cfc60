"""The libraries the engine computes with: loaded in the background, while nobody waits for them yet."""

import gc
import importlib
import logging
import sys
import threading
from typing import Any, Dict, List

from compas_nscd.errors import EngineError
from nscd_engine.core.monitor import Monitor

LIBRARIES = ("numpy", "scipy", "numba", "llvmlite")

#: Longest time that an analysis waits for them [s]: a cold disk and a virus scanner take long.
LOADING_S = 120.0
#: New objects after which Python looks for unreachable ones [-]. Fewer: a seventh of the time of compiling goes there,
#: since compiling makes many objects that stay. More: more memory.
GARBAGE = 200_000

log = logging.getLogger(__name__)
_versions: Dict[str, str] = {}
_broken: Dict[str, str] = {}
_loading: List[str] = []
_loaded = threading.Event()


def start_loading() -> None:
    """Load the libraries in a thread."""
    threading.Thread(target=load, daemon=True).start()


def load() -> None:
    """Load the libraries; `status` tells how far."""
    gc.disable()  # hardly anything that they make is ever unreachable, and a tenth of the time would go there
    for name in LIBRARIES:
        _loading[:] = [name]
        try:
            _versions[name] = importlib.import_module(name).__version__
        except Exception as error:
            log.exception("%s cannot be loaded", name)
            _broken[name] = "{}: {}".format(type(error).__name__, error)
    gc.freeze()  # what the libraries keep is not looked at again
    gc.set_threshold(GARBAGE)
    gc.enable()
    _loaded.set()


def status() -> Dict[str, Any]:
    """{"loaded", "versions": {name: version}, "broken": {name: why}}; complete once loaded."""
    return {"loaded": _loaded.is_set(), "versions": dict(_versions), "broken": dict(_broken)}


def need(monitor: Monitor) -> None:
    """Wait until the libraries are loaded; EngineError if one cannot be, or takes too long."""
    monitor.report("loading libraries")
    if not _loaded.wait(LOADING_S):
        raise EngineError(
            "The engine has waited {:.0f} s for {} to be loaded.".format(LOADING_S, "".join(_loading) or LIBRARIES[0]),
            remedy="Try again: a virus scanner or a slow disk may hold it up. If it stays so, restart the engine.",
            waited_for=list(_loading),
        )
    for name, why in _broken.items():
        raise EngineError(
            "The engine cannot load {}: {}.".format(name, why),
            remedy='Reinstall it: "{}" -m pip install --force-reinstall {}'.format(sys.executable, name),
        )
