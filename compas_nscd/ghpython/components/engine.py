"""The engine of this session of Rhino, shared by all components."""

import os
import threading

from compas_nscd.client.engine import Engine
from compas_nscd.client.environment import create
from compas_nscd.client.interpreter import VARIABLE, choose, embedded
from compas_nscd.errors import EngineStartError
from compas_nscd.ghpython.canvas import component
from compas_nscd.ghpython.worker import Worker, notifier

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


#: The one of this program.
session = Session()


class _State:
    """What the component Engine keeps: a worker, and what was asked of it last."""

    def __init__(self, canvas):
        self.worker = Worker(_serve, *notifier(canvas.component))
        self.asked = None
        self.pressed = {}

    def stop(self):
        self.worker.stop()


def _serve(question):
    """Do what was asked, and tell how things stand: (status, info, ready)."""
    action, python = question.content
    session.use(python)
    if action == "stop":
        session.stop()
        return "stopped", ["The next analysis starts it again.", CHANGE], False
    if action == "restart":
        session.stop()
    if action == "install":
        session.stop()
        made = create(progress=lambda line: question.say(line[:60]), anew=True)
        question.say("made {}".format(made.path))
    return describe(session.engine(question.say))


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


@component("status", "info", "ready")
def engine(canvas, python, restart, stop, install):
    """Component Engine: pressing a button acts once; otherwise the status is shown."""
    state = canvas.kept(_State)
    pressed = {"restart": bool(restart), "stop": bool(stop), "install": bool(install)}
    new = [word for word, down in pressed.items() if down and not state.pressed.get(word)]
    state.pressed = pressed
    if new or state.asked != (python or ""):
        state.asked = python or ""
        state.worker.ask((new[0] if new else "status", python or None))
    found = state.worker.look(wait_s=0.02)
    if state.worker.busy or found is None:
        return "starting", ["The engine is being started."], False
    if found.error is not None:
        canvas.error(str(found.error))
        return "failed", [str(found.error), CHANGE], False
    canvas.message(found.value[0])
    return found.value
