"""COMPAS JSON: meshes, blocks and structures."""

from __future__ import annotations

from typing import Any

import compas
from compas.data.exceptions import DecoderError

from compas_nscd.errors import FileError

#: A structure by its present and by its former name (version 0.1.0).
_STRUCTURES = ("compas_nscd.model/Structure", "compas_nscd.structure/Structure")
#: Types that a file may contain. COMPAS imports any module that a file names; others are refused for safety.
_TYPES = ("compas.datastructures/Mesh", *_STRUCTURES, "compas_nscd.blocks/Block", "compas_nscd.block/Block")


def decode(tree: Any, text: str, filename: str) -> Any:
    """Decode COMPAS data whose types are all known.

    Parameters
    ----------
    tree : dict or list
        The parsed JSON.
    text : str
        The JSON itself.
    filename : str
        For errors.

    Raises
    ------
    FileError
        If a type is not in the list of types above, or the data cannot be decoded.
    """
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            kind = node.get("dtype", _TYPES[0])
            if kind not in _TYPES and not str(kind).startswith("compas.geometry/"):
                remedy = "A file may hold " + ", ".join(_TYPES) + "."
                raise FileError("{}: data of type {!r:.80} cannot be read.".format(filename, kind), remedy=remedy)
        stack.extend(node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
    try:
        return compas.json_loads(text)
    except (DecoderError, KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise FileError("{}: the COMPAS data cannot be read: {!r:.120}.".format(filename, error))


def is_structure(tree: Any) -> bool:
    """Whether parsed COMPAS JSON is a structure."""
    return isinstance(tree, dict) and tree.get("dtype") in _STRUCTURES


def lists_of_meshes(content: Any, filename: str) -> list[tuple]:
    """Name, vertices and faces of every mesh of decoded data.

    Raises
    ------
    FileError
        If there are no meshes.
    """
    content = content if isinstance(content, list) else [content]
    if not content or not all(hasattr(item, "to_vertices_and_faces") for item in content):
        raise FileError("{} holds neither a structure nor meshes.".format(filename))
    return [mesh_lists(mesh) for mesh in content]


def mesh_lists(mesh: Any) -> tuple:
    """Name, vertices and faces of a COMPAS mesh; a name equal to that of its class counts as none."""
    vertices, faces = mesh.to_vertices_and_faces()
    name = getattr(mesh, "name", None)
    return (None if name == type(mesh).__name__ else name), vertices, faces
