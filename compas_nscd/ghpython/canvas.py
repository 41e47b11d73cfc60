"""A component on the canvas of Grasshopper: its inputs, its messages, and the state it keeps between solutions."""

import contextlib
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Type, TypeVar, Union

from compas_nscd.errors import InputError, NscdError
from compas_nscd.ghpython.geometry import Maker
from compas_nscd.ghpython.lifetime import kept
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
    except NscdError as error:
        canvas.error(str(error))
        answer = None
    count = len(function.outputs)  # type: ignore[attr-defined]
    return (None,) * count if count > 1 and answer is None else answer


def unwrap(value: Any) -> Any:
    """Content of a wrapper of Grasshopper; geometry that refers to the document is left wrapped, with its identity."""
    if getattr(value, "IsReferencedGeometry", False):
        return value
    return getattr(value, "Value", value)


def items(values: Optional[Iterable[Any]]) -> List[Any]:
    """List input as a list without missing items."""
    if values is None:
        return []
    return [value for value in map(unwrap, values) if value is not None]


class Canvas:
    """One component in one solution.

    Parameters
    ----------
    ghenv
        The variable that Grasshopper gives to a script.
    """

    def __init__(self, ghenv: Any):
        self.component = ghenv.Component
        self._units: Optional[Units] = None
        self._maker: Optional[Maker] = None

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
        self.component.Message = text

    def _tell(self, level: str, text: str) -> None:
        import Grasshopper

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
        """The value of an input; an error if it is missing or of another kind."""
        if isinstance(value, kind):
            return value
        kinds = kind if isinstance(kind, tuple) else (kind,)
        words = " or ".join(each.__name__ for each in kinds)
        what = "is missing" if value is None else "is a {}".format(type(value).__name__)
        raise InputError("Input {} {}.".format(name, what), remedy="Connect a {}.".format(words))

    def maybe(self, name: str, value: Any, kind: Type[T]) -> Optional[T]:
        """The same for an optional input; None if it is missing."""
        return None if value is None else self.need(name, value, kind)

    def source(self, index: int) -> Any:
        """Data of an input in this run, with the reference to the document that a script does not get; or None."""
        try:
            data = list(self.component.Params.Input[index].VolatileData.AllData(True))
            run = self.component.RunCount - 1
        except AttributeError:  # only the name of the object is lost
            return None
        return data[min(run, len(data) - 1)] if data and run >= 0 else None

    # -- geometry --------------------------------------------------------------------------------------------------

    @property
    def units(self) -> Units:
        """Unit of length of the document."""
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
        """Data tree with one branch per item of `branches`; an item that is a list fills its branch."""
        import Grasshopper
        import System

        tree = Grasshopper.DataTree[object]()
        for i, branch in enumerate(branches):
            path = Grasshopper.Kernel.Data.GH_Path(System.Array[int]([i]))
            tree.EnsurePath(path)
            for item in branch if isinstance(branch, list) else [branch]:
                tree.Add(item, path)
        return tree

    # -- state between solutions -----------------------------------------------------------------------------------

    def kept(self, make: Callable[["Canvas"], T]) -> T:
        """State of this component, kept until the component is deleted or its document closed.

        Parameters
        ----------
        make : callable
            Makes the state from this canvas the first time; the state has a method `stop`.
        """
        return kept(self.component, lambda: make(self))
