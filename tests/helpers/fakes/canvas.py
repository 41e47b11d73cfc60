"""Rhino with Grasshopper: one thread for everything that is shown, solutions that run scripts, wires between them."""

import json
import re
import threading
import time
from types import ModuleType, SimpleNamespace

from compas.data import Data

from fakes import dotnet, geometry
from fakes.document import RhinoDoc
from places import ROOT

COMPONENTS = ROOT / "ghpython_components"
#: What can travel on a wire as one item; dicts and named tuples would be taken apart.
ITEMS = (bool, int, float, str, Data, geometry.GeometryBase, geometry.Point3d, geometry.Line, dotnet.Color)
HINTS = {"float": float, "int": int, "str": str, "bool": bool}


class Application:
    """Rhino. The thread that makes it is the one of the canvas."""

    def __init__(self, unit="Meters"):
        self.thread = threading.get_ident()
        self.document = RhinoDoc(unit)
        self.definition = None
        self.trespasses = []
        self.sticky = {}
        self._posted, self._lock = [], threading.Lock()
        self.closing, self.removed = dotnet.Event(), dotnet.Event()

    def check_thread(self, what):
        """Note every touch of the canvas from another thread: the real one would crash, now and then."""
        if threading.get_ident() != self.thread:
            self.trespasses.append(what)

    def post(self, action):
        """RhinoApp.InvokeOnUiThread: returns at once."""
        if not isinstance(action, dotnet.Action):
            raise TypeError("InvokeOnUiThread takes a System.Action")
        with self._lock:
            self._posted.append(action)

    def pump(self):
        """What an idle canvas does: run what was posted, and solutions that are due. True if there was something."""
        with self._lock:
            posted, self._posted = self._posted, []
        for action in posted:
            action()
        return bool(posted) + (self.definition is not None and self.definition.run_due())

    def idle(self, until, seconds=60.0):
        """Pump until a condition holds; False if it does not within the time."""
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                return False
            if not self.pump():
                time.sleep(0.002)
        return True

    def close_definition(self):
        definition, self.definition = self.definition, None
        self.removed.fire(None, definition)

    def modules(self):
        """What the imports of a script find."""
        app = self

        class RhinoApp:
            Closing = app.closing
            InvokeOnUiThread = staticmethod(app.post)
            WriteLine = staticmethod(lambda text: None)
            Wait = staticmethod(lambda: None)

        rhino = ModuleType("Rhino")
        rhino.Geometry, rhino.RhinoApp = geometry, RhinoApp
        rhino.RhinoDoc = SimpleNamespace(ActiveDoc=app.document)
        hopper = ModuleType("Grasshopper")
        hopper.Kernel = SimpleNamespace(
            GH_ScriptInstance=object,
            GH_RuntimeMessageLevel=dotnet.enumeration("Error", "Warning", "Remark"),
            GH_Document=SimpleNamespace(GH_ScheduleDelegate=dotnet.Delegate),
            Data=SimpleNamespace(GH_Path=GH_Path),
        )
        hopper.DataTree = DataTree
        hopper.Instances = SimpleNamespace(DocumentServer=SimpleNamespace(DocumentRemoved=app.removed))
        system = ModuleType("System")
        system.Action, system.Array = dotnet.Action, dotnet.Array
        system.Drawing = SimpleNamespace(Color=dotnet.Color)
        context = ModuleType("scriptcontext")
        context.sticky, context.doc = app.sticky, app.document
        names = {"Rhino": rhino, "Rhino.Geometry": geometry, "Grasshopper": hopper, "System": system}
        return dict(names, scriptcontext=context)


class GH_Path:
    def __init__(self, indices):
        self.indices = tuple(indices)

    def __eq__(self, other):
        return self.indices == other.indices

    def __hash__(self):
        return hash(self.indices)


