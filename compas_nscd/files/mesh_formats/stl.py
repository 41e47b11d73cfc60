"""Stereolithography files (.stl), ascii and binary: one solid for each `solid`, or for each connected piece."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from compas_nscd.errors import FileError
from compas_nscd.files.contents import Contents, Part
from compas_nscd.files.limits import MAX_FACES, require_count, require_size
from compas_nscd.files.mesh_formats.pieces import welded
from compas_nscd.files.mesh_formats.ply import parts_of

#: One triangle of a binary file: normal, three corners, two bytes.
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corner", "<f4", (3, 3)), ("more", "<u2")])
#: Bytes before the number of triangles.
_HEADER = 80
_VERTEX = re.compile(r"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)")


def read_stl(path: Path) -> Contents:
    """Solids of an .stl file.

    Raises
    ------
    FileError
        If the file is damaged or has no triangles.
    """
    require_size(path)
    content = path.read_bytes()
    count = int.from_bytes(content[_HEADER : _HEADER + 4], "little")
    if len(content) == _HEADER + 4 + _TRIANGLE.itemsize * count:
        require_count(count, MAX_FACES, "triangles", path.name)
        return Contents(_parts(path.stem, _binary(content, count), path.name))
    if not content.lstrip().startswith(b"solid"):
        raise FileError("{} is not an .stl file, or is cut off.".format(path.name), remedy="Export it again.")
    require_count(content.count(b"facet normal"), MAX_FACES, "triangles", path.name)
    parts: list[Part] = []
    for name, text in _solids(content.decode("utf-8", "replace"), path):
        parts += _parts(name, _ascii(text, path.name), path.name)
    return Contents(parts)


def _binary(content: bytes, count: int) -> np.ndarray:
    rows = np.frombuffer(content, _TRIANGLE, count, _HEADER + 4)
    return rows["corner"].astype(float).reshape(-1, 3)


def _solids(text: str, path: Path) -> list[tuple[str, str]]:
    """Name and text of every solid."""
    if "endsolid" not in text:
        raise FileError("{} is cut off: there is no endsolid.".format(path.name), remedy="Export it again.")
    found = []
    for part in re.split(r"^\s*endsolid\b.*$", text, flags=re.MULTILINE):
        first, _, rest = part.strip().partition("\n")
        if first.startswith("solid"):
            found.append((first[5:].strip() or path.stem, rest))
    return found


def _ascii(text: str, filename: str) -> np.ndarray:
    try:
        corners = np.array([list(map(float, row)) for row in _VERTEX.findall(text)]).reshape(-1, 3)
    except ValueError as error:
        raise FileError("{}: a corner cannot be read: {}.".format(filename, error))
    if len(corners) % 3 or text.count("facet normal") * 3 != len(corners):
        raise FileError("{} has {} corners, which are not whole triangles.".format(filename, len(corners)))
    return corners


def _parts(name: str, corners: np.ndarray, filename: str) -> list[Part]:
    if not len(corners):
        raise FileError("{} has no triangles.".format(filename), remedy="Export a mesh.")
    if not np.isfinite(corners).all():
        raise FileError("{} has coordinates that are not finite.".format(filename), remedy="Export it again.")
    points, index = welded(corners)
    faces = [face for face in index.reshape(-1, 3).tolist() if len(set(face)) == 3]
    if not faces:
        raise FileError("{} has triangles without area only.".format(filename), remedy="Export it again.")
    return parts_of(name, points, faces)
