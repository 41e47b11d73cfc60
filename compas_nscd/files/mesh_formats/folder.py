"""A folder of meshes is one structure: one file, one or more blocks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Callable

from compas_nscd.errors import FileError
from compas_nscd.files.contents import Contents, Part
from compas_nscd.files.limits import MAX_FACES, MAX_FILES, require_count

#: Reader of a file.
Reader = Callable[[Path], Contents]


def read_folder(path: Path, readers: dict[str, Reader]) -> Contents:
    """Solids of all files of a folder that `readers` (by suffix) can read, in the order of the numbers in their names.

    Raises
    ------
    FileError
        If there is none, or too many.
    """
    files = sorted((file for file in path.iterdir() if file.suffix.lower() in readers), key=_order)
    if not files:
        kinds = ", ".join(sorted(readers))
        raise FileError("{} is a directory without meshes.".format(path), remedy="It may hold {}.".format(kinds))
    require_count(len(files), MAX_FILES, "files", path.name)
    parts: list[Part] = []
    faces = 0
    for file in files:
        found = readers[file.suffix.lower()](file).parts
        faces += sum(len(part.faces) for part in found)
        require_count(faces, MAX_FACES, "faces", path.name)
        parts += [part._replace(name=part.name or file.stem) for part in found] if len(found) == 1 else found
    return Contents(parts)


def _order(path: Path) -> list:
    """Key that puts stone_2 before stone_10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.name.lower())]
