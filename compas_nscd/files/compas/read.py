"""COMPAS JSON: structures, meshes, assemblies and models, of COMPAS 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compas_nscd.errors import FileError
from compas_nscd.files.compas import assembly, model
from compas_nscd.files.compas.mesh import SHAPES, class_of, envelope, is_shape, shape_of
from compas_nscd.files.contents import Contents, Part

#: A structure by its present and by its former name (version 0.1.0).
STRUCTURES = ("compas_nscd.model/Structure", "compas_nscd.structure/Structure")
#: A block of this project, in a list.
_BLOCKS = ("compas_nscd.blocks/Block", "compas_nscd.block/Block")


def is_compas(tree: Any) -> bool:
    """Whether parsed JSON contains an object of COMPAS, or is a list: not a scene."""
    return not isinstance(tree, dict) or ("blocks" not in tree and _first_type(tree) is not None)


def structure_data(tree: Any) -> dict[str, Any] | None:
    """Data of a structure; None if the JSON is something else."""
    if not isinstance(tree, dict) or tree.get("dtype") not in STRUCTURES:
        return None
    data = tree.get("data")
    return data if isinstance(data, dict) else {}


def read_compas(tree: Any, filename: str) -> Contents:
    """Contents of an object of COMPAS, or of all solids in lists and dicts of them.

    Raises
    ------
    FileError
        If there is no object of a type that this project reads, or its data are incomplete.
    """
    found = envelope(tree)
    if found is not None and class_of(found.dtype) == assembly.CLASS:
        return assembly.read_assembly(found, filename)
    if found is not None and class_of(found.dtype) in model.CLASSES:
        return model.read_model(found, filename)
    parts = [_part(node, filename) for node in _solids(tree)]
    if parts:
        return Contents(parts)
    kind = _first_type(tree)
    if kind is None:
        raise FileError("{} holds neither a structure nor meshes.".format(filename))
    known = (*STRUCTURES[:1], *SHAPES, assembly.CLASS, *model.CLASSES)
    text = "{}: data of type {!r:.80} cannot be read.".format(filename, kind)
    raise FileError(text, remedy="A file may hold {}.".format(", ".join(known)))


def _solids(tree: Any) -> Iterator[dict[str, Any]]:
    """Solids in lists and dicts, in their order; other objects of COMPAS are not searched."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict) and _type(node) is not None:
            if is_shape(_type(node)):
                yield node
        elif isinstance(node, (dict, list)):
            stack.extend(reversed(list(node.values()) if isinstance(node, dict) else node))


def _type(node: dict[str, Any]) -> Any:
    return node.get("dtype", node.get("datatype"))


def _first_type(tree: Any) -> Any:
    """Type of an object of COMPAS in lists and dicts; None without one."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict) and _type(node) is not None:
            return _type(node)
        if isinstance(node, (dict, list)):
            stack.extend(node.values() if isinstance(node, dict) else node)
    return None


def _part(node: dict[str, Any], filename: str) -> Part:
    if _type(node) in _BLOCKS:
        return _block(node.get("data"), filename)
    shape = shape_of(node, filename)
    attributes = shape.attributes
    density, support = attributes.get("density"), attributes.get("is_support")
    return Part(
        shape.name,
        shape.vertices,
        shape.faces,
        support=bool(support) if support is not None else None,
        density=density if isinstance(density, (int, float)) else None,
        guid=node.get("guid"),
    )


def _block(data: Any, filename: str) -> Part:
    """A block of this project."""
    try:
        return Part(
            data["name"], data["vertices"], data["faces"], (), False, bool(data["support"]), data["density"], None,
            data["guid"], data.get("material"),
        )  # fmt: skip
    except (KeyError, TypeError, AttributeError) as error:
        raise FileError("{}: the COMPAS data cannot be read: {!r:.120}.".format(filename, error))


def mesh_lists(mesh: Any) -> tuple:
    """Name, vertices and faces of a COMPAS mesh in memory; a name equal to that of its class counts as none."""
    vertices, faces = mesh.to_vertices_and_faces()
    name = getattr(mesh, "name", None)
    return (None if name == type(mesh).__name__ else name), vertices, faces
