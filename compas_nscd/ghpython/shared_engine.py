"""The engine that all components of a Rhino session share."""

import threading
from typing import Any, Callable, List, Optional, Tuple

from compas_nscd.client.engine import Engine
from compas_nscd.client.interpreters.interpreter import VARIABLE

#: How to choose another Python.
CHANGE = (
    "To change it: give the input python, set the environment variable {} before Rhino starts, or press install to "
    "make the environment that compas_nscd keeps.".format(VARIABLE)
)


#: Longest text below a component [characters]. Longer: it covers the neighbours.
LONGEST = 60


def _silent(text: str) -> None:
    """Show nothing."""


class Session:
    """One engine, started by the first component that needs it.

    Attributes
    ----------
    python : str or None
        Python that the user chose for the engine.
    """

    def __init__(self) -> None:
        self.python: Optional[str] = None
        self._engine: Optional[Engine] = None
        self._starting = threading.Lock()
        self._say: Callable[[str], Any] = _silent

    def engine(self, say: Optional[Callable[[str], Any]] = None) -> Engine:
        """The running Engine. Not to be called in the thread of the canvas, because a start may take long.

        In a CAD program without a Python for the engine, the environment of the engine is made first.
        """
        with self._starting:
            self._say = say or _silent
            engine = self._engine
            if engine is None:
                self._say("starting the engine")
                engine = self._engine = Engine(python=self.python, progress=lambda line: self._say(line[:LONGEST]))
        return engine.start()

    @property
    def running(self) -> bool:
        """True if an engine was started here and not stopped since."""
        return self._engine is not None

    def use(self, python: Optional[str]) -> None:
        """Choose the Python that runs the engine from the next analysis on."""
        if python != self.python:
            self.python = python
            self._let_go("close")

    def close(self) -> None:
        """Release the engine, which ends if no other program uses it; cancel its start, its environment included."""
        self._let_go("close")

    def stop(self) -> None:
        """Stop the engine and every analysis in it."""
        self._let_go("stop")

    def _let_go(self, how: str) -> None:
        # Without the lock: the canvas must not wait while an environment is made.
        engine, self._engine = self._engine, None
        if engine is not None:
            getattr(engine, how)()


def describe(engine: Engine) -> Tuple[str, List[str], bool]:
    """Status, lines about an engine, and whether it is ready."""
    pong, info = engine.ping(), engine.info
    libraries = ["{} {}".format(*pair) for pair in sorted(pong["libraries"]["versions"].items())]
    lines = [
        "python: {}".format(info["python"]),
        "because {}".format(info["reason"]),
        "version {} in Python {}, process {}".format(pong["version"], pong["python"], pong["pid"]),
        "libraries: {}".format(", ".join(libraries) or "being loaded"),
        "files: {}; log: {}".format(info["home"], pong["log"]),
        "kernels: {}".format("compiled" if pong["cache"]["warm"] else "are compiled when first used"),
    ]
    lines += [note for note in (info["note"], pong["cache"]["note"]) if note]
    return "running", lines + [CHANGE], True


#: Session of this program.
session = Session()
