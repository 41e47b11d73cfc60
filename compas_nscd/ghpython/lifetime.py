"""State of components, kept between solutions until the component or its document is closed.

State belongs to a question: it is kept by document, component and run (a component runs once for each item or branch
that it is given). Documents are known by their `RuntimeID`, because copies of a file share all other identifiers.

Grasshopper may be used from its own thread only. `on_canvas` runs a function there as soon as Rhino is idle.
"""

from collections import Counter
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple, TypeVar

from compas_nscd.ghpython.shared_engine import session
from compas_nscd.ghpython.wires import Run, runs_of
from compas_nscd.rhino.document import Units

T = TypeVar("T")

#: Delay of a solution that a worker asks for [ms]. Larger: results appear later.
DELAY_MS = 1
#: Prefix of our keys in `scriptcontext.sticky`.
STICKY = "compas_nscd_"
#: Most different texts that are shown below a component that runs several times. More: they hide its neighbours.
MOST_TEXTS = 3
#: Documents whose events are followed, by runtime id; "application" for those of Rhino itself.
_watched: Set[str] = set()


def on_canvas(action: Callable[[], Any]) -> None:
    """Run a function in the thread of the canvas, soon; returns at once."""
    import Rhino
    import System

    Rhino.RhinoApp.InvokeOnUiThread(System.Action(action))


def nobody_watches() -> bool:
    """True if a later answer would not be seen: in Rhino.Compute, Hops and Grasshopper Player."""
    import Grasshopper
    import Rhino

    app = Rhino.RhinoApp
    return app.IsRunningHeadless or Rhino.RhinoDoc.ActiveDoc is None or Grasshopper.Instances.ActiveCanvas is None


def expire(component: Any, delay_ms: int = DELAY_MS) -> None:
    """Run a component again; to be called in the thread of the canvas.

    Inside of a cluster the documents around it are solved again too: otherwise the outputs of the cluster keep their
    values.
    """
    for document, item in _enclosing(component):
        _expire_in(document, item, delay_ms)


def _expire_in(document: Any, item: Any, delay_ms: int) -> None:
    import Grasshopper

    def before_solution(_: Any) -> None:
        item.ExpireSolution(False)

    if document.SolutionState != Grasshopper.Kernel.GH_ProcessStep.Process:
        item.ExpireSolution(False)  # a locked solver drops the schedule, and solves what is expired when unlocked
    document.ScheduleSolution(delay_ms, Grasshopper.Kernel.GH_Document.GH_ScheduleDelegate(before_solution))


def _enclosing(component: Any) -> Iterator[Tuple[Any, Any]]:
    """Document and object in it: the component, then the clusters around it; nothing if it has been deleted."""
    import Grasshopper

    document, item = component.OnPingDocument(), component
    while document is not None:
        yield document, item
        if document.Owner is None:
            return
        item = Grasshopper.Kernel.IGH_DocumentObject(document.Owner)
        document = document.Owner.OwnerDocument()


class Outputs(NamedTuple):
    """What a run gave in the last solution."""

    question: List[Any]  # unit of the document, and inputs
    answer: Any
    told: List[Tuple[str, str]]  # level and text of its messages


