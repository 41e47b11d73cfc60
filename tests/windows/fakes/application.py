"""Rhino: its thread, its events, and the modules that scripts import."""

import threading
import time
from types import ModuleType, SimpleNamespace


class Event:
    """`event += handler`."""

    def __init__(self):
        self._handlers = []

    def __iadd__(self, handler):
        self._handlers.append(handler)
        return self

    def fire(self, *arguments):
        for handler in self._handlers:
            handler(*arguments)


class Application:
    """Rhino, open on a document in metres. The thread that makes it is the one of the canvas."""

    def __init__(self):
        self._thread = threading.get_ident()
        self.definition = None
        self.trespasses = []
        self._posted, self._lock = [], threading.Lock()
        self._closing = Event()

    def check_thread(self, member):
        """Note every use of the canvas in another thread: the real one would crash, now and then."""
        if threading.get_ident() != self._thread:
            self.trespasses.append(member)

    def post(self, action):
        """RhinoApp.InvokeOnUiThread: returns at once."""
        with self._lock:
            self._posted.append(action)

    def pump(self):
        """What an idle canvas does: run what was posted, and solutions that are due. True if there was something."""
        with self._lock:
            posted, self._posted = self._posted, []
        for action in posted:
            action()
        return self.definition.run_due() or bool(posted)

    def idle(self, until, seconds):
        """Pump until a condition holds; False if it does not within the time."""
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                return False
            if not self.pump():
                time.sleep(0.002)
        return True

    def close(self):
        """Rhino is left."""
        self._closing.fire(None, None)

    def modules(self):
        """What the imports of a script find."""
        context = ModuleType("scriptcontext")
        context.sticky = {}
        system = ModuleType("System")
        system.Action = _delegate
        return {"Rhino": self._rhino(), "Grasshopper": _grasshopper(), "System": system, "scriptcontext": context}

    def _rhino(self):
        module = ModuleType("Rhino")
        module.RhinoApp = SimpleNamespace(Closing=self._closing, InvokeOnUiThread=self.post, IsRunningHeadless=False)
        document = SimpleNamespace(ModelUnitSystem="Meters", ModelAbsoluteTolerance=0.001)
        module.RhinoDoc = SimpleNamespace(ActiveDoc=document)
        return module


def _grasshopper():
    module = ModuleType("Grasshopper")
    module.Kernel = SimpleNamespace(
        GH_ScriptInstance=object,
        GH_ParamAccess=SimpleNamespace(item="item", list="list"),
        GH_ProcessStep=SimpleNamespace(Process="Process"),
        GH_RuntimeMessageLevel=SimpleNamespace(Error="Error", Warning="Warning", Remark="Remark"),
        GH_Document=SimpleNamespace(GH_ScheduleDelegate=_delegate),
    )
    server = SimpleNamespace(DocumentRemoved=Event())
    module.Instances = SimpleNamespace(DocumentServer=server, ActiveCanvas=object())
    return module


def _delegate(function):
    """A delegate is what Python can call."""
    assert callable(function)
    return function
