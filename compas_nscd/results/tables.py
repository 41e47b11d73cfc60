"""Tables of joints and blocks of a static result, as .csv files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.files.writing import cannot_write
from compas_nscd.results.static import StaticResult

#: Columns of the table of joints, with units. Forces are those on block b.
JOINTS = ("a", "b", "x [m]", "y [m]", "z [m]", "area [m2]", "gap [m]", "nx", "ny", "nz", "fx [N]", "fy [N]", "fz [N]",
          "normal force [N]", "shear force [N]")  # fmt: skip
#: Columns of the table of blocks.
BLOCKS = ("name", "support", "mass [kg]", "x [m]", "y [m]", "z [m]", "density [kg/m3]")


def write_tables(result: StaticResult, path: str | Path) -> None:
    """Write the joints to `path`, and the blocks to a file beside it whose name ends in _blocks."""
    path = Path(path)
    _write(path, JOINTS, _joints(result))
    _write(path.with_name(path.stem + "_blocks" + path.suffix), BLOCKS, _blocks(result))


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
