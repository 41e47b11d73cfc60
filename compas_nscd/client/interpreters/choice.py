"""Which Python runs the engine."""

import importlib.util
import os
import sys
from typing import Callable, Optional

from compas_nscd.client.interpreters.environment import create, ready
from compas_nscd.client.interpreters.interpreter import (
    NEEDED,
    VARIABLE,
    Interpreter,
    embedded,
    extra_paths,
    given_interpreter,
    lacking,
    own_executable,
)
from compas_nscd.errors import EngineStartError


def choose(python: Optional[str] = None) -> Interpreter:
    """The interpreter for the engine.

    In this order: the argument; the one that ``NSCD_PYTHON`` names; the one that runs this code, if it has the engine;
    the environment that compas_nscd keeps (see `environment`). Inside a CAD program that environment comes before the
    program's own Python, which the user may not change.

    Parameters
    ----------
    python : str, optional
        Path of a Python executable.

    Returns
    -------
    Interpreter

    Raises
    ------
    EngineStartError
        If the named file does not exist, or no interpreter has the engine.
    """
    if python:
        return given_interpreter(python, "it was given as argument")
    if os.environ.get(VARIABLE):
        return given_interpreter(os.environ[VARIABLE], "the environment variable {} names it".format(VARIABLE))
    found = ready() if embedded() else None
    if found is None:
        own = own_executable()
        absent = [name for name in NEEDED if importlib.util.find_spec(name) is None]
        if own is not None and not absent:
            return Interpreter(own, "it runs this program and has the engine", extra_paths())
        found = ready()
    if found is not None:
        return found
    if own is None:
        raise EngineStartError(
            "No Python executable was found beside {}.".format(sys.prefix),
            remedy="Set {} to a Python that has compas_nscd[engine].".format(VARIABLE),
        )
    raise lacking(Interpreter(own, "it runs this program"), absent)


def provide(
    python: Optional[str] = None,
    progress: Optional[Callable[[str], object]] = None,
    cancelled: Optional[Callable[[], bool]] = None,
) -> Interpreter:
    """The interpreter for the engine; inside Rhino the environment of the engine is made if there is none.

    Parameters
    ----------
    python : str, optional
        Path of a Python executable.
    progress : callable, optional
        Called with lines of text while the environment is made; they are printed unless given.
    cancelled : callable, optional
        Called often meanwhile; True ends the work with CancelledError.
    """
    try:
        return choose(python)
    except EngineStartError:
        if python or os.environ.get(VARIABLE) or not embedded():
            raise
    return create(progress=progress or print, cancelled=cancelled)
