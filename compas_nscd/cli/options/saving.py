"""The option --save: a result in the format that the name of the file says."""

from pathlib import Path
from typing import Any, Callable, Dict

from compas_nscd.errors import FileError
from compas_nscd.files.mesh_formats.write import write_obj, write_ply
from compas_nscd.geometry.polyhedra import polyhedron
from compas_nscd.results.blockmodel.file import write_blockmodel
from compas_nscd.results.static import StaticResult
from compas_nscd.results.tables import write_tables


def _shapes(result: StaticResult) -> list:
    """Vertices and faces of all blocks."""
    poly = result.structure.surfaces
    return [polyhedron(poly, i) for i in range(len(result.structure))]


#: Writers by the end of the name; the first that fits is used.
WRITERS: Dict[str, Callable[[StaticResult, str], Any]] = {
    ".dem.json": write_blockmodel,
    ".npz": lambda result, path: result.save(path),
    ".json": lambda result, path: result.save(path),
    ".csv": write_tables,
    ".obj": lambda result, path: write_obj(path, result.structure.names, _shapes(result)),
    ".ply": lambda result, path: write_ply(path, _shapes(result)),
}


def save_result(result: StaticResult, path: str) -> None:
    """Write a result: all of it (.npz, .json), for compas_dem (.dem.json), tables (.csv), blocks (.obj, .ply)."""
    writer_of(path)(result, path)


def writer_of(path: str) -> Callable[[StaticResult, str], Any]:
    """Function that writes the format which the name of a file says; a FileError if it says none."""
    for end, write in WRITERS.items():
        if path.lower().endswith(end):
            return write
    text = "{} does not say the format of the result.".format(Path(path).name)
    raise FileError(text, remedy="The name can end in {}.".format(", ".join(WRITERS)))
