"""A component on the canvas of Grasshopper: what it was given, what it shows, and what it keeps between solutions."""

import contextlib

from compas_nscd.errors import InputError, NscdError


def component(*outputs):
    """Mark a function as the logic of a component with these outputs; it takes a Canvas and the inputs."""

    def mark(function):
        function.outputs = outputs
        return function

    return mark


def run(ghenv, function, *inputs):
    """Run a component: unwrap its inputs, turn errors into messages on it.

    Parameters
    ----------
    ghenv
        What Grasshopper hands to a script.
    function : callable
        Marked by `component`.
    *inputs
        As Grasshopper gave them.

    Returns
    -------
    object or tuple
        What RunScript has to return: one value, or as many as there are outputs; None after an error.
    """
    canvas = Canvas(ghenv)
    try:
        answer = function(canvas, *[unwrap(value) for value in inputs])
    except NscdError as error:
        canvas.error(str(error))
        answer = None
    if len(function.outputs) > 1 and answer is None:
        return (None,) * len(function.outputs)
    return answer


def unwrap(value):
    """The content of what Grasshopper wraps; geometry that refers to the document stays wrapped, with its identity."""
    if getattr(value, "IsReferencedGeometry", False):
        return value
    return getattr(value, "Value", value)


def items(values):
    """A list input as a list, without what is missing."""
    if values is None:
        return []
    return [value for value in map(unwrap, values) if value is not None]


class Canvas:
    """One component in one solution.

    Parameters
    ----------
    ghenv
        What Grasshopper hands to a script.
    """

    def __init__(self, ghenv):
        self.component = ghenv.Component
        self._units = None
        self._maker = None

    # -- messages --------------------------------------------------------------------------------------------------

    def error(self, text):
        self._tell("Error", text)

    def warning(self, text):
        self._tell("Warning", text)

    def remark(self, text):
        self._tell("Remark", text)

    def message(self, text):
        """Text below the component."""
        self.component.Message = text

    def _tell(self, level, text):
        import Grasshopper

        self.component.AddRuntimeMessage(getattr(Grasshopper.Kernel.GH_RuntimeMessageLevel, level), text)

    def warnings(self, found):
        """Show warnings of a structure or result, which name their blocks."""
        for each in found:
            self.warning(each["message"])

    # -- inputs ----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def input(self, name):
        """An error inside tells the input it comes from."""
        try:
            yield
        except NscdError as error:
            error.message = "Input {}: {}".format(name, error.message)
            raise

    def need(self, name, value, kind):
        """Refuse an input that is missing or of another kind."""
        if isinstance(value, kind):
            return value
        kinds = kind if isinstance(kind, tuple) else (kind,)
        words = " or ".join(each.__name__ for each in kinds)
        what = "is missing" if value is None else "is a {}".format(type(value).__name__)
        raise InputError("Input {} {}.".format(name, what), remedy="Connect a {}.".format(words))

    def maybe(self, name, value, kind):
        """The same for an input that may be missing."""
        return None if value is None else self.need(name, value, kind)

    def source(self, index):
        """What Grasshopper holds at an input in this run, with the identity that a script is not given; or None."""
        try:
            data = list(self.component.Params.Input[index].VolatileData.AllData(True))
            run = self.component.RunCount - 1
        except AttributeError:  # it only adds a name: no reason to fail
            return None
        return data[min(run, len(data) - 1)] if data and run >= 0 else None

    # -- geometry --------------------------------------------------------------------------------------------------

    @property
    def units(self):
        """Unit of the document: a `rhino.Units`, asked for once."""
        if self._units is None:
            from compas_nscd.rhino.document import Units

            self._units = Units()
        return self._units

    @property
    def make(self):
        """Maker of Rhino's geometry in the unit of the document."""
        if self._maker is None:
            from compas_nscd.ghpython.geometry import Maker

            self._maker = Maker(self.units)
        return self._maker

    def tree(self, branches):
        """A data tree with one branch per item of `branches`; an item that is a list fills its branch."""
        import Grasshopper
        import System

        tree = Grasshopper.DataTree[object]()
        for i, branch in enumerate(branches):
            path = Grasshopper.Kernel.Data.GH_Path(System.Array[int]([i]))
            tree.EnsurePath(path)
            for item in branch if isinstance(branch, list) else [branch]:
                tree.Add(item, path)
        return tree

    # -- what is kept between solutions ----------------------------------------------------------------------------

    def kept(self, make):
        """An object of this component that lives until the component or its document is closed.

        Parameters
        ----------
        make : callable
            Makes it of this canvas when there is none; it has a method `stop`.
        """
        from compas_nscd.ghpython.lifetime import kept

        return kept(self.component, lambda: make(self))
