"""Read files of any format: the arguments of a structure.

Lengths are scaled to metres; densities are in kg/m3 and forces in N whatever the unit of length. A reader of a format
that contains more or less than a structure returns its `Contents`; `arguments` completes them with what the caller
gives.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from compas_nscd.errors import FileError
from compas_nscd.files import scene_file
from compas_nscd.files.arguments import case_with_gravity, structure_arguments
from compas_nscd.files.compas.read import is_compas, read_compas, structure_data
from compas_nscd.files.dxf import read_dxf
from compas_nscd.files.given import Given
from compas_nscd.files.mesh_formats.folder import Reader, read_folder
from compas_nscd.files.mesh_formats.obj import read_obj
from compas_nscd.files.mesh_formats.ply import read_ply
from compas_nscd.files.mesh_formats.stl import read_stl
from compas_nscd.files.text import parse_json, read_text

#: Readers of meshes, by suffix. A folder may hold them.
MESHES: dict[str, Reader] = {".obj": read_obj, ".ply": read_ply, ".stl": read_stl}
#: Suffixes of all files that are read.
KINDS = (".json", ".3dm", ".dxf", *MESHES)


def read(path: Path, given: Given) -> dict[str, Any]:
    """Read a file, or a folder of meshes.

    A file that is nested so deeply that a reader runs out of stack is refused.

    Parameters
    ----------
    path : Path
    given : Given

    Returns
    -------
    dict
        Keyword arguments of `Structure`; with `data` in their place if the file contains the data of a structure, and
        with `left_out` (list of LeftOut).
    """
    try:
        return _read(path, given)
    except RecursionError:
        raise FileError("{} is nested too deeply.".format(path.name))


def _read(path: Path, given: Given) -> dict[str, Any]:
    suffix = path.suffix.lower()
    if path.is_dir() and suffix not in KINDS:
        return structure_arguments(read_folder(path, MESHES), given, path)
    if suffix == ".3dm":
        from compas_nscd.files.threedm.read import read as read_threedm

        return read_threedm(path, given)
    if suffix in MESHES:
        return structure_arguments(MESHES[suffix](path), given, path)
    if suffix == ".dxf":
        return structure_arguments(read_dxf(path), given, path)
    if suffix != ".json":
        remedy = "Use {} or a folder of meshes.".format(", ".join(KINDS))
        raise FileError("{}: unknown kind of file {!r}.".format(path.name, suffix), remedy=remedy)
    return _read_json(path, given)


def _read_json(path: Path, given: Given) -> dict[str, Any]:
    """A scene of this project, or an object of COMPAS."""
    tree = parse_json(read_text(path, starts=("{", "[")), path.name)
    if not is_compas(tree):
        return _read_scene(tree, given, path)
    data = structure_data(tree)
    if data is None:
        return structure_arguments(read_compas(tree, path.name), given, path)
    given.refuse(path.name)
    return {"data": data}


def _read_scene(tree: dict[str, Any], given: Given, path: Path) -> dict[str, Any]:
    """Scenes say everything but, possibly, where down is."""
    given.refuse(path.name)
    found = scene_file.arguments(tree, path.stem)
    return dict(found, case=case_with_gravity(found["case"], given))
