"""Limits of what readers accept, so that a damaged or hostile file costs bounded memory and time."""

from __future__ import annotations

import os
from pathlib import Path

from compas_nscd.errors import FileError

#: Largest file [bytes]. A structure of 20,000 blocks takes 10 MB. Larger: parsing, which needs ten times the size, may
#: exhaust the memory. Smaller: large models are refused.
MAX_FILE = 128 << 20
#: Most solids of a file [-]. Larger: detection of contacts may take minutes. Smaller: large models are refused.
MAX_SOLIDS = 100_000
#: Most faces of a file [-], in all solids. Larger: a scan of a million triangles takes gigabytes. Smaller: finely
#: meshed models are refused.
MAX_FACES = 4_000_000
#: Most lists and dicts of a JSON file [-]: each takes 64 bytes and more. Larger: 100 MB of brackets take gigabytes.
#: Smaller: finely meshed models are refused.
MAX_CONTAINERS = 8_000_000
#: Most values of a JSON file [-], by its commas. Larger, smaller: as MAX_CONTAINERS.
MAX_VALUES = 32_000_000
#: Most files of a folder [-]. Larger, smaller: as MAX_SOLIDS.
MAX_FILES = 20_000


def require_size(path: Path, most: int | None = None) -> int:
    """Size of a file [bytes]; at most MAX_FILE, or `most`.

    Raises
    ------
    FileError
        If there is no such file, or it is a directory, empty or too large.
    """
    try:
        if path.is_dir():
            raise FileError("{} is a directory.".format(path), remedy="Give a file.")
        size = os.path.getsize(path)
    except FileNotFoundError:
        raise FileError("There is no file {}.".format(path), remedy="Check the path.")
    except OSError as error:
        raise FileError("{} cannot be read: {}.".format(path, error.strerror or error))
    limit = MAX_FILE if most is None else most
    if size > limit:
        text = "{} has {:.0f} MB; the limit is {} MB."
        remedy = "If this is intended, raise {}.MAX_FILE.".format(__name__) if most is None else None
        raise FileError(text.format(path.name, size / 2**20, limit >> 20), remedy=remedy)
    if size == 0:
        raise FileError("{} is empty.".format(path.name))
    return size


def require_count(found: int, most: int, what: str, filename: str) -> None:
    """Raise a FileError if a file has more than `most` of something."""
    if found > most:
        text = "{} has {} {}; the limit is {}.".format(filename, found, what, most)
        raise FileError(text, remedy="Split the model, or simplify its meshes.")
