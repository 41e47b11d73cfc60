"""Wavefront OBJ: one block per object or group."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from compas_nscd.errors import FileError
from compas_nscd.files.contents import Contents, Part
from compas_nscd.files.limits import MAX_FACES, require_count
from compas_nscd.files.mesh_formats.ply import parts_of
from compas_nscd.files.text import read_text

Point = tuple[float, float, float]


def read_obj(path: Path) -> Contents:
    """Solids of an .obj file."""
    found = parse_obj(read_text(path), path.name)
    if len(found) > 1:
        return Contents([Part(*each) for each in found])
    name, points, faces = found[0]  # exported as one object: its separate pieces are the blocks
    return Contents(parts_of(name or path.stem, np.array(points, float).reshape(-1, 3), faces))


def parse_obj(text: str, filename: str) -> list[tuple]:
    """Objects of an OBJ file as (name, vertices, faces); groups count as objects if there are no others.

    Raises
    ------
    FileError
        Naming the line that cannot be read, or if there are no faces.
    """
    points: list[Point] = []
    objects: list[tuple[str | None, list[list[int]]]] = []
    groups: dict[str, list[list[int]]] = {}  # a group may be continued further down
    current: list[list[int]] | None = None
    require_count(text.count("\nf "), MAX_FACES, "faces", filename)  # before they are parsed: a face takes 100 bytes
    lines = text.splitlines()
    mark = "o" if any(line.startswith("o ") for line in lines) else "g"
    for row, line in enumerate(lines, 1):
        word, _, rest = line.strip().partition(" ")
        try:
            if word == "v":
                x, y, z = map(float, rest.split()[:3])
                points.append((x, y, z))
            elif word == mark:
                name = rest.strip() or None
                faces = groups.setdefault(name, []) if mark == "g" and name else []
                if not faces:
                    objects.append((name, faces))
                current = faces
            elif word == "f":
                if current is None:
                    current = []
                    objects.append((None, current))
                current.append(_obj_face(rest.split(), len(points)))
        except ValueError as error:
            raise FileError("{}, line {}: {!r:.60} cannot be read: {}.".format(filename, row, line, error))
    objects = [(name, faces) for name, faces in objects if faces]
    if not objects:
        raise FileError("{} has no faces.".format(filename), remedy="Export meshes, one object per block.")
    return [_own_vertices(name, points, faces) for name, faces in objects]


def _obj_face(corners: list[str], count: int) -> list[int]:
    """Indices of a face among the vertices so far."""
    if len(corners) < 3:
        raise ValueError("a face has three corners or more")
    return [_obj_index(corner, count) for corner in corners]


def _obj_index(corner: str, count: int) -> int:
    """Index from 0 of a corner like 3, 3/1/2 or -1 (counted back from the last vertex so far)."""
    index = int(corner.split("/")[0])
    index = index - 1 if index > 0 else count + index if index < 0 else -1
    if not 0 <= index < count:
        raise ValueError("there is no vertex {}".format(corner))
    return index


def _own_vertices(name: str | None, points: list[Point], faces: list[list[int]]) -> tuple:
    """One object with its own list of vertices."""
    used = sorted({i for face in faces for i in face})
    number = {old: new for new, old in enumerate(used)}
    return name, [points[i] for i in used], [[number[i] for i in face] for face in faces]
