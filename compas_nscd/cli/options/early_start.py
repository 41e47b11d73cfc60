"""The engine of a command, started while the command itself is still being loaded.

Both take a third of a second and more. Nothing here loads numpy.
"""

import contextlib
import os
from typing import Sequence

from compas_nscd.client import process
from compas_nscd.client.interpreters.choice import choose
from compas_nscd.errors import NscdError

#: Commands that analyse a file.
ANALYSES = ("check", "static", "dynamic", "limit", "ranges", "quasistatic", "modes", "submodel", "fc3d")
#: Options with which no engine runs, or another one.
OTHERWISE = ("-h", "--help", "--python")


def start_early(arguments: Sequence[str]) -> None:
    """Start the engine that the command with these arguments is about to look for, and do not wait for it.

    Nothing if one runs, if the file is not there, or if the engine cannot be started: the command tells why.
    """
    if not _analyses_a_file(arguments):
        return
    with contextlib.suppress(NscdError, OSError):
        interpreter = choose()
        files = process.EngineFiles(interpreter)
        if files.read() is None:
            process.begin_early(files, interpreter)


def _analyses_a_file(arguments: Sequence[str]) -> bool:
    """Whether a command is one that analyses, by the usual engine, a file that is there."""
    known = bool(arguments) and arguments[0] in ANALYSES and not set(OTHERWISE).intersection(arguments)
    return known and any(os.path.exists(argument) for argument in arguments[1:])
