"""Analyses in scripts, which run in the thread of Rhino's windows: Rhino goes on drawing, and Escape ends the work."""

from typing import Any

from compas_nscd.client.job import Job

#: Time between two turns of Rhino while a script waits [s]. Larger: the view jerks. Smaller: the script is slower.
TURN_S = 0.05


class Escape:
    """Notes that Escape was pressed.

    Examples
    --------
    >>> with Escape() as escape:            # doctest: +SKIP
    ...     while not escape.pressed:
    ...         ...
    """

    def __init__(self) -> None:
        self.pressed = False

    def __enter__(self) -> "Escape":
        import Rhino

        Rhino.RhinoApp.EscapeKeyPressed += self._note
        return self

    def __exit__(self, *error: Any) -> None:
        import Rhino

        Rhino.RhinoApp.EscapeKeyPressed -= self._note

    def _note(self, sender: Any, event: Any) -> None:
        self.pressed = True


def say(text: str) -> None:
    """Show a line of text in Rhino's command line, and let Rhino draw; for `Engine(progress=say)`."""
    import Rhino

    Rhino.RhinoApp.WriteLine(text)
    Rhino.RhinoApp.Wait()


def finished(job: Job) -> Any:
    """Result of a job; Rhino draws meanwhile, and Escape cancels the job.

    Raises
    ------
    CancelledError
        After Escape; a motion returns the part that was computed.
    """
    import Rhino

    with Escape() as escape:
        while True:
            try:
                return job.result(timeout=TURN_S)
            except TimeoutError:
                Rhino.RhinoApp.Wait()
            if escape.pressed:
                job.cancel()