class DataTree(metaclass=dotnet.Typed):
    def __init__(self, kind):
        self.branches = {}

    def EnsurePath(self, path):
        self.branches.setdefault(path, [])

    def Add(self, item, path):
        if item is not None:
            _can_travel(item)
        self.branches.setdefault(path, []).append(item)

    def lists(self):
        return list(self.branches.values())


def _can_travel(item):
    if not isinstance(item, ITEMS) or type(item).__module__ == "numpy":
        raise TypeError("a {} does not travel on a wire".format(type(item).__name__))


class ObjectWrapper:
    """What Grasshopper puts around the objects of a script."""

    def __init__(self, value):
        self.Value = value


class Wire:
    """An output that an input is connected to."""

    def __init__(self, source, name):
        self.source, self.name = source, name

    def items(self):
        found = self.source.outputs.get(self.name)
        if isinstance(found, DataTree):
            return [item for branch in found.lists() for item in branch]
        return found if isinstance(found, list) else [] if found is None else [found]


class Component:
    """A component of a folder of `ghpython_components`, as ghenv.Component and as a node of the definition.

    Parameters
    ----------
    definition : Definition
    folder : str
    **sources
        Wire, list of values, or value, by name of the input.
    """

    def __init__(self, definition, folder, wrapped=False, **sources):
        self.definition, self.app, self.wrapped = definition, definition.app, wrapped
        self.InstanceGuid = dotnet.Guid()
        self.metadata = json.loads((COMPONENTS / folder / "metadata.json").read_text(encoding="utf-8"))
        self.inputs = self.metadata["ghpython"]["inputParameters"]
        self.sources = {}
        self.set(**sources)
        self.outputs, self.told, self.expired, self.RunCount = {}, [], True, -1
        self._message = ""
        self.Params = SimpleNamespace(Input=[self._parameter(each) for each in self.inputs])
        self.script = _script(COMPONENTS / folder / "code.py", self)
        self.longest = 0.0  # [s] for which a solution of this component held the canvas

    def _parameter(self, each):
        data = SimpleNamespace(AllData=lambda skip_nulls: self._given(each["name"]))
        return SimpleNamespace(Name=each["name"], VolatileData=data)

    def set(self, **sources):
        """Change inputs, as a slider does: this and what hangs on it is due."""
        unknown = set(sources) - {each["name"] for each in self.inputs}
        if unknown:
            raise KeyError("no input {}".format(unknown))
        self.sources.update(sources)
        self.expired = True

    def __getitem__(self, output):
        return self.outputs[output]

    # -- what scripts use ------------------------------------------------------------------------------------------

    @property
    def Message(self):
        return self._message

    @Message.setter
    def Message(self, text):
        self.app.check_thread("Message")
        self._message = text

    def AddRuntimeMessage(self, level, text):
        self.app.check_thread("AddRuntimeMessage")
        if not isinstance(text, str):
            raise TypeError("a message is text")
        self.told.append((level.ToString(), text))

    def OnPingDocument(self):
        self.app.check_thread("OnPingDocument")
        return self.definition if self in self.definition.Objects else None

    def ExpireSolution(self, recompute):
        self.app.check_thread("ExpireSolution")
        self.expired = True

    def OnDisplayExpired(self, redraw):
        self.app.check_thread("OnDisplayExpired")

    # -- what Grasshopper does -------------------------------------------------------------------------------------

    def messages(self, level):
        return [text for kind, text in self.told if kind == level]

    def upstream(self):
        return [source.source for source in self.sources.values() if isinstance(source, Wire)]

    def _given(self, name):
        source = self.sources.get(name)
        found = source.items() if isinstance(source, Wire) else source
        return found if isinstance(found, list) else [] if found is None else [found]

    def solve(self):
        """Collect the data, run the script for every item of the longest list, hand out what it returns."""
        self.told, self.expired, self.outputs = [], False, {}
        given = {each["name"]: [self._cast(v, each) for v in self._given(each["name"])] for each in self.inputs}
        single = [each["name"] for each in self.inputs if each["scriptParamAccess"] == "item"]
        needed = [each["name"] for each in self.inputs if not each["optional"]]
        if any(not given[name] for name in needed):
            missing = next(name for name in needed if not given[name])
            return self.AddRuntimeMessage(dotnet.Enum("Warning"), "Input {} failed to collect data".format(missing))
        runs = max([len(given[name]) for name in single] + [1])
        collected = []
        for run in range(runs):
            self.RunCount = run + 1
            arguments = []
            for each in self.inputs:
                values = given[each["name"]]
                many = each["scriptParamAccess"] == "list"
                arguments.append(values if many else values[min(run, len(values) - 1)] if values else None)
            began = time.perf_counter()
            collected.append(self.script.RunScript(*arguments))
            self.longest = max(self.longest, time.perf_counter() - began)
        self._hand_out(collected)

    def _cast(self, value, each):
        kind = HINTS.get(each["typeHintID"])
        if kind is not None:
            return kind(value)
        return ObjectWrapper(value) if self.wrapped and isinstance(value, Data) else value

    def _hand_out(self, collected):
        names = [each["name"] for each in self.metadata["ghpython"]["outputParameters"]]
        for returned in collected:
            values = (returned,) if len(names) == 1 else returned
            if not isinstance(values, tuple) or len(values) != len(names):
                raise TypeError("RunScript returned {!r} for the outputs {}".format(returned, names))
            for name, value in zip(names, values):
                if isinstance(value, DataTree):
                    self.outputs[name] = value
                elif isinstance(value, list):
                    for item in value:
                        _can_travel(item)
                    self.outputs.setdefault(name, []).extend(value)
                else:
                    if value is not None:
                        _can_travel(value)
                    self._append(name, value, len(collected))

    def _append(self, name, value, runs):
        if runs == 1:
            self.outputs[name] = value
        else:
            self.outputs.setdefault(name, []).extend([] if value is None else [value])


