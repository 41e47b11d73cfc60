"""A component on the canvas of Grasshopper: its inputs, its messages, and the state it keeps between solutions."""

import contextlib
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Type, TypeVar, Union

from compas_nscd.errors import InputError, NscdError
from compas_nscd.ghpython.geometry import Maker
from compas_nscd.ghpython.lifetime import Record, nobody_watches, record_of
from compas_nscd.ghpython.wires import Run, number_of_net, reference, unwrap
from compas_nscd.rhino.document import Units

T = TypeVar("T")
#: The function of a component.
Logic = Callable[..., Any]
#: Inputs of a component as Grasshopper converts them; None if nothing is connected.
Flag = Optional[bool]
Count = Optional[int]
Number = Optional[float]
Text = Optional[str]
Items = Optional[Iterable[Any]]


def component(*outputs: str) -> Callable[[Logic], Logic]:
    """Mark a function as the logic of a component with these outputs; it takes a Canvas and the inputs."""

    def mark(function: Logic) -> Logic:
        function.outputs = outputs  # type: ignore[attr-defined]
        return function

    return mark


def run(ghenv: Any, function: Logic, *inputs: Any) -> Any:
    """Run a component: unwrap its inputs, show errors as its messages.

    Parameters
    ----------
    ghenv
        The variable that Grasshopper gives to a script.
    function : callable
        Marked by `component`.
    *inputs
        As Grasshopper gave them.

    Returns
    -------
    object or tuple
        Return value of RunScript: one value, or one for each output; None after an error.
    """
    canvas = Canvas(ghenv)
    try:
        answer = function(canvas, *[unwrap(value) for value in inputs])
    except Waiting:
        answer = None
    except NscdError as error:
        canvas.error(str(error))
        answer = None
    count = len(function.outputs)  # type: ignore[attr-defined]
    return (None,) * count if count > 1 and answer is None else answer


class Waiting(Exception):
    """The component on the other end of a wire has no value yet; it says why."""


class Canvas:
    """One component in one solution.

    Parameters
    ----------
    ghenv
        The variable that Grasshopper gives to a script.
    """

    def __init__(self, ghenv: Any):
        self.component = ghenv.Component
        self.number = max(self.component.RunCount, 1)  # of this run in the solution
        self._units: Optional[Units] = None
        self._maker: Optional[Maker] = None
        self._record: Optional[Record] = None

    @property
    def record(self) -> Record:
        """What is kept of this component between solutions."""
        if self._record is None:
            self._record = record_of(self.component)
            self._record.enter(self.number)
        return self._record

    @property
    def run(self) -> Run:
        """Place of this run in the solution."""
        runs = self.record.runs
        return runs[min(self.number, len(runs)) - 1]

    @property
    def alone(self) -> bool:
        """True if the component runs once in this solution."""
        return len(self.record.runs) == 1

    # -- messages --------------------------------------------------------------------------------------------------

    def error(self, text: str) -> None:
        """Show an error; the component turns red."""
        self._tell("Error", text)

    def warning(self, text: str) -> None:
        """Show a warning; the component turns orange."""
        self._tell("Warning", text)

    def remark(self, text: str) -> None:
        """Show a remark."""
        self._tell("Remark", text)

    def message(self, text: str) -> None:
        """Show a short text below the component."""
        self.record.show(self.number, text)

    def _tell(self, level: str, text: str) -> None:
        import Grasshopper

        if self.number > 1 or not self.alone:
            path = ";".join(str(index) for index in self.run.path)
            text = "{{{}}}({}) {}".format(path, self.run.item, text)  # as Grasshopper writes the place of an item
        self.component.AddRuntimeMessage(getattr(Grasshopper.Kernel.GH_RuntimeMessageLevel, level), text)

    def warnings(self, found: Sequence[Dict[str, Any]]) -> None:
        """Show warnings of a structure or result, which name their blocks."""
        for each in found:
            self.warning(each["message"])

    # -- inputs ----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def input(self, name: str) -> Iterator[None]:
        """Errors inside name this input."""
        try:
            yield
        except NscdError as error:
            message = "Input {}: {}".format(name, error.message)
            raise type(error)(message, error.remedy, error.blocks, **error.detail) from error

    def need(self, name: str, value: Any, kind: Union[Type[T], Tuple[Type[Any], ...]]) -> T:
        """The value of an input; an error if it is not connected or of another kind."""
        if isinstance(value, kind):
            return value
        if value is None and self._wired(name):
            self.message("")
            raise Waiting
        kinds = kind if isinstance(kind, tuple) else (kind,)
        words = " or ".join(each.__name__ for each in kinds)
        what = "is missing" if value is None else "is a {}".format(type(value).__name__)
        raise InputError("Input {} {}.".format(name, what), remedy="Connect a {}.".format(words))

    def maybe(self, name: str, value: Any, kind: Type[T]) -> Optional[T]:
        """The same for an optional input; None if it is missing."""
        return None if value is None else self.need(name, value, kind)

    def _wired(self, name: str) -> bool:
        return any(each.Name == name and each.SourceCount for each in self.component.Params.Input)

    def reference(self, index: int) -> Any:
        """Guid of the object of the document that the item of an input refers to; a script gets the geometry alone."""
        branches = self.component.Params.Input[index].VolatileData.StructureProxy
        if not len(branches):
            return None
        branch = branches[min(self.run.branch, len(branches) - 1)]
        return reference(branch[min(self.run.item, branch.Count - 1)]) if branch.Count else None

    # -- geometry --------------------------------------------------------------------------------------------------

    @property
    def units(self) -> Units:
        """Unit of length of the document; metres where there is no document."""
        if self._units is None:
            self._units = Units()
        return self._units

    @property
    def make(self) -> Maker:
        """Maker of Rhino geometry in the unit of the document."""
        if self._maker is None:
            self._maker = Maker(self.units)
        return self._maker

    def tree(self, branches: Iterable[Any]) -> Any:
        """Data tree with one branch per item of `branches`; an item that is a list fills its branch.

        Paths are {i}. If the component runs several times they begin with the branch and the item of the run, so that
        the runs do not share branches.
        """
        import Grasshopper
        import System

        tree, objects = Grasshopper.DataTree[System.Object](), System.Array[System.Object]
        make_path = Grasshopper.Kernel.Data.GH_Path
        before = None if self.alone else make_path(System.Array[System.Int32]([*self.run.path, self.run.item]))
        for i, branch in enumerate(branches):
            path = make_path(i) if before is None else before.AppendElement(i)
            if isinstance(branch, list) and not branch:
                tree.EnsurePath(path)
            elif isinstance(branch, list):
                tree.AddRange(objects([number_of_net(item) for item in branch]), path)
            else:
                tree.Add(number_of_net(branch), path)
        return tree

    # -- state between solutions -----------------------------------------------------------------------------------

    def kept(self, make: Callable[["Canvas"], T]) -> T:
        """State of this run of the component, kept until the component is deleted or its document closed.

        Parameters
        ----------
        make : callable
            Makes the state from this canvas the first time; the state has a method `stop`.
        """
        return self.record.state(self.number, lambda: make(self))

    def notifier(self) -> Any:
        """Functions `ready` and `say` for a worker of this run."""
        return self.record.notifier(self.number)

    def patience(self, wait_s: float) -> Optional[float]:
        """How long to wait for an answer [s]: `wait_s`; None, to the end, where nobody would see a later one."""
        return None if nobody_watches() else wait_s
