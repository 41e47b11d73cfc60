"""Component Engine: status of the engine of this Rhino session, and buttons to restart, stop and install it."""

from typing import Any, Dict, List, Optional, Tuple

from compas_nscd.client.interpreters.environment import create
from compas_nscd.ghpython.canvas import Canvas, Flag, Text, component
from compas_nscd.ghpython.shared_engine import CHANGE, describe, session
from compas_nscd.ghpython.worker import Question, Worker


class _State:
    """State of the component Engine: a worker, its last input `python`, and the buttons that were down."""

    def __init__(self, canvas: Canvas):
        self.worker = Worker(_serve, *canvas.notifier())
        self._python: Optional[str] = None
        self._pressed: Dict[str, bool] = {}

    def update(self, python: str, pressed: Dict[str, bool]) -> None:
        """Act on a button that has just been pressed; ask for the status if `python` has changed."""
        new = [word for word, down in pressed.items() if down and not self._pressed.get(word)]
        self._pressed = pressed
        if new or self._python != python:
            self._python = python
            self.worker.ask((new[0] if new else "status", python or None))

    def stop(self) -> None:
        """The component was deleted."""
        self.worker.stop()


def _serve(question: Question) -> Tuple[str, List[str], bool]:
    """Carry out an action; returns status, lines about the engine, and whether it is ready."""
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


@component("status", "info", "ready")
def engine(canvas: Canvas, python: Text, restart: Flag, stop: Flag, install: Flag) -> Any:
    """Component Engine: a button acts once when it is pressed; otherwise the status is shown."""
    state = canvas.kept(_State)
    state.update(python or "", {"restart": bool(restart), "stop": bool(stop), "install": bool(install)})
    found = state.worker.look(canvas.patience(0.02))
    if state.worker.busy or found is None:
        return "starting", ["The engine is being started."], False
    if found.error is not None:
        canvas.error(str(found.error))
        return "failed", [str(found.error), CHANGE], False
    canvas.message(found.value[0])
    return found.value
