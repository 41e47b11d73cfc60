"""Meshes and solids in COMPAS JSON, of COMPAS 1 and 2, rebuilt from their numbers.

Nothing is imported because a file names it: an object of COMPAS is a dict with `dtype`, which is compared with the
types below, and its data, under `data` (COMPAS 2) or `value` (COMPAS 1).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import FileError

#: Types of solids, without the module, which differs between versions. Blocks of compas_assembly are meshes.
SHAPES = ("Mesh", "Block", "Polyhedron", "Box")
#: Names that COMPAS gives to objects without one.
_NO_NAMES = (None, "", "Mesh", "Block", "Polyhedron", "Box")


class Envelope(NamedTuple):
    """An object of COMPAS in JSON."""

    dtype: str
    data: dict[str, Any]
    guid: str | None


class Shape(NamedTuple):
    """A solid and its attributes."""

    name: str | None
    vertices: list[list[float]]  # (n, 3)
    faces: list[list[int]]
    attributes: dict[str, Any]


def envelope(node: Any) -> Envelope | None:
    """Type and data of an object of COMPAS; None if the node is none."""
    if not isinstance(node, dict):
        return None
    kind = node.get("dtype", node.get("datatype"))
    data = node.get("data", node.get("value"))
    if not isinstance(kind, str) or not isinstance(data, dict):
        return None
    if isinstance(data.get("value"), dict) and "vertex" not in data:  # COMPAS 1 nests the data of some objects
        data = data["value"]
    guid = node.get("guid")
    return Envelope(kind, data, guid if isinstance(guid, str) else None)


def class_of(dtype: Any) -> str:
    """Name of the class of a type of COMPAS or a package built on it; empty for any other."""
    text = str(dtype)
    return text.rpartition("/")[2] if text.startswith("compas") and "/" in text else ""


def is_shape(dtype: Any) -> bool:
    """Whether a type is one of the solids that are read."""
    return class_of(dtype) in SHAPES


def shape_of(node: Any, where: str) -> Shape:
    """The solid of a mesh, a polyhedron or a box.

    Raises
    ------
    FileError
        If the node is none of these, or its data are incomplete.
    """
    found = envelope(node)
    if found is None or not is_shape(found.dtype):
        kind = found.dtype if found else type(node).__name__
        raise FileError("{}: geometry of type {!r:.80} cannot be read.".format(where, kind))
    try:
        read = {"Polyhedron": _polyhedron, "Box": _box}.get(class_of(found.dtype), _mesh)
        return read(found.data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise FileError("{}: the COMPAS data cannot be read: {!r:.120}.".format(where, error))


def own_name(name: Any) -> str | None:
    """A name that was given; None for the name of a class."""
    return None if name in _NO_NAMES else str(name)


def _mesh(data: dict[str, Any]) -> Shape:
    usual = data.get("default_vertex_attributes") or data.get("dva") or {}
    index: dict[str, int] = {}
    vertices: list[list[float]] = []
    for key, attributes in data["vertex"].items():
        index[str(key)] = len(vertices)
        vertices.append([float(attributes.get(axis, usual.get(axis, 0.0))) for axis in "xyz"])
    faces = [[index[str(key)] for key in face] for face in data["face"].values() if face]
    attributes = data.get("attributes") or {}
    return Shape(own_name(attributes.get("name", data.get("name"))), vertices, faces, attributes)


def _polyhedron(data: dict[str, Any]) -> Shape:
    vertices = [[float(c) for c in _numbers(point)] for point in data["vertices"]]
    return Shape(own_name(data.get("name")), vertices, [list(map(int, face)) for face in data["faces"]], {})


def _box(data: dict[str, Any]) -> Shape:
    frame = data["frame"]
    frame = frame.get("data", frame.get("value", frame))
    origin, x, y = (np.array(_numbers(frame[key]), float) for key in ("point", "xaxis", "yaxis"))
    x /= np.linalg.norm(x)
    z = np.cross(x, y)
    z /= np.linalg.norm(z)
    half = 0.5 * np.array([float(data[key]) for key in ("xsize", "ysize", "zsize")])
    corners = np.array([(i, j, k) for k in (-1, 1) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    vertices = origin + (corners * half) @ np.array([x, np.cross(z, x), z])
    faces = [[3, 2, 1, 0], [4, 5, 6, 7], *([k, (k + 1) % 4, 4 + (k + 1) % 4, 4 + k] for k in range(4))]
    return Shape(own_name(data.get("name")), vertices.tolist(), faces, {})


def _numbers(point: Any) -> Any:
    """Coordinates of a point, written as such or as an object of COMPAS."""
    return point.get("data", point.get("value")) if isinstance(point, dict) else point


def matrix_of(node: Any) -> np.ndarray | None:
    """Matrix (4, 4) of a transformation or frame; None without one.

    Raises
    ------
    FileError
        If it is neither.
    """
    if node is None:
        return None
    data = node.get("data", node.get("value")) if isinstance(node, dict) else None
    try:
        if isinstance(data, dict) and "matrix" in data:
            matrix = np.array(data["matrix"], float).reshape(4, 4)
            if np.isfinite(matrix).all():
                return matrix
    except (TypeError, ValueError):
        pass
    raise FileError("A transformation cannot be read: {!r:.80}.".format(node))
