"""Errors of files that cannot be written, with what to do about them."""

from __future__ import annotations

import errno
from os import PathLike

from compas_nscd.errors import FileError

#: Errors of the system for a disk that is full, or a quota that is used up.
FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


def is_full(error: OSError) -> bool:
    """Whether an error of the system says that there is no room on the disk."""
    return error.errno in FULL


def cannot_write(path: str | PathLike[str], error: OSError) -> FileError:
    """The error of a file that cannot be written."""
    remedy = "Make room on the disk." if is_full(error) else "Give another name, in a folder that you can write."
    return FileError("{} cannot be written: {}.".format(path, error.strerror or error), remedy=remedy)
