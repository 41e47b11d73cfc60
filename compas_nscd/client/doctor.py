"""Report on the installation: versions, interpreter, engine, problems and their remedies."""

import platform
import sys
import time
from typing import Any, Callable, Dict, List, Optional

import compas
import numpy

from compas_nscd import __version__
from compas_nscd.client.engine import Engine
from compas_nscd.client.interpreters.choice import choose
from compas_nscd.client.interpreters.environment import create
from compas_nscd.client.job import Watcher
from compas_nscd.errors import NscdError

#: Round trips of which the fastest is reported [-]. Fewer: other programs disturb the figure. More: slower.
PINGS = 50
#: How to choose another Python for the engine.
CHANGE = "set NSCD_PYTHON to another Python, or make the environment of the engine with `nscd doctor --install`"
#: Longest wait for the engine to load numba [s]. Smaller: its version is missing from the report on a slow disk.
LOADING_S = 60.0


def diagnose(
    warm: bool = False,
    python: Optional[str] = None,
    progress: Optional[Watcher] = None,
    install: Optional[Callable[[str], object]] = None,
) -> Dict[str, Any]:
    """Examine the client, the interpreter of the engine and the engine itself.

    Parameters
    ----------
    warm : bool, optional
        Compile the kernels now.
    python : str, optional
        Python that should run the engine.
    progress : callable, optional
        Called with the progress of compiling.
    install : callable, optional
        Make the environment that compas_nscd keeps for the engine; called with the output of pip.

    Returns
    -------
    dict
        client, interpreter, engine (None if it does not run), problems [{"message", "remedy"}]
    """
    problems: List[Dict[str, Any]] = []
    answer: Dict[str, Any] = {"client": client_versions(), "interpreter": None, "engine": None, "problems": problems}
    try:
        if install is not None:
            create(progress=install)
        chosen = choose(python)
        answer["interpreter"] = {"python": chosen.path, "reason": chosen.reason, "change": CHANGE}
        with Engine(python=python, reuse=False) as engine:
            answer["engine"] = _engine(engine, warm, progress, problems)
    except NscdError as error:
        problems.append({"message": error.message, "remedy": error.remedy})
    return answer


def client_versions() -> Dict[str, str]:
    """Versions of what runs this code: packages, Python, system."""
    return {
        "compas_nscd": __version__,
        "compas": compas.__version__,
        "numpy": numpy.__version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "system": platform.platform(),
    }


def _engine(engine: Engine, warm: bool, progress: Optional[Watcher], problems: List[Dict[str, Any]]) -> Dict[str, Any]:
    """Versions, times and files of an engine; adds its problems to the list."""
    if warm:
        for name, why in engine.warm(progress=progress)["failed"].items():
            problems.append({"message": "{} could not be compiled: {}".format(name, why), "remedy": "See the log."})
    pong = _loaded(engine)
    libraries = pong["libraries"]
    for note in (engine.info["note"], pong["cache"]["note"]):
        if note:
            problems.append({"message": note, "remedy": "Set NSCD_HOME to a directory that you can write."})
    for name, why in libraries["broken"].items():
        remedy = "Reinstall it: {}".format(choose(engine.info["python"]).install_command())
        problems.append({"message": "{} cannot be loaded: {}".format(name, why), "remedy": remedy})
    return {
        "versions": dict(libraries["versions"], compas_nscd=pong["version"], python=pong["python"]),
        "start_s": engine.info["start_s"],
        "ping_s": min(_timed(engine.ping) for _ in range(PINGS)),
        "log": pong["log"],
        "cache": pong["cache"],
        "home": engine.info["home"],
    }


def _loaded(engine: Engine) -> Dict[str, Any]:
    """Reply to a ping after the engine has loaded its libraries, or after the longest wait."""
    end = time.monotonic() + LOADING_S
    pong = engine.ping()
    while not pong["libraries"]["loaded"] and time.monotonic() < end:
        time.sleep(0.05)
        pong = engine.ping()
    return pong


def _timed(function: Callable[[], Any]) -> float:
    began = time.perf_counter()
    function()
    return time.perf_counter() - began
