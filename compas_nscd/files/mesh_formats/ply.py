"""Polygon files (.ply), ascii and binary: one solid a file, or one for each connected piece."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import FileError
from compas_nscd.files.contents import Contents, Part
from compas_nscd.files.limits import MAX_FACES, require_count, require_size
from compas_nscd.files.mesh_formats.pieces import own_vertices, pieces

#: Longest header [bytes]. Larger: binary files without an end of the header are searched. Smaller: comments are cut.
MAX_HEADER = 65536
#: Types of numbers, by both names that they have.
_TYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4",
          "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
          "float32": "f4", "float64": "f8"}  # fmt: skip
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
#: Names of the list of corners of a face.
_CORNERS = ("vertex_indices", "vertex_index")


class Element(NamedTuple):
    """Part of the header: a table of the file."""

    name: str
    rows: int
    properties: list[tuple[str, str, str]]  # name, type, type of the count of a list or ""


def read_ply(path: Path) -> Contents:
    """Solids of a .ply file.

    Raises
    ------
    FileError
        If the file is damaged or has no faces.
    """
    require_size(path)
    content = path.read_bytes()
    order, elements, begin = _header(content, path.name)
    try:
        body: Any = _Ascii(content[begin:]) if order == "" else _Binary(content, begin, order)
        tables = {element.name: body.table(element) for element in elements}
        points = np.stack([np.array(tables["vertex"][axis], float) for axis in "xyz"], axis=1)
        corners = next(tables["face"][name] for name in _CORNERS if name in tables["face"])
        faces = [list(map(int, face)) for face in corners]
    except (KeyError, StopIteration, ValueError, TypeError, IndexError, OverflowError) as error:
        raise FileError("{} cannot be read: {!r:.80}.".format(path.name, error), remedy="Export it again.")
    faces = [face for face in faces if len(face) > 2]
    if not faces:
        raise FileError("{} has no faces.".format(path.name), remedy="Export a mesh, not points.")
    if not all(0 <= i < len(points) for face in faces for i in face):
        raise FileError("{}: a face refers to a vertex that does not exist.".format(path.name))
    return Contents(parts_of(path.stem, points, faces))


def parts_of(name: str, points: np.ndarray, faces: list[list[int]]) -> list[Part]:
    """One solid for each connected piece of a mesh; numbered if there are several."""
    groups = pieces(faces, len(points))
    names = [name] if len(groups) == 1 else ["{}/{}".format(name, k) for k in range(len(groups))]
    return [Part(each, *own_vertices(points, group)) for each, group in zip(names, groups)]


def _header(content: bytes, filename: str) -> tuple[str, list[Element], int]:
    """Byte order ("" for text), tables, and where the first begins."""
    end = content.find(b"end_header", 0, MAX_HEADER)
    line = content.find(b"\n", end)
    if not content.startswith(b"ply") or end < 0 or line < 0:
        raise FileError("{} is not a .ply file, or is cut off.".format(filename), remedy="Export it again.")
    order, elements = None, []
    for text in content[:end].decode("ascii", "replace").splitlines():
        words = text.split()
        try:
            if words[:1] == ["format"]:
                order = _ORDERS[words[1]]
            elif words[:1] == ["element"]:
                elements.append(Element(words[1], int(words[2]), []))
                require_count(elements[-1].rows, 3 * MAX_FACES, "rows of " + words[1], filename)
            elif words[:2] == ["property", "list"]:
                elements[-1].properties.append((words[4], _TYPES[words[3]], _TYPES[words[2]]))
            elif words[:1] == ["property"]:
                elements[-1].properties.append((words[2], _TYPES[words[1]], ""))
        except (KeyError, IndexError, ValueError):
            raise FileError("{}: the line {!r:.60} of the header cannot be read.".format(filename, text))
    if order is None or any(element.rows < 0 for element in elements):
        raise FileError("{}: the header does not say the format.".format(filename))
    return order, elements, line + 1


class _Ascii:
    """Tables of a text file."""

    def __init__(self, content: bytes) -> None:
        self.rows = iter(content.decode("ascii").splitlines())

    def table(self, element: Element) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {name: [] for name, _, _ in element.properties}
        for _ in range(element.rows):
            words = next(self.rows, "").split()
            for name, _, counted in element.properties:
                taken = int(words[0]) + 1 if counted else 1
                values = [float(word) for word in words[:taken]]
                if len(values) < taken:
                    raise ValueError("it is cut off")
                found[name].append(values[1:] if counted else values[0])
                words = words[taken:]
        return found


class _Binary:
    """Tables of a binary file."""

    def __init__(self, content: bytes, begin: int, order: str) -> None:
        self.content, self.at, self.order = content, begin, order

    def table(self, element: Element) -> dict[str, Any]:
        if not any(counted for _, _, counted in element.properties):
            kind = np.dtype([(name, self.order + number) for name, number, _ in element.properties])
            rows = np.frombuffer(self.content, kind, element.rows, self.at)
            self.at += kind.itemsize * element.rows
            return {name: rows[name] for name, _, _ in element.properties}
        uniform = self._uniform(element)
        return self._row_by_row(element) if uniform is None else uniform

    def _uniform(self, element: Element) -> dict[str, Any] | None:
        """The table if all its lists are as long as those of the first row; else None. Many times faster."""
        at = self.at
        fields: list[Any] = []
        for name, number, counted in element.properties:
            if counted:
                length = int(np.frombuffer(self.content, self.order + counted, 1, at)[0])
                fields.append(("count " + name, self.order + counted))
                fields.append((name, self.order + number, (length,)))
            else:
                fields.append((name, self.order + number))
            at = self.at + np.dtype(fields).itemsize
        kind = np.dtype(fields)
        if self.at + kind.itemsize * element.rows > len(self.content):
            return None
        rows = np.frombuffer(self.content, kind, element.rows, self.at)
        lists = [(name, kind[name].shape[0]) for name, _, counted in element.properties if counted]
        if any((rows["count " + name] != length).any() for name, length in lists):
            return None
        self.at += kind.itemsize * element.rows
        return {name: rows[name].tolist() for name, _, _ in element.properties}

    def _row_by_row(self, element: Element) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {name: [] for name, _, _ in element.properties}
        for _ in range(element.rows):
            for name, number, counted in element.properties:
                count = int(self._take(counted, 1)[0]) if counted else 1
                values = self._take(number, count).tolist()
                found[name].append(values if counted else values[0])
        return found

    def _take(self, number: str, count: int) -> np.ndarray:
        values = np.frombuffer(self.content, self.order + number, count, self.at)
        self.at += values.nbytes
        return values
