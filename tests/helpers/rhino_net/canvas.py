"""Drives the stand-in of Grasshopper: components of folders, wires, solutions, and an idle canvas."""

import json
import re
import time
from types import ModuleType, SimpleNamespace

from places import ROOT
from rhino_net.shapes import Shapes

COMPONENTS = ROOT / "ghpython_components"
HINTS = {"float": float, "int": int, "str": str, "bool": bool}


class Application:
    """Rhino, to be made inside of `rhino_net.importable()`. The thread that makes it is the one of the canvas."""

    def __init__(self, unit="Meters", headless=False):
        import clr
        import Grasshopper
        import Rhino
        import System

        self.rhino, self.hopper = Rhino, Grasshopper
        Rhino.RhinoApp.Reset(headless)
        Grasshopper.Instances.Reset(not headless)
        self.shapes = Shapes(Rhino, System)
        self.document = self.open(System.Enum.Parse(clr.GetClrType(Rhino.UnitSystem), unit))
        self.definitions, self.sticky = [], {}

    def open(self, unit=None):
        """File > Open: another document is the active one."""
        document = self.rhino.RhinoDoc(self.rhino.UnitSystem.Meters if unit is None else unit)
        self.rhino.RhinoDoc.ActiveDoc = document
        return document

    @property
    def trespasses(self):
        """Members of Grasshopper that were used outside of the thread of the canvas."""
        return list(self.hopper.Instances.Trespasses)

    def modules(self):
        """Modules in Python that scripts find in Rhino."""
        context = ModuleType("scriptcontext")
        context.sticky, context.doc = self.sticky, self.document
        return {"scriptcontext": context}

    def pump(self):
        """What an idle canvas does: run what was posted, and solutions that are due. True if there was something."""
        posted = self.rhino.RhinoApp.Pump()
        return any([definition.run_due() for definition in self.definitions]) or posted

    def idle(self, until, seconds=60.0):
        """Pump until a condition holds; False if it does not within the time."""
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                return False
            if not self.pump():
                time.sleep(0.002)
        return True

    def kind_of(self, items):
        """Names of the types of the items of a .NET list."""
        return list(self.hopper.Instances.TypeNames(items))

    def close(self):
        """Rhino is left."""
        self.rhino.RhinoApp.Close()

    def close_definition(self):
        """The last definition is closed."""
        self.hopper.Instances.DocumentServer.RemoveDocument(self.definitions.pop().net)


class Wire:
    """An output that an input is connected to."""

    def __init__(self, source, name):
        self.source, self.name = source, name


class Tree(dict):
    """Data of an input, by path: ``Tree({(0,): [a, b], (1,): [c]})``."""


class Branches:
    """A tree of an output."""

    def __init__(self, paths, branch):
        self.paths, self._branch = [tuple(path.Indices) for path in paths], branch

    def lists(self):
        return [list(self._branch(i)) for i in range(len(self.paths))]

    def by_path(self):
        return dict(zip(self.paths, self.lists()))


