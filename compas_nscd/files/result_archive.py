"""Files of results: compressed .npz without pickles, or COMPAS JSON for small ones.

An .npz contains the arrays of the reply under their names, the unrepaired blocks in flat arrays, and `header`: UTF-8
JSON with everything else. Numbers are read back bit for bit.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import compas
import numpy as np

from compas_nscd.errors import FileError, NscdError
from compas_nscd.files.npz import read_npz
from compas_nscd.files.text import parse_json, read_text
from compas_nscd.files.writing import cannot_write
from compas_nscd.geometry.polyhedra import flatten

#: Version of the layout of the .npz.
VERSION = 1

_BLOCKS = ("vertices", "vertex_start", "face_vertices", "face_start", "block_face_start")


def save(result: Any, path: str | Path) -> None:
    """Write a result.

    Parameters
    ----------
    result : Result
    path : str or Path
        .npz or .json
    """
    path = Path(path)
    try:
        if suffix_of(path) == ".json":
            compas.json_dump(result, str(path))
            return
        with open(path, "wb") as file:
            np.savez_compressed(file, **_arrays(result))  # type: ignore[arg-type]
    except OSError as error:
        raise cannot_write(path, error)


def load(cls: Any, path: str | Path) -> Any:
    """Read a result of class `cls` that `save` wrote.

    Raises
    ------
    FileError
        If the file does not exist, is damaged, or contains a result of another class.
    """
    path = Path(path)
    try:
        data = _from_json(cls, path) if suffix_of(path) == ".json" else _from_npz(cls, path)
        return cls.__from_data__(data)
    except FileNotFoundError:
        raise FileError("There is no file {}.".format(path), remedy="Check the path.")
    except OSError as error:
        raise FileError("{} cannot be read: {}.".format(path, error.strerror or error))
    except NscdError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise FileError("{} is not a result that was saved here: {!r:.120}.".format(path.name, error))


def suffix_of(path: Path) -> str:
    """Suffix of the file of a result, .npz or .json; a FileError otherwise."""
    suffix = path.suffix.lower()
    if suffix not in (".npz", ".json"):
        raise FileError("{}: results are saved as .npz or .json.".format(path.name))
    return suffix


def _is_kind(kind: Any, cls: type) -> bool:
    """Whether a type in a file names this class; in version 0.1.0 its module had another name."""
    module, _, name = str(kind).partition("/")
    return module.startswith("compas_nscd.") and name == cls.__name__


def _arrays(result: Any) -> dict[str, np.ndarray]:
    data = result.__data__
    blocks = result.structure.blocks
    flat = flatten([block.vertices for block in blocks], [block.faces for block in blocks])
    arrays = {"block_" + key: getattr(flat, key) for key in _BLOCKS}
    names = result.arrays
    arrays.update(("reply_" + key, getattr(result, key)) for key in names)
    data["reply"] = {key: value for key, value in data["reply"].items() if key not in names}
    data["structure"]["blocks"] = [
        {key: value for key, value in block.items() if key not in ("vertices", "faces")}
        for block in data["structure"]["blocks"]
    ]
    header = json.dumps({"kind": result.__dtype__, "version": VERSION, "data": data})
    return dict(arrays, header=np.frombuffer(header.encode("utf-8"), np.uint8))


def _from_json(cls: type, path: Path) -> dict[str, Any]:
    tree = parse_json(read_text(path, starts=("{",)), path.name)
    if not _is_kind(tree.get("dtype"), cls):
        raise FileError("{} holds {!r:.60}, not a {}.".format(path.name, tree.get("dtype"), cls.__name__))
    return tree["data"]


def _from_npz(cls: type, path: Path) -> dict[str, Any]:
    arrays = read_npz(path)
    header = parse_json(arrays["header"].tobytes().decode("utf-8"), path.name)
    if not _is_kind(header["kind"], cls) or header["version"] != VERSION:
        text = "{} holds {!r:.60} of version {}, not a {} of version {}."
        raise FileError(text.format(path.name, header["kind"], header["version"], cls.__name__, VERSION))
    data = header["data"]
    data["reply"].update((key[6:], value) for key, value in arrays.items() if key.startswith("reply_"))
    blocks, shapes = data["structure"]["blocks"], list(zip(*_unflatten(arrays)))
    if len(blocks) != len(shapes):
        raise ValueError("{} blocks with {} shapes".format(len(blocks), len(shapes)))
    for block, (vertices, faces) in zip(blocks, shapes):
        block["vertices"], block["faces"] = vertices, faces
    return data


def _require_rising(start: np.ndarray, end: int) -> None:
    """ValueError if offsets do not rise from 0 to `end`."""
    ok = start.ndim == 1 and start.dtype.kind in "iu" and len(start) > 1 and start[0] == 0 and start[-1] == end
    if not ok or (start[1:] < start[:-1]).any():
        raise ValueError("offsets that do not rise from 0 to {}".format(end))


def _unflatten(arrays: dict[str, np.ndarray]) -> tuple[list[np.ndarray], list[list[list[int]]]]:
    """Vertices and faces of every block."""
    vertices, vertex_start, corners, face_start, block_start = (arrays["block_" + key] for key in _BLOCKS)
    _require_rising(vertex_start, len(vertices))
    _require_rising(face_start, len(corners))
    _require_rising(block_start, len(face_start) - 1)
    block = np.repeat(np.arange(len(block_start) - 1), np.diff(face_start[block_start]))
    if len(vertex_start) != len(block_start) or vertices.ndim != 2 or corners.dtype.kind not in "iu":
        raise ValueError("the arrays of the blocks do not fit together")
    if ((corners < vertex_start[block]) | (corners >= vertex_start[block + 1])).any():
        raise ValueError("a face refers to a vertex that is not one of its block")
    first = vertex_start[:-1].tolist()
    xyz = np.split(vertices, vertex_start[1:-1])
    faces = [face.tolist() for face in np.split(corners, face_start[1:-1])]
    per_block = [faces[a:b] for a, b in zip(block_start[:-1].tolist(), block_start[1:].tolist())]
    return xyz, [[[i - k for i in face] for face in own] for own, k in zip(per_block, first)]
