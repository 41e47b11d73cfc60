"""A component on the canvas of Grasshopper: its inputs, its messages, and the state it keeps between solutions."""

import contextlib
import warnings
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Type, TypeVar, Union

from compas_nscd.errors import AssumedWarning, InputError, NscdError
from compas_nscd.ghpython.geometry import Maker
from compas_nscd.ghpython.lifetime import Outputs, Record, nobody_watches, record_of
from compas_nscd.ghpython.wires import Run, number_of_net, reference, same, unwrap
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


def component(*outputs: str, pure: bool = False) -> Callable[[Logic], Logic]:
    """Mark a function as the logic of a component with these outputs; it takes a Canvas and the inputs.

    `pure`: outputs and messages depend on the inputs alone, and are repeated while those stay the same. Otherwise every
    display would draw the last result once more while the next one is computed.
    """

    def mark(function: Logic) -> Logic:
        function.outputs, function.pure = outputs, pure  # type: ignore[attr-defined]
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
    given = [unwrap(value) for value in inputs]
    try:
        answer = canvas.repeated(function, given) if function.pure else function(canvas, *given)  # type: ignore
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
        self._maker: Optional[Maker] = None
        self._told: List[Tuple[str, str]] = []  # level and text of the messages of this run
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

    def repeated(self, function: Logic, given: List[Any]) -> Any:
        """Outputs of a pure function, with its messages; those of the last solution if nothing has changed."""
        question = [self.units.metre, *given]
        last = self.record.outputs.get(self.number)
        if last is None or not all(map(same, question, last.question)):
            self._told = []
            answer = function(self, *given)
            last = self.record.outputs[self.number] = Outputs(question, answer, self._told)
            return answer
        for level, text in last.told:
            self._tell(level, text)
        return last.answer

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

        self._told.append((level, text))
        if self.number > 1 or not self.alone:
            path = ";".join(str(index) for index in self.run.path)
            text = "{{{}}}({}) {}".format(path, self.run.item, text)  # as Grasshopper writes the place of an item
        self.component.AddRuntimeMessage(getattr(Grasshopper.Kernel.GH_RuntimeMessageLevel, level), text)

    def warnings(self, found: Sequence[Dict[str, Any]]) -> None:
        """Show warnings of a structure or result, which name their blocks."""
        for each in found:
            self.warning(each["message"])

    @contextlib.contextmanager
    def assumptions(self) -> Iterator[None]:
        """Values that the library of materials assumes are remarks: Grasshopper shows no warnings of Python."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", AssumedWarning)
            yield
        for each in caught:
            if issubclass(each.category, AssumedWarning):
                self.remark(str(each.message))
            else:
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)

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
        goo = self.record.goo(index, self.run)
        return None if goo is None else reference(goo)

    # -- geometry --------------------------------------------------------------------------------------------------

    @property
    def units(self) -> Units:
        """Unit of length of the document; metres where there is no document."""
        if self.record.units is None:
            self.record.units = Units()
        return self.record.units

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
        before = () if self.alone else (*self.run.path, self.run.item)
        path_of = Grasshopper.Kernel.Data.GH_Path(System.Array[System.Int32](before)).AppendElement
        add, add_range = tree.Add, tree.AddRange  # looked up once: that takes longer than the call
        for i, branch in enumerate(branches):
            if not isinstance(branch, list):
                add(number_of_net(branch), path_of(i))
            elif branch:
                add_range(objects([number_of_net(item) for item in branch]), path_of(i))
            else:
                tree.EnsurePath(path_of(i))
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
