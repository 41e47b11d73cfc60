"""Meshes as .obj and .ply files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.files.writing import cannot_write


def write_obj(path: str | Path, names: Sequence[str], shapes: Iterable[tuple[Any, Sequence[Sequence[int]]]]) -> None:
    """Write solids, one object each.

    Parameters
    ----------
    path : str or Path
    names : list of str
    shapes : iterable of (vertices, faces)
        [m]
    """
    rows, first = ["# metres"], 1
    for name, (vertices, faces) in zip(names, shapes):
        rows.append("o {}".format(name))
        rows += ["v {!r} {!r} {!r}".format(*map(float, vertex)) for vertex in vertices]
        rows += ["f {}".format(" ".join(str(first + i) for i in face)) for face in faces]
        first += len(vertices)
    _write(path, "\n".join(rows) + "\n")


def write_ply(path: str | Path, shapes: Iterable[tuple[Any, Sequence[Sequence[int]]]]) -> None:
    """Write solids as one mesh of separate pieces, in text, with double precision [m]."""
    points: list[np.ndarray] = []
    corners: list[list[int]] = []
    first = 0
    for vertices, faces in shapes:
        points.append(np.asarray(vertices, float).reshape(-1, 3))
        corners += [[first + i for i in face] for face in faces]
        first += len(points[-1])
    head = ["ply", "format ascii 1.0", "comment metres", "element vertex {}".format(first)]
    head += ["property double {}".format(axis) for axis in "xyz"]
    head += ["element face {}".format(len(corners)), "property list int int vertex_indices", "end_header"]
    rows = ["{!r} {!r} {!r}".format(*vertex) for vertex in np.concatenate(points).tolist()] if points else []
    rows += ["{} {}".format(len(face), " ".join(map(str, face))) for face in corners]
    _write(path, "\n".join(head + rows) + "\n")


def _write(path: str | Path, text: str) -> None:
    try:
        Path(path).write_bytes(text.encode("utf-8"))
    except OSError as error:
        raise cannot_write(path, error)
