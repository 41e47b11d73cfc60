"""Tables of joints, blocks, nodes and elements of a static result, as .csv files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.files.writing import cannot_write
from compas_nscd.results.deformable.tables import ELEMENTS, NODES, element_rows, node_rows
from compas_nscd.results.static import StaticResult

#: Columns of the table of joints, with units. Forces are those on block b.
JOINTS = ("a", "b", "x [m]", "y [m]", "z [m]", "area [m2]", "gap [m]", "nx", "ny", "nz", "fx [N]", "fy [N]", "fz [N]",
          "normal force [N]", "shear force [N]")  # fmt: skip
#: Columns of the table of blocks.
BLOCKS = ("name", "support", "mass [kg]", "x [m]", "y [m]", "z [m]", "density [kg/m3]")


def write_tables(result: StaticResult, path: str | Path) -> None:
    """Write the joints to `path`, and to files beside it the blocks, and nodes and elements of deformable blocks.

    The names of these files end in _blocks, _nodes and _elements.
    """
    path, names = Path(path), result.structure.names
    _write(path, JOINTS, _joints(result))
    _write(_beside(path, "_blocks"), BLOCKS, _blocks(result))
    if result.elastic is not None:
        _write(_beside(path, "_nodes"), NODES, node_rows(result.elastic, names))
        _write(_beside(path, "_elements"), ELEMENTS, element_rows(result.elastic, names))


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.stem + end + path.suffix)


def _joints(result: StaticResult) -> Iterable[list[Any]]:
    names, table = result.structure.names, result.joints
    for k, (a, b) in enumerate(result.interface_body.tolist()):
        numbers = [
            *result.interface_centroid[k],
            result.interface_area[k],
            result.interface_gap[k],
            *result.interface_normal[k],
            *table.resultant[k],
            table.normal_force[k],
            table.shear_force[k],
        ]
        yield [names[a], names[b], *map(float, numbers)]


def _blocks(result: StaticResult) -> Iterable[list[Any]]:
    structure = result.structure
    for i, block in enumerate(structure.blocks):
        centroid = np.asarray(result.centroid[i]).tolist()
        yield [structure.names[i], int(block.support), float(result.mass[i]), *centroid, block.density]


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    try:
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(rows)
    except OSError as error:
        raise cannot_write(path, error)
