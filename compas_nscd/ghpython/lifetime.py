"""Objects that live as long as a component on the canvas."""

#: Delay of a solution that was asked for from behind the canvas [ms].
DELAY_MS = 1
#: Prefix of what is kept in `scriptcontext.sticky`.
STICKY = "compas_nscd_"
_watched = set()


def on_canvas(action):
    """Have a function run in the thread of the canvas, soon; returns at once."""
    import Rhino
    import System

    Rhino.RhinoApp.InvokeOnUiThread(System.Action(action))


def expire(component, delay_ms=DELAY_MS):
    """Have a component run again; to be called in the thread of the canvas."""
    import Grasshopper

    document = component.OnPingDocument()
    if document is None:  # it was deleted meanwhile
        return

    def before_solution(_):
        component.ExpireSolution(False)

    document.ScheduleSolution(delay_ms, Grasshopper.Kernel.GH_Document.GH_ScheduleDelegate(before_solution))


def notifier(component):
    """(ready, say) of a worker of a component."""

    def show(text):
        if text is not None:
            component.Message = text
            component.OnDisplayExpired(True)

    return (lambda: on_canvas(lambda: expire(component))), (lambda text: on_canvas(lambda: show(text())))


def kept(component, make):
    """An object of a component that lives until the component is deleted or its document closed.

    Parameters
    ----------
    make : callable
        Makes it when there is none; it has a method `stop`.
    """
    import scriptcontext

    key = STICKY + str(component.InstanceGuid)
    if key not in scriptcontext.sticky:
        _watch(component)
        scriptcontext.sticky[key] = make()
    return scriptcontext.sticky[key]


def _watch(component):
    """See to it that what a component keeps is stopped when it is deleted, its document closed, or Rhino left."""
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


def _document_removed(server, document):
    _watched.discard(str(document.DocumentID))
    _stop(document.Objects)


def _objects_deleted(sender, event):
    _stop(event.Objects)


def _stop(objects):
    import scriptcontext

    for item in objects:
        found = scriptcontext.sticky.pop(STICKY + str(item.InstanceGuid), None)
        if found is not None:
            found.stop()


def _closing(sender, event):
    """Rhino is left: the engine leaves with it at the latest when its process ends, and now if it can be told."""
    import scriptcontext

    from compas_nscd.ghpython.shared_engine import session

    for key in [key for key in scriptcontext.sticky if str(key).startswith(STICKY)]:
        scriptcontext.sticky.pop(key).stop()
    session.close()
