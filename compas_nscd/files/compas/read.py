"""COMPAS JSON: structures, meshes, assemblies and models, of COMPAS 1 and 2."""

from __future__ import annotations

from typing import Any

from compas_nscd.errors import FileError
from compas_nscd.files.compas import assembly as compas_assembly
from compas_nscd.files.compas import model as compas_model
from compas_nscd.files.compas.mesh import SHAPES, envelope, shape_of
from compas_nscd.files.contents import Contents, Part

#: A structure by its present and by its former name (version 0.1.0).
STRUCTURES = ("compas_nscd.model/Structure", "compas_nscd.structure/Structure")
#: A block of this project, in a list.
_BLOCKS = ("compas_nscd.blocks/Block", "compas_nscd.block/Block")


def is_compas(tree: Any) -> bool:
    """Whether parsed JSON is an object of COMPAS, or a list, not a scene."""
    return not isinstance(tree, dict) or "dtype" in tree or "datatype" in tree


def structure_data(tree: Any) -> dict[str, Any] | None:
    """Data of a structure; None if the JSON is something else."""
    if not isinstance(tree, dict) or tree.get("dtype") not in STRUCTURES:
        return None
    data = tree.get("data")
    return data if isinstance(data, dict) else {}


def read_compas(tree: Any, filename: str) -> Contents:
    """Contents of an object of COMPAS, or of a list of them.

    Raises
    ------
    FileError
        If a type is not one of those that this project reads, or the data are incomplete.
    """
    found = envelope(tree)
    if found is not None and found.dtype in compas_assembly.TYPES:
        return compas_assembly.read_assembly(found, filename)
    if found is not None and found.dtype in compas_model.TYPES:
        return compas_model.read_model(found, filename)
    nodes = tree if isinstance(tree, list) else [tree]
    if not nodes:
        raise FileError("{} holds neither a structure nor meshes.".format(filename))
    return Contents([_part(node, filename) for node in nodes])


def _part(node: Any, filename: str) -> Part:
    kind = _kind(node)
    if kind is None:
        raise FileError("{} holds neither a structure nor meshes.".format(filename))
    if kind not in SHAPES + _BLOCKS:
        known = (*STRUCTURES[:1], *SHAPES, *compas_assembly.TYPES, *compas_model.TYPES[:2])
        text = "{}: data of type {!r:.80} cannot be read.".format(filename, kind)
        raise FileError(text, remedy="A file may hold {}.".format(", ".join(known)))
    if kind in _BLOCKS:
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


def _kind(node: Any) -> Any:
    """Type of the first object of COMPAS in a node; None without one."""
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, dict):
            if "dtype" in top or "datatype" in top:
                return top.get("dtype", top.get("datatype"))
            stack.extend(top.values())
        elif isinstance(top, list):
            stack.extend(top)
    return None


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
