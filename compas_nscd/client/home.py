"""The folder in which the engine keeps its files, and locks in it."""

import atexit
import contextlib
import os
import shutil
import sys
import tempfile
import time
from typing import Iterator, Optional, Tuple

from compas_nscd.errors import EngineStartError

#: Temporary folder of this process, made if the usual one cannot be written.
_fallback: Optional[str] = None


def home() -> Tuple[str, Optional[str]]:
    """Folder of the engine's files, and a note for the user if it is not the usual one.

    Returns
    -------
    folder : str
        ``NSCD_HOME``, else ``~/.nscd``, else a temporary folder.
    note : str or None
    """
    global _fallback
    path = os.environ.get("NSCD_HOME") or os.path.join(os.path.expanduser("~"), ".nscd")
    path = os.path.abspath(path)
    try:
        os.makedirs(path, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
        return path, None
    except OSError as error:
        reason = "{} cannot be written ({})".format(path, error.strerror or error)
    try:
        if _fallback is None:
            _fallback = tempfile.mkdtemp(prefix="nscd-home-")
            atexit.register(shutil.rmtree, _fallback, ignore_errors=True)
    except OSError:
        raise EngineStartError(
            "The engine has no place for its files: {}, nor can a temporary directory.".format(reason),
            remedy="Set NSCD_HOME to a directory that you can write.",
        )
    return _fallback, "{}; {} is used until this program ends. Set NSCD_HOME to keep compiled kernels.".format(
        reason, _fallback
    )


@contextlib.contextmanager
def locked(path: str, wait_s: float = 60.0) -> Iterator[None]:
    """Hold the lock of a file, e.g. while an engine is started. The system lifts it when the holder dies."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        end = time.monotonic() + wait_s
        while not _try_lock(handle):
            if time.monotonic() > end:
                raise EngineStartError("Another program has been starting the engine for {:.0f} s.".format(wait_s))
            time.sleep(0.01)
        yield
    finally:
        os.close(handle)


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
