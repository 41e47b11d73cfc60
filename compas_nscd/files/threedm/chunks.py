"""The outermost chunks of a .3dm file: openNURBS searches a damaged one for what is left, which may take minutes."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import BinaryIO

from compas_nscd.errors import FileError

#: First bytes of a file, before eight of its version.
MAGIC = b"3D Geometry File Format "
#: Version from which lengths of chunks have eight bytes; older files are left to the library.
LONG_LENGTHS = 50
#: Head of a chunk: code, and its length, or its value if it is a short one.
_HEAD = struct.Struct("<Iq")
#: Bit of the codes of short chunks, which have no content; code of the last chunk.
_SHORT, _LAST = 0x80000000, 0x7FFF


def require_whole(path: Path) -> None:
    """Raise a FileError if a file does not begin as a .3dm file, or its outermost chunks do not end where it does."""
    try:
        with open(path, "rb") as file:
            ok = _is_whole(file, os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise FileError("{} cannot be read: {}.".format(path, error.strerror or error))
    if not ok:
        raise FileError("{} is not a .3dm file, or is damaged.".format(path.name), remedy="Save it again in Rhino.")


def _is_whole(file: BinaryIO, size: int) -> bool:
    begin = file.read(32)
    version = begin[len(MAGIC) :].strip()
    if not begin.startswith(MAGIC) or not version.isdigit():
        return False
    at = len(begin)
    while int(version) >= LONG_LENGTHS:
        file.seek(at)
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return False
        code, length = _HEAD.unpack(head)
        at += _HEAD.size + (0 if code & _SHORT else length)
        if at > size or (length < 0 and not code & _SHORT):
            return False
        if code == _LAST:
            return at == size
    return True
