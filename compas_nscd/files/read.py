"""Read files of any format: the arguments of a structure.

Lengths are scaled to metres; densities are in kg/m3 and forces in N whatever the unit of length.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from compas_nscd.errors import FileError
from compas_nscd.files import scene_file
from compas_nscd.files.compas_json import decode, is_structure, lists_of_meshes
from compas_nscd.files.given import Given
from compas_nscd.files.meshes import blocks_of_lists
from compas_nscd.files.obj import parse_obj
from compas_nscd.files.text import parse_json, read_text
from compas_nscd.files.units import metres


def read(path: Path, given: Given) -> Any:
    """Read a file.

    Parameters
    ----------
    path : Path
    given : Given

    Returns
    -------
    dict or Structure
        Keyword arguments of `Structure`, or the structure itself if COMPAS decoded one.
    """
    suffix = path.suffix.lower()
    if suffix == ".3dm":
        from compas_nscd.files.threedm.read import read as read_threedm

        return read_threedm(path, given)
    if suffix not in (".json", ".obj"):
        raise FileError("{}: unknown kind of file {!r}.".format(path.name, suffix), remedy="Use .json, .obj or .3dm.")
    text = read_text(path, starts=("{", "[") if suffix == ".json" else None)
    if suffix == ".obj":
        return _from_lists(parse_obj(text, path.name), given, path)
    tree = parse_json(text, path.name)
    if isinstance(tree, dict) and "dtype" not in tree:
        given.refuse(path.name)
        return scene_file.arguments(tree, path.stem)
    content = decode(tree, text, path.name)
    if is_structure(tree):
        given.refuse(path.name)
        return content
    return _from_lists(lists_of_meshes(content, path.name), given, path)


def _from_lists(meshes: list[tuple], given: Given, path: Path) -> dict[str, Any]:
    """Arguments of a structure from a file that contains geometry only."""
    given.require(path.name)
    factor = metres(given.units or "m")
    names = [name for name, _, _ in meshes]
    blocks = blocks_of_lists(meshes, given.supports, given.density, names, factor=factor)
    return {"blocks": blocks, "law": given.law, "name": path.stem}
