"""The folder in which the engine keeps its files, and locks in it."""

import atexit
import contextlib
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
from typing import Any, Callable, Iterator, Optional, Tuple

from compas_nscd.client.time_limit import TimeLimit
from compas_nscd.errors import CancelledError, EngineStartError
from compas_nscd.files.writing import is_full

#: Tries with a file that another program holds [-]. Fewer: virus scanners make starts fail. More: errors come late.
TRIES = 50
#: Size of the file that shows whether there is room [bytes]: more than the files of a new engine take.
PROBE_BYTES = 16384
#: Pause between two tries [s].
AGAIN_S = 0.02

#: Temporary folder of this process, made if the usual one cannot be written.
_fallback: Optional[str] = None


def home() -> Tuple[str, Optional[str]]:
    """Folder of the engine's files, and a note for the user if it is not the usual one.

    Returns
    -------
    folder : str
        ``NSCD_HOME``, else ``~/.nscd``, else a temporary folder.
    note : str or None

    Raises
    ------
    EngineStartError
        If the usual folder belongs to somebody else, who could replace what is read from it; or if there is no place.
    """
    global _fallback
    path = os.environ.get("NSCD_HOME") or os.path.join(os.path.expanduser("~"), ".nscd")
    path = os.path.abspath(path)
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        _require_own(path)
        _probe(path)
        return path, None
    except OSError as error:
        if is_full(error):
            raise cannot_write(path, error)
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


def private_folder(path: str) -> str:
    """Make a folder that its owner alone can enter, or make it so; returns its path.

    Raises
    ------
    EngineStartError
        If it cannot be made, or belongs to somebody else.
    """
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        _require_own(path)
        if os.name != "nt" and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
            os.chmod(path, 0o700)
    except OSError as error:
        raise cannot_write(path, error)
    return path


def _require_own(path: str) -> None:
    """EngineStartError if a folder belongs to somebody else. Folders of a profile of Windows are private."""
    if sys.platform != "win32" and os.stat(path).st_uid != os.geteuid():
        raise EngineStartError(
            "{} belongs to another user, who could change what the engine reads there.".format(path),
            remedy="Set NSCD_HOME to a folder of your own.",
        )


def cannot_write(path: str, error: OSError) -> EngineStartError:
    """The error of a file or folder of the engine that cannot be written."""
    return EngineStartError(
        "{} cannot be written: {}.".format(path, error.strerror or error),
        remedy="Make room on the disk." if is_full(error) else "Set NSCD_HOME to a folder that you can write.",
    )


def private_opener(path: str, flags: int) -> int:
    """Opener for `open`: a new file can be read by its owner alone."""
    return os.open(path, flags, 0o600)


def _probe(folder: str) -> None:
    """OSError if no file can be written there; `tempfile` would try for hours on Windows (CPython issue 66305)."""
    path = os.path.join(folder, "probe-" + secrets.token_hex(8))
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, bytes(PROBE_BYTES))
    finally:
        os.close(handle)
        patiently(os.unlink, path)


def patiently(action: Callable[..., Any], *paths: str, tries: int = TRIES) -> Any:
    """Result of an action on files, repeated while Windows refuses it.

    Windows does so while another program, such as a virus scanner, has a file open.
    """
    for _ in range(tries if os.name == "nt" else 0):
        try:
            return action(*paths)
        except PermissionError:
            time.sleep(AGAIN_S)
    return action(*paths)


@contextlib.contextmanager
def locked(path: str, wait_s: float = 60.0, cancelled: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Hold the lock of a file, e.g. while an engine is started. The system lifts it when the holder dies.

    Parameters
    ----------
    path : str
    wait_s : float
        Longest wait for another holder [s].
    cancelled : callable, optional
        Called while waiting; True ends the wait with CancelledError.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise cannot_write(path, error)
    try:
        limit = TimeLimit(wait_s)
        while not _try_lock(handle):
            if cancelled():
                raise CancelledError("The wait for another program was cancelled.")
            if limit.is_over():
                raise EngineStartError("Another program has been starting the engine for {:.0f} s.".format(wait_s))
            time.sleep(0.01)
        try:
            yield
        finally:
            _unlock(handle)
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


def _unlock(handle: int) -> None:
    """Lift the lock: Windows does so only some time after the file was closed."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
