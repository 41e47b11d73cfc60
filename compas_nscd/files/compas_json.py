"""COMPAS JSON: meshes, blocks and structures."""

import compas
from compas.data.exceptions import DecoderError

from compas_nscd.errors import FileError

#: Types that may stand in a COMPAS file. COMPAS itself would import whatever module the file names.
_TYPES = (
    "compas.datastructures/Mesh",
    "compas_nscd.model/Structure",
    "compas_nscd.structure/Structure",
    "compas_nscd.blocks/Block",
    "compas_nscd.block/Block",
)


def decode(tree, text, filename):
    """What COMPAS data in a file stands for, if it is of a type known here."""
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


def lists_of_meshes(content, filename):
    content = content if isinstance(content, list) else [content]
    if not content or not all(hasattr(item, "to_vertices_and_faces") for item in content):
        raise FileError("{} holds neither a structure nor meshes.".format(filename))
    return [mesh_lists(mesh) for mesh in content]


def mesh_lists(mesh):
    """Name, vertices and faces of a COMPAS mesh; the name of its class is not a name."""
    vertices, faces = mesh.to_vertices_and_faces()
    name = getattr(mesh, "name", None)
    return (None if name == type(mesh).__name__ else name), vertices, faces