class Record:
    """What is kept of one component in one document.

    Parameters
    ----------
    component : GH_Component
        The object of Grasshopper; undo puts another one with the same identifier into its place.
    """

    def __init__(self, component: Any):
        self.component = component
        self.places = {_place(*pair) for pair in _enclosing(component)}
        self.runs: List[Run] = []
        self.units: Optional[Units] = None  # of the document, in this solution
        self._branches: Dict[int, List[Any]] = {}  # of inputs, in this solution
        self.outputs: Dict[int, Outputs] = {}
        self._states: Dict[int, Any] = {}
        self._texts: Dict[int, str] = {}
        self._last = 0  # number of the latest run

    def enter(self, number: int) -> None:
        """Begin a run; the first one of a solution ends the states of runs that the last solution did not have."""
        if number <= self._last or not self.runs:
            self.runs, self.units, self._branches = runs_of(self.component), None, {}
            for old in [key for key in self._states if key > max(self._last, len(self.runs))]:
                self._states.pop(old).stop()
            self.outputs = {key: each for key, each in self.outputs.items() if key <= len(self.runs)}
            self._texts = {key: text for key, text in self._texts.items() if key <= len(self.runs)}
        self._last = number

    def goo(self, index: int, run: Run) -> Any:
        """Item of an input that a run takes, as it is on the wire; None if there is none."""
        if index not in self._branches:
            self._branches[index] = list(self.component.Params.Input[index].VolatileData.StructureProxy)
        branches = self._branches[index]
        branch = branches[min(run.branch, len(branches) - 1)] if branches else None
        return branch[min(run.item, branch.Count - 1)] if branch is not None and branch.Count else None

    def state(self, number: int, make: Callable[[], T]) -> T:
        """State of a run; `make` makes it the first time."""
        if number not in self._states:
            self._states[number] = make()
        return self._states[number]

    def text(self, number: int) -> str:
        """Text of a run below the component."""
        return self._texts.get(number, "")

    def show(self, number: int, text: str) -> None:
        """Show a short text of a run below the component; several runs share the place."""
        self._texts[number] = text
        counted = Counter(self._texts[key] for key in sorted(self._texts) if self._texts[key])
        if len(self.runs) > 1:
            parts = ["{} {}".format(count, each) for each, count in list(counted.items())[:MOST_TEXTS]]
            text = ", ".join(parts + ["..."] * (len(counted) > MOST_TEXTS))
        self.component.Message = text

    def notifier(self, number: int) -> Tuple[Callable[[], None], Callable[[Callable[[], Optional[str]]], None]]:
        """Functions `ready` and `say` for the worker of a run."""
        component = self.component

        def show(text: Optional[str]) -> None:
            if text is not None:
                self.show(number, text)
                component.OnDisplayExpired(True)

        return (lambda: on_canvas(lambda: expire(component))), (lambda text: on_canvas(lambda: show(text())))

    def stop(self) -> None:
        """The component was deleted: stop the states of all its runs."""
        for state in self._states.values():
            state.stop()
        self._states = {}


def record_of(component: Any) -> Record:
    """Record of a component, kept until the component is deleted or its document closed."""
    import scriptcontext

    document = component.OnPingDocument()
    key = STICKY + _place(document, component)
    found = scriptcontext.sticky.get(key)
    if found is None or found.component != component:
        if found is not None:
            found.stop()
        _watch(component)
        found = scriptcontext.sticky[key] = Record(component)
    return found


def _place(document: Any, item: Any) -> str:
    """Identifier of an object of a document."""
    return "{}_{}".format(0 if document is None else document.RuntimeID, item.InstanceGuid)


def _watch(component: Any) -> None:
    """Stop the state of a component when it is deleted, its document closed, or Rhino closed."""
    import Grasshopper
    import Rhino

    if "application" not in _watched:
        _watched.add("application")
        Grasshopper.Instances.DocumentServer.DocumentRemoved += _document_removed
        Rhino.RhinoApp.Closing += _closing
    for document, _ in _enclosing(component):
        if str(document.RuntimeID) not in _watched:
            _watched.add(str(document.RuntimeID))
            document.ObjectsDeleted += _objects_deleted


def _document_removed(server: Any, document: Any) -> None:
    _watched.discard(str(document.RuntimeID))
    prefix = "{}_".format(document.RuntimeID)
    _stop(lambda record: any(place.startswith(prefix) for place in record.places))


def _objects_deleted(sender: Any, event: Any) -> None:
    gone = {_place(event.Document, item) for item in event.Objects}
    _stop(lambda record: not gone.isdisjoint(record.places))


def _stop(chosen: Callable[[Record], bool]) -> None:
    import scriptcontext

    sticky = scriptcontext.sticky
    for key in [key for key in sticky if str(key).startswith(STICKY) and chosen(sticky[key])]:
        sticky.pop(key).stop()


def _closing(sender: Any, event: Any) -> None:
    """Rhino is being closed: release the engine now; it would end with Rhino's process at the latest."""
    _stop(lambda record: True)
    session.close()
