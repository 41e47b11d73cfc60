"""Grasshopper: components that run scripts, wires between them, solutions."""

import json
import re
import time
import uuid
from types import SimpleNamespace

from compas_nscd.ghfiles.bundle import components_dir
from fakes.application import Event

HINTS = {"float": float, "int": int, "str": str, "bool": bool}
#: Path of the only branch on a wire.
PATH = SimpleNamespace(Indices=(0,))


class Wire:
    """An output that an input is connected to."""

    def __init__(self, source, name):
        self.source, self.name = source, name


class Value:
    """A parameter with a value that was set by hand, as a slider has it; its output is `value`."""

    def __init__(self, value):
        self.set(value)

    def set(self, value):
        """What depends on it is due."""
        self.outputs, self.expired = {"value": value}, True

    def upstream(self):
        """It has no inputs."""
        return []

    def solve(self):
        """The value is there already."""
        self.expired = False


class Branch(list):
    """A list of .NET."""

    @property
    def Count(self):
        return len(self)


class Parameter:
    """An input of a component: its values, or the wire that brings them."""

    def __init__(self, each):
        self.Name, self.Access, self.optional = each["name"], each["scriptParamAccess"], each["optional"]
        self._cast = HINTS.get(each["typeHintID"])
        self.source = None

    @property
    def SourceCount(self):
        return int(isinstance(self.source, Wire))

    @property
    def VolatileData(self):
        values = self.values()
        filled = bool(values)
        return SimpleNamespace(PathCount=int(filled), Paths=[PATH] * filled, StructureProxy=[values] * filled)

    def values(self):
        """What the input collects, converted as its hint says."""
        found = self.source
        if isinstance(found, Wire):
            found = found.source.outputs.get(found.name)
        found = found if isinstance(found, list) else [] if found is None else [found]
        return Branch(found if self._cast is None else map(self._cast, found))

    def argument(self):
        """What the script is given."""
        values = self.values()
        return values if self.Access == "list" else values[0] if values else None


class Component:
    """A component of a folder of the installed package, as ghenv.Component and as an object of the definition."""

    def __init__(self, definition, folder, **sources):
        self.definition, self.app = definition, definition.app
        self.InstanceGuid, self.RunCount = uuid.uuid4(), -1
        place = components_dir() / folder
        told = json.loads((place / "metadata.json").read_text(encoding="utf-8"))["ghpython"]
        self.Params = SimpleNamespace(Input=[Parameter(each) for each in told["inputParameters"]])
        self.names = [each["name"] for each in told["outputParameters"]]
        self.outputs, self.told, self._message = {}, [], ""
        self.set(**sources)
        self.script = _script(place / "code.py", self)
        self.longest = 0.0  # [s] for which a run of this component held the canvas

    def set(self, **sources):
        """Change inputs: this and what depends on it is due."""
        by_name = {parameter.Name: parameter for parameter in self.Params.Input}
        for name, source in sources.items():
            by_name[name].source = source
        self.expired = True

    def __getitem__(self, output):
        return self.outputs[output]

    def messages(self, level):
        """Messages of the last solution."""
        return [text for kind, text in self.told if kind == level]

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
        self.told.append((level, text))

    def OnPingDocument(self):
        self.app.check_thread("OnPingDocument")
        return self.definition

    def ExpireSolution(self, recompute):
        self.app.check_thread("ExpireSolution")
        self.expired = True

    def OnDisplayExpired(self, redraw):
        self.app.check_thread("OnDisplayExpired")

    # -- what Grasshopper does -------------------------------------------------------------------------------------

    def upstream(self):
        """Objects that it is connected to."""
        return [each.source.source for each in self.Params.Input if each.SourceCount]

    def solve(self):
        """Run the script, unless an input that it needs is empty; a component here runs once."""
        self.told, self.expired, self.outputs = [], False, {}
        if any(not (each.optional or each.values()) for each in self.Params.Input):
            return
        self.RunCount = 1
        arguments = [each.argument() for each in self.Params.Input]
        began = time.perf_counter()
        returned = self.script.RunScript(*arguments)
        self.longest = max(self.longest, time.perf_counter() - began)
        self.outputs = dict(zip(self.names, (returned,) if len(self.names) == 1 else returned))


class Definition:
    """A document of Grasshopper."""

    RuntimeID, Owner, SolutionState = 1, None, "PostProcess"

    def __init__(self, app):
        self.app, app.definition = app, self
        self.ObjectsDeleted = Event()
        self._objects, self._scheduled = [], []

    def put(self, value):
        """Add a value; those that use it come later."""
        self._objects.append(Value(value))
        return self._objects[-1]

    def add(self, folder, **sources):
        """Add a component; those that use it come later."""
        self._objects.append(Component(self, folder, **sources))
        return self._objects[-1]

    def ScheduleSolution(self, delay_ms, delegate):
        self.app.check_thread("ScheduleSolution")
        self._scheduled.append((time.monotonic() + 1e-3 * delay_ms, delegate))

    def run_due(self):
        """A solution, if one that was asked for is due. True if there was one."""
        now = time.monotonic()
        due = [delegate for when, delegate in self._scheduled if when <= now]
        self._scheduled = [pair for pair in self._scheduled if pair[0] > now]
        for delegate in due:
            delegate(self)
        if due:
            self.solve()
        return bool(due)

    def solve(self):
        """A solution: every object that is due, after those it depends on."""
        self.SolutionState, ran = "Process", []
        for item in self._objects:
            if item.expired or any(source in ran for source in item.upstream()):
                item.solve()
                ran.append(item)
        self.SolutionState = "PostProcess"


def _script(path, component):
    """An instance of the class of a script, with `ghenv` among its globals."""
    text = path.read_text(encoding="utf-8")
    space = {"ghenv": SimpleNamespace(Component=component), "__name__": "script"}
    exec(compile(text, str(path), "exec"), space)
    return space[re.search(r"^class (\w+)\(", text, re.M).group(1)]()
