"""Folders in which the engine keeps its files: private to the user."""

from __future__ import annotations

import errno
import os
import stat
import sys

#: Errors of a disk that is full, or of a quota that is used up.
FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


def folder(name: str) -> str:
    """Path of a folder in NSCD_HOME, or else in ~/.nscd; it is not made."""
    return os.path.join(os.environ.get("NSCD_HOME") or os.path.join(os.path.expanduser("~"), ".nscd"), name)


def make_private(path: str) -> None:
    """Make a folder that its owner alone can enter, or make it so.

    Raises
    ------
    OSError
        If it cannot be made, or belongs to somebody else: who may write there could replace what is read from it.
    """
    for each in (os.path.dirname(path), path):
        os.makedirs(each, mode=0o700, exist_ok=True)
    if sys.platform == "win32":
        return  # folders of a user's profile are private there
    status = os.stat(path)
    if status.st_uid != os.geteuid():
        raise OSError(errno.EPERM, "it belongs to another user", path)
    if stat.S_IMODE(status.st_mode) & 0o077:
        os.chmod(path, 0o700)


def private_opener(path: str, flags: int) -> int:
    """Opener for `open`: a new file can be read by its owner alone."""
    return os.open(path, flags, 0o600)


def remedy(error: OSError) -> str:
    """What to do about an error of the system."""
    full = error.errno in FULL
    return "Make room on the disk." if full else "Set NSCD_HOME to a folder that you can write."
