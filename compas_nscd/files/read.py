"""Files and foreign models into structures: scenes, COMPAS JSON, OBJ, .3dm, meshes, block models of compas_dem.

Lengths are scaled to metres here and nowhere else; densities are kg/m3 and forces N whatever the unit of length.
"""

import json
import os
from pathlib import Path

import compas
import numpy as np
from compas.data.exceptions import DecoderError

from compas_nscd.blocks.block import Block
from compas_nscd.errors import FileError, InputError, MaterialError, SupportError
from compas_nscd.files import scene_file
from compas_nscd.geometry.checks import PLANARITY

#: Largest file [bytes]. A structure of 20,000 blocks takes 10 MB; text blows up tenfold when it is parsed.
MAX_FILE = 128 << 20

#: Types that may stand in a COMPAS file. COMPAS itself would import whatever module the file names.
_TYPES = (
    "compas.datastructures/Mesh",
    "compas_nscd.model/Structure",
    "compas_nscd.structure/Structure",
    "compas_nscd.blocks/Block",
    "compas_nscd.block/Block",
)


def read(cls, path, supports, density, law, units, planarity):
    """Read any file; see `Structure.from_file`."""
    path = Path(path)
    limit = PLANARITY if planarity is None else planarity
    suffix = path.suffix.lower()
    given = {"supports": supports, "density": density, "law": law}
    if suffix == ".3dm":
        from compas_nscd.files.threedm.read import read as threedm_read

        return threedm_read(cls, path, supports, density, law, units, limit)
    if suffix not in (".json", ".obj"):
        raise FileError("{}: unknown kind of file {!r}.".format(path.name, suffix), remedy="Use .json, .obj or .3dm.")
    text = read_text(path, starts=("{", "[") if suffix == ".json" else None)
    if suffix == ".obj":
        meshes = parse_obj(text, path.name)
        return _from_lists(cls, meshes, given, units, path, limit)
    tree = parse_json(text, path.name)
    if isinstance(tree, dict) and "dtype" not in tree:
        _refuse(path, given, units)
        return scene_file.to_structure(cls, tree, path.stem, limit)
    content = decode(tree, text, path.name)
    if isinstance(content, cls):
        _refuse(path, given, units)
        if planarity is not None:
            content.planarity = planarity
        return content
    return _from_lists(cls, _mesh_lists(content, path.name), given, units, path, limit)


