"""Programs that take the place of a Python, written in Python: the same on every system."""

import io
import os
import sys
import zipfile
from pathlib import Path


def stand_in(path, code):
    """Make an executable that runs `code`, which finds the words it was called with in `sys.argv[1:]`; its path.

    Windows starts nothing but an .exe as if it were Python: there it is the one that pip makes for scripts.
    """
    if os.name == "nt":
        return _program_of_windows(path, code)
    script = path.with_name(path.name + ".py")
    script.write_text(code, encoding="utf-8")
    path.write_text('#!/bin/sh\nexec "{}" "{}" "$@"\n'.format(sys.executable, script), encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def _program_of_windows(path, code):
    from pip._vendor import distlib

    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("__main__.py", code)
    start = '#!"{}"\r\n'.format(sys.executable).encode("utf-8")
    path = path.with_name(path.name + ".exe")
    path.write_bytes((Path(distlib.__file__).parent / "t64.exe").read_bytes() + start + archive.getvalue())
    return str(path)