class Definition:
    """A document of Grasshopper."""

    def __init__(self, app):
        self.app, app.definition = app, self
        self.Objects, self.DocumentID = [], dotnet.Guid()
        self.ObjectsDeleted = dotnet.Event()
        self._scheduled = []

    def add(self, folder, wrapped=False, **sources):
        component = Component(self, folder, wrapped, **sources)
        self.Objects.append(component)
        return component

    def remove(self, component):
        self.Objects.remove(component)
        self.ObjectsDeleted.fire(self, SimpleNamespace(Objects=[component]))

    def ScheduleSolution(self, delay, delegate):
        self.app.check_thread("ScheduleSolution")
        if not isinstance(delegate, dotnet.Delegate):
            raise TypeError("ScheduleSolution takes a GH_ScheduleDelegate")
        self._scheduled.append((time.monotonic() + 1e-3 * delay, delegate))

    def run_due(self):
        """A solution, if one that was asked for is due."""
        now = time.monotonic()
        due = [delegate for when, delegate in self._scheduled if when <= now]
        self._scheduled = [pair for pair in self._scheduled if pair[0] > now]
        for delegate in due:
            delegate(self)
        if due:
            self.solve()
        return bool(due)

    def solve(self):
        """A solution: every component that is due, after those it depends on. How long it held the canvas [s]."""
        began = time.perf_counter()
        for component in self.Objects:  # in the order in which they were put down: sources first
            component.expired = component.expired or any(source.ran for source in component.upstream())
            component.ran = component.expired
            if component.expired:
                component.solve()
        for component in self.Objects:
            component.ran = False
        return time.perf_counter() - began


def _script(path, component):
    """An instance of the class of a script, with `ghenv` among its globals."""
    space = {"ghenv": SimpleNamespace(Component=component), "__name__": "script"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
    name = re.search(r"^class (\w+)\(Grasshopper\.Kernel\.GH_ScriptInstance\)", path.read_text(encoding="utf-8"), re.M)
    return space[name.group(1)]()