def read_text(path, starts=None):
    """The text of a file, after looking at its beginning: noise is not read to the end."""
    try:
        if path.is_dir():
            raise FileError("{} is a directory.".format(path), remedy="Give a file.")
        size = os.path.getsize(path)
        if size > MAX_FILE:
            text = "{} has {:.0f} MB; the limit is {} MB."
            remedy = "If it is meant, raise compas_nscd.readers.MAX_FILE."
            raise FileError(text.format(path.name, size / 2**20, MAX_FILE >> 20), remedy=remedy)
        with open(path, "rb") as file:
            begin = file.read(4096)
            if not begin.strip():
                raise FileError("{} is empty.".format(path.name))
            if b"\0" in begin:
                raise FileError("{} is not a text file.".format(path.name), remedy="Export it again.")
            first = begin.decode("utf-8-sig", "replace").lstrip()[:1]
            if starts and first not in starts:
                raise FileError("{} is not JSON: it begins with {!r}.".format(path.name, first))
            return (begin + file.read()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError("{} is not UTF-8 text (byte {}).".format(path.name, error.start), remedy="Save it as UTF-8.")
    except FileNotFoundError:
        raise FileError("There is no file {}.".format(path), remedy="Check the path.")
    except OSError as error:
        raise FileError("{} cannot be read: {}.".format(path, error.strerror or error))


def parse_json(text, filename):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = "line {}, column {}".format(error.lineno, error.colno)
        cut = " The file seems to be cut off." if error.pos >= len(text.rstrip()) - 1 else ""
        raise FileError("{} is not valid JSON: {} at {}.{}".format(filename, error.msg, at, cut))
    except (RecursionError, ValueError) as error:
        raise FileError("{} is not valid JSON: {}.".format(filename, error))


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


def _refuse(path, given, units):
    extra = [key for key, value in dict(given, units=units).items() if value is not None]
    if extra:
        text = "{} carries its own supports, densities, law and unit; {} cannot be given with it."
        raise InputError(text.format(path.name, ", ".join(extra)), remedy="Change the file or the structure instead.")


def _mesh_lists(content, filename):
    content = content if isinstance(content, list) else [content]
    if not content or not all(hasattr(item, "to_vertices_and_faces") for item in content):
        raise FileError("{} holds neither a structure nor meshes.".format(filename))
    return [mesh_lists(mesh) for mesh in content]


def mesh_lists(mesh):
    """Name, vertices and faces of a COMPAS mesh; the name of its class is not a name."""
    vertices, faces = mesh.to_vertices_and_faces()
    name = getattr(mesh, "name", None)
    return (None if name == type(mesh).__name__ else name), vertices, faces


def _from_lists(cls, meshes, given, units, path, planarity):
    """Structure of a file that has geometry only."""
    missing = [key for key, value in given.items() if value is None]
    if missing:
        kind = MaterialError if "supports" not in missing else InputError
        text = "{} has geometry only: {} must be given."
        remedy = "Structure.from_file(path, supports=[0], density=2400.0, law=ContactLaw(friction=0.6))"
        raise kind(text.format(path.name, ", ".join(missing)), remedy=remedy)
    factor = scene_file.metres(units or "m")
    meshes = [(name, np.array(vertices, float) * factor, faces) for name, vertices, faces in meshes]
    names = [name for name, _, _ in meshes]
    return build(cls, meshes, given["supports"], given["density"], given["law"], names, None, path.stem, planarity)


def from_meshes(cls, meshes, supports, density, law, names, guids, name, planarity):
    """See `Structure.from_meshes`."""
    lists = [mesh_lists(mesh) for mesh in meshes]
    names = [item[0] for item in lists] if names is None else names
    return build(cls, lists, supports, density, law, names, guids, name, planarity)


def build(cls, meshes, supports, density, law, names, guids, name, planarity):
    """Structure of (name, vertices, faces) with one value, or one per block, of everything else."""
    count = len(meshes)
    densities = _per_block(density, count, "densities", MaterialError)
    names = _per_block(names, count, "names", InputError)
    guids = _per_block(guids, count, "guids", InputError)
    blocks = [
        Block(vertices, faces, densities[i], name=names[i], guid=guids[i])
        for i, (_, vertices, faces) in enumerate(meshes)
    ]
    structure = cls(blocks, law, name=name, planarity=planarity)
    supports = list(supports)
    if supports and all(isinstance(s, (bool, np.bool_)) for s in supports):
        supports = np.flatnonzero(_per_block(supports, count, "values in `supports`", SupportError)).tolist()
    for i in structure.indices(supports, SupportError):
        blocks[i].support = True
    return structure


def _per_block(value, count, what, error):
    if value is None or np.ndim(value) == 0:
        return [value] * count
    if len(value) != count:
        raise error("There are {} {} for {} blocks.".format(len(value), what, count))
    return list(value)


def from_blockmodel(cls, model, law, density):
    """See `Structure.from_blockmodel`. Needs only what the elements look like, not the package they come from."""
    blocks = []
    for element in model.elements():
        name, vertices, faces = mesh_lists(element.modelgeometry)
        given = getattr(element, "name", None)
        name = name if given == type(element).__name__ else given
        material = getattr(element, "material", None)
        own = getattr(material, "density", None)
        guid = getattr(element, "guid", None)
        rho = density if own is None else own
        blocks.append(Block(vertices, faces, rho, name=name, support=bool(element.is_support), guid=guid))
    name = getattr(model, "name", None)
    return cls(blocks, law, name=None if name == type(model).__name__ else name)


def parse_obj(text, filename):
    """Objects of an OBJ file as (name, vertices, faces); groups count as objects if there are no others."""
    points, objects = [], []
    lines = text.splitlines()
    mark = "o" if any(line.startswith("o ") for line in lines) else "g"
    for row, line in enumerate(lines, 1):
        word, _, rest = line.strip().partition(" ")
        try:
            if word == "v":
                x, y, z = map(float, rest.split()[:3])
                points.append((x, y, z))
            elif word == mark:
                objects.append((rest.strip() or None, []))
            elif word == "f":
                if not objects:
                    objects.append((None, []))
                objects[-1][1].append([_obj_index(corner, len(points)) for corner in rest.split()])
        except ValueError as error:
            raise FileError("{}, line {}: {!r:.60} cannot be read: {}.".format(filename, row, line, error))
    objects = [(name, faces) for name, faces in objects if faces]
    if not objects:
        raise FileError("{} has no faces.".format(filename), remedy="Export meshes, one object per block.")
    return [_own_vertices(name, points, faces) for name, faces in objects]


def _obj_index(corner, count):
    """Index from 0 of a corner like 3, 3/1/2 or -1 (counted back from the last vertex so far)."""
    index = int(corner.split("/")[0])
    index = index - 1 if index > 0 else count + index if index < 0 else -1
    if not 0 <= index < count:
        raise ValueError("there is no vertex {}".format(corner))
    return index


def _own_vertices(name, points, faces):
    used = sorted({i for face in faces for i in face})
    number = {old: new for new, old in enumerate(used)}
    return name, [points[i] for i in used], [[number[i] for i in face] for face in faces]


def write_scene(structure, path):
    """See `Structure.to_scene`."""
    scene = scene_file.from_structure(structure)
    if path is not None:
        try:
            Path(path).write_text(scene_file.dumps(scene), encoding="utf-8")
        except OSError as error:
            raise FileError("{} cannot be written: {}.".format(path, error.strerror or error))
    return scene
