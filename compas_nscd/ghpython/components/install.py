"""Component Install: the package, the files of the components, and the engine."""

import os
import sys
from typing import Any, List, Optional, Tuple

import compas_nscd
from compas_nscd.client.doctor import client_versions
from compas_nscd.client.interpreters.environment import create
from compas_nscd.ghfiles.package import update
from compas_nscd.ghpython.canvas import Canvas, Flag, component
from compas_nscd.ghpython.shared_engine import CHANGE, describe, session
from compas_nscd.ghpython.worker import Question, Worker


def copies() -> List[str]:
    """Folders of compas_nscd that Python can find: the one in use first; others shadow it or wait to do so."""
    own = os.path.dirname(os.path.abspath(compas_nscd.__file__))
    found = [os.path.join(os.path.abspath(path), "compas_nscd") for path in sys.path if path]
    others = [path for path in found if os.path.isfile(os.path.join(path, "__init__.py"))]
    return list(dict.fromkeys([own, *others]))


def _write_components(canvas: Canvas) -> List[str]:
    """Write the files of the components into the folder of Grasshopper; lines about it."""
    import Grasshopper

    folder = str(Grasshopper.Folders.DefaultUserObjectFolder)
    written = update(folder)
    if written:
        canvas.remark("{} components were written: start Rhino again to see them in their tab.".format(len(written)))
    return ["components: {}".format(folder)]


class _Check:
    """State of the component Install: a worker that examines the engine, and the buttons that were down."""

    def __init__(self, canvas: Canvas):
        self.worker = Worker(_look, *canvas.notifier())
        self._pressed: Optional[Tuple[bool, bool]] = None

    def update(self, check: bool, install_engine: bool) -> None:
        """Examine the engine the first time, and when a button has just been pressed."""
        pressed = (check, install_engine)
        if self._pressed is None or (pressed != self._pressed and any(pressed)):
            self.worker.ask(install_engine)
        self._pressed = pressed

    def stop(self) -> None:
        """The component was deleted."""
        self.worker.stop()


def _look(question: Question) -> List[str]:
    """Lines about the engine, which is started, and installed first if the question says so."""
    if question.content:
        session.stop()
        create(progress=lambda line: question.say(line[:60]), anew=True)
    return describe(session.engine(question.say))[1]


@component("ok", "report")
def install(canvas: Canvas, check: Flag, install_engine: Flag) -> Any:
    """Component Install: client and components at once; the engine as soon as it answers.

    The script of the component installs the wheel, because this package is not there yet when it runs first.
    """
    state = canvas.kept(_Check)
    state.update(bool(check), bool(install_engine))
    lines = ["{} {}".format(*pair) for pair in client_versions().items()]
    places = copies()
    if len(places) > 1:
        canvas.warning("compas_nscd is there {} times: delete {}.".format(len(places), ", ".join(places[1:])))
    lines += ["compas_nscd is {}".format(path) for path in places] + _write_components(canvas)
    found = state.worker.look(canvas.patience(0.02))
    if state.worker.busy or found is None:
        canvas.message("looking")
        return False, lines + ["The engine is being started."]
    if found.error is not None:
        canvas.error(str(found.error))
        canvas.message("engine missing")
        return False, lines + [str(found.error), CHANGE]
    canvas.message("all there")
    return True, lines + found.value
