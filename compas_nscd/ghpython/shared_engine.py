"""The engine that all components of a Rhino session share."""

import os
import threading

from compas_nscd.client.engine import Engine
from compas_nscd.client.environment import create
from compas_nscd.client.interpreter import VARIABLE, embedded
from compas_nscd.client.interpreter_choice import choose
from compas_nscd.errors import EngineStartError

#: What to do to have another Python.
CHANGE = (
    "To change it: give the input python, set the environment variable {} before Rhino starts, or press install to "
    "make the environment that compas_nscd keeps.".format(VARIABLE)
)


class Session:
    """One engine, started by the first component that needs it.

    Attributes
    ----------
    python : str or None
        Python that somebody asked for.
    """

    def __init__(self):
        self.python = None
        self._engine = None
        self._starting = threading.Lock()
        self._left = threading.Event()

    def engine(self, say=None):
        """The Engine, running; never to be called in the thread of the canvas, because it may take long.

        In a CAD program that has no Python for it, the environment of the engine is made first.
        """
        with self._starting:
            self._left.clear()
            engine = self._engine
            if engine is None:
                self._prepare(say or (lambda text: None))
                engine = self._engine = Engine(python=self.python)
        return engine.start()

    def _prepare(self, say):
        say("starting the engine")
        try:
            choose(self.python)
        except EngineStartError:
            if self.python or os.environ.get(VARIABLE) or not embedded():
                raise
            create(progress=lambda line: say(line[:60]), cancelled=self._left.is_set)

    @property
    def running(self):
        """True once an engine has been started here and not been stopped since."""
        return self._engine is not None

    def use(self, python):
        """Have another Python run the engine from the next analysis on."""
        if python != self.python:
            self.python = python
            self._let_go("close")

    def close(self):
        """Let go of the engine, which leaves if nobody else uses it; also break off what is being made for it."""
        self._left.set()
        self._let_go("close")

    def stop(self):
        """Stop the engine and every analysis in it."""
        self._let_go("stop")

    def _let_go(self, how):
        # Without the lock: the canvas must not wait for one who is making an environment.
        engine, self._engine = self._engine, None
        if engine is not None:
            getattr(engine, how)()


def describe(engine):
    """(status, lines, ready) of an engine."""
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


#: The one of this program.
session = Session()
