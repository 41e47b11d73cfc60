"""State of components, kept between solutions until the component or its document is closed.

Grasshopper may be used from its own thread only. `on_canvas` runs a function there as soon as Rhino is idle.
"""

from typing import Any, Callable, Iterable, Optional, Set, Tuple, TypeVar

from compas_nscd.ghpython.shared_engine import session

T = TypeVar("T")

#: Delay of a solution that a worker asks for [ms]. Larger: results appear later.
DELAY_MS = 1
#: Prefix of our keys in `scriptcontext.sticky`.
STICKY = "compas_nscd_"
#: Documents whose events are followed, by id; "application" for those of Rhino itself.
_watched: Set[str] = set()


def on_canvas(action: Callable[[], Any]) -> None:
    """Run a function in the thread of the canvas, soon; returns at once."""
    import Rhino
    import System

    Rhino.RhinoApp.InvokeOnUiThread(System.Action(action))


def expire(component: Any, delay_ms: int = DELAY_MS) -> None:
    """Run a component again; to be called in the thread of the canvas."""
    import Grasshopper

    document = component.OnPingDocument()
    if document is None:  # the component has been deleted
        return

    def before_solution(_: Any) -> None:
        component.ExpireSolution(False)

    document.ScheduleSolution(delay_ms, Grasshopper.Kernel.GH_Document.GH_ScheduleDelegate(before_solution))


def notifier(component: Any) -> Tuple[Callable[[], None], Callable[[Callable[[], Optional[str]]], None]]:
    """Functions `ready` and `say` for the worker of a component."""

    def show(text: Optional[str]) -> None:
        if text is not None:
            component.Message = text
            component.OnDisplayExpired(True)

    return (lambda: on_canvas(lambda: expire(component))), (lambda text: on_canvas(lambda: show(text())))


def kept(component: Any, make: Callable[[], T]) -> T:
    """State of a component, kept until the component is deleted or its document closed.

    Parameters
    ----------
    component : GH_Component
    make : callable
        Makes the state the first time; the state has a method `stop`.
    """
    import scriptcontext

    key = STICKY + str(component.InstanceGuid)
    if key not in scriptcontext.sticky:
        _watch(component)
        scriptcontext.sticky[key] = make()
    return scriptcontext.sticky[key]


def _watch(component: Any) -> None:
    """Stop the state of a component when it is deleted, its document closed, or Rhino closed."""
    import Grasshopper
    import Rhino

    if "application" not in _watched:
        _watched.add("application")
        Grasshopper.Instances.DocumentServer.DocumentRemoved += _document_removed
        Rhino.RhinoApp.Closing += _closing
    document = component.OnPingDocument()
    if document is not None and str(document.DocumentID) not in _watched:
        _watched.add(str(document.DocumentID))
        document.ObjectsDeleted += _objects_deleted


def _document_removed(server: Any, document: Any) -> None:
    _watched.discard(str(document.DocumentID))
    _stop(document.Objects)


def _objects_deleted(sender: Any, event: Any) -> None:
    _stop(event.Objects)


def _stop(objects: Iterable[Any]) -> None:
    import scriptcontext

    for item in objects:
        found = scriptcontext.sticky.pop(STICKY + str(item.InstanceGuid), None)
        if found is not None:
            found.stop()


def _closing(sender: Any, event: Any) -> None:
    """Rhino is being closed: release the engine now; it would end with Rhino's process at the latest."""
    import scriptcontext

    for key in [key for key in scriptcontext.sticky if str(key).startswith(STICKY)]:
        scriptcontext.sticky.pop(key).stop()
    session.close()
