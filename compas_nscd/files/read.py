"""Files and foreign models into structures: scenes, COMPAS JSON, OBJ, .3dm, meshes, block models of compas_dem.

Lengths are scaled to metres here and nowhere else; densities are kg/m3 and forces N whatever the unit of length.
"""

from pathlib import Path

from compas_nscd.errors import FileError, InputError
from compas_nscd.files import scene_file
from compas_nscd.files.compas_json import decode, lists_of_meshes
from compas_nscd.files.meshes import from_lists
from compas_nscd.files.obj import parse_obj
from compas_nscd.files.text import parse_json, read_text
from compas_nscd.geometry.checks import PLANARITY


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
        return from_lists(cls, meshes, given, units, path, limit)
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
    return from_lists(cls, lists_of_meshes(content, path.name), given, units, path, limit)


def _refuse(path, given, units):
    extra = [key for key, value in dict(given, units=units).items() if value is not None]
    if extra:
        text = "{} carries its own supports, densities, law and unit; {} cannot be given with it."
        raise InputError(text.format(path.name, ", ".join(extra)), remedy="Change the file or the structure instead.")
