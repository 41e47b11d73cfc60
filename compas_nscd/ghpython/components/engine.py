"""The engine of this session of Rhino, shared by all components."""

from compas_nscd.client.environment import create
from compas_nscd.ghpython.canvas import component
from compas_nscd.ghpython.lifetime import notifier
from compas_nscd.ghpython.shared_engine import CHANGE, describe, session
from compas_nscd.ghpython.worker import Worker


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