class Component:
    """A component of a folder of `ghpython_components`; `net` is what its script knows as ghenv.Component."""

    def __init__(self, definition, folder, wrapped=False, **sources):
        self.definition, self.wrapped = definition, wrapped
        self.kernel = definition.app.hopper.Kernel
        self.net = self.kernel.ScriptComponent()
        self.metadata = json.loads((COMPONENTS / folder / "metadata.json").read_text(encoding="utf-8"))
        self.inputs = self.metadata["ghpython"]["inputParameters"]
        self.names = [each["name"] for each in self.metadata["ghpython"]["outputParameters"]]
        self._in = {each["name"]: self._parameter(self.net.Params.Input, each) for each in self.inputs}
        self._out = {name: self._parameter(self.net.Params.Output, {"name": name}) for name in self.names}
        self.upstream, self.outputs, self.ran = {}, {}, False
        self.set(**sources)
        self.script = _script(COMPONENTS / folder / "code.py", self.net)
        self.longest = 0.0  # [s] for which a run of this component held the canvas
        self.spent = 0.0  # [s] of the processor, in the script in the last solution: other programs do not count

    def _parameter(self, server, each):
        made = self.kernel.Param()
        made.Name = each["name"]
        made.Access = getattr(self.kernel.GH_ParamAccess, each.get("scriptParamAccess", "item"))
        made.Optional = each.get("optional", True)
        server.Add(made)
        return made

    # -- what a user does ------------------------------------------------------------------------------------------

    def set(self, **sources):
        """Change inputs, as a slider does: this and what hangs on it is due."""
        for name, source in sources.items():
            parameter = self._in[name]
            parameter.Clear()
            parameter.RemoveAllSources()
            wires = [each for each in (source if isinstance(source, list) else [source]) if isinstance(each, Wire)]
            self.upstream[name] = [wire.source for wire in wires]
            for wire in wires:
                parameter.AddSource(wire.source._out[wire.name])
            if not wires and source is not None:
                self._put(parameter, source)
        self.net.Expired = True

    def _put(self, parameter, source):
        tree = source if isinstance(source, Tree) else {(0,): source if isinstance(source, list) else [source]}
        for path, values in tree.items():
            for value in values:
                parameter.Put(self._net(value), self._path(path))

    def _net(self, value):
        """What Rhino makes of a value of Python: its integers are not those of .NET."""
        import System

        return System.Int32(value) if type(value) is int else value

    def _path(self, indices):
        import System

        return self.kernel.Data.GH_Path(System.Array[System.Int32](list(indices)))

    # -- what a user sees ------------------------------------------------------------------------------------------

    @property
    def InstanceGuid(self):
        return self.net.InstanceGuid

    @property
    def Message(self):
        return self.net.Message

    @property
    def expired(self):
        return self.net.Expired

    @expired.setter
    def expired(self, value):
        self.net.Expired = value

    @property
    def told(self):
        return [(level, text) for level in ("Error", "Warning", "Remark") for text in self.messages(level)]

    def messages(self, level):
        return list(self.net.RuntimeMessages(getattr(self.kernel.GH_RuntimeMessageLevel, level)))

    def __getitem__(self, output):
        return self.outputs[output]

    def tree(self, output):
        """Data of an output by path."""
        data = self._out[output].VolatileData
        bare = lambda goo: None if goo is None else goo.ScriptVariable()  # noqa: E731
        return {tuple(path.Indices): [bare(goo) for goo in data.get_Branch(path)] for path in data.Paths}

    # -- what Grasshopper does -------------------------------------------------------------------------------------

    def solve(self):
        """Collect the data, run the script branch by branch and item by item, hand out what it returns."""
        self.net.ClearRuntimeMessages()
        self.net.Expired, self.outputs = False, {}
        for parameter in self._out.values():
            parameter.Clear()
        absent = [
            each["name"] for each in self.inputs if not (each["optional"] or self._in[each["name"]].VolatileDataCount)
        ]
        if absent:
            text = "Input parameter {} failed to collect data".format(absent[0])
            return self.net.AddRuntimeMessage(self.kernel.GH_RuntimeMessageLevel.Warning, text)
        runs, self.spent = list(self.net.Runs(self.wrapped)), 0.0
        for number, run in enumerate(runs, 1):
            self.net.Enter(number)
            given = [self._cast(value, each) for value, each in zip(run.Inputs, self.inputs)]
            began, worked = time.perf_counter(), time.thread_time()
            returned = self.script.RunScript(*given)
            self.spent += time.thread_time() - worked
            self.longest = max(self.longest, time.perf_counter() - began)
            self._hand_out(returned, run, len(runs) == 1)

    def _cast(self, value, each):
        kind = HINTS.get(each["typeHintID"])
        if kind is None or value is None or self.wrapped:
            return value
        if each["scriptParamAccess"] == "list":
            return [None if item is None else kind(item) for item in value]
        return kind(value)

    def _hand_out(self, returned, run, single):
        values = (returned,) if len(self.names) == 1 else returned
        if not isinstance(values, tuple) or len(values) != len(self.names):
            raise TypeError("RunScript returned {!r} for the outputs {}".format(returned, self.names))
        for name, value in zip(self.names, values):
            parameter = self._out[name]
            if hasattr(value, "BranchCount"):
                parameter.PutTree(value)
                value = Branches(list(value.Paths), value.Branch)
            elif isinstance(value, list):
                path = run.Path.AppendElement(run.Index) if run.HasItems else run.Path
                parameter.PutNothing(path)
                for item in value:
                    parameter.Put(self._net(item), path)
            else:
                parameter.Put(self._net(value), run.Path)
            if single:
                self.outputs[name] = value
            else:
                more = value if isinstance(value, list) else [] if value is None else [value]
                self.outputs.setdefault(name, []).extend(more)


class Definition:
    """A document of Grasshopper."""

    def __init__(self, app, copy_of=None):
        self.app, self.shapes, self.Objects = app, app.shapes, []
        self.net = app.hopper.Kernel.GH_Document()
        if copy_of is not None:  # a copied file has the identifiers of the first
            self.net.DocumentID = copy_of.net.DocumentID
        app.hopper.Instances.DocumentServer.AddDocument(self.net)
        app.definitions.append(self)

    def add(self, folder, wrapped=False, **sources):
        component = Component(self, folder, wrapped, **sources)
        self.Objects.append(component)
        self.net.AddObject(component.net, False, -1)
        return component

    def remove(self, component):
        self.Objects.remove(component)
        self.net.RemoveObject(component.net, False)

    def run_due(self):
        """A solution, if one that was asked for is due."""
        due = self.net.TakeDue()
        if due:
            self.solve()
        return due

    def solve(self):
        """A solution: every component that is due, after those it depends on. How long it held the canvas [s]."""
        began = time.perf_counter()
        self.net.Begin()
        for component in self.Objects:  # in the order in which they were put down: sources first
            sources = [source for some in component.upstream.values() for source in some]
            component.ran = component.net.Expired or any(source.ran for source in sources)
            if component.ran and not component.net.Locked:
                component.solve()
        for component in self.Objects:
            component.ran = False
        self.net.End()
        return time.perf_counter() - began


def _script(path, component):
    """An instance of the class of a script, with `ghenv` among its globals."""
    space = {"ghenv": SimpleNamespace(Component=component), "__name__": "script"}
    text = path.read_text(encoding="utf-8")
    exec(compile(text, str(path), "exec"), space)
    name = re.search(r"^class (\w+)\(Grasshopper\.Kernel\.GH_ScriptInstance\)", text, re.M)
    return space[name.group(1)]()
