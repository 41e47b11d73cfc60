"""Rows of the tables of nodes and elements of deformable blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from compas_nscd.results.elastic import ElasticResult

#: Columns of the table of nodes, with units. Positions are those at rest.
NODES = ("block", "x [m]", "y [m]", "z [m]", "ux [m]", "uy [m]", "uz [m]")
#: Columns of the table of elements. Stresses are means over the element, tension positive.
ELEMENTS = ("block", "x [m]", "y [m]", "z [m]", "volume [m3]", "sigma xx [Pa]", "sigma yy [Pa]", "sigma zz [Pa]",
            "sigma xy [Pa]", "sigma yz [Pa]", "sigma zx [Pa]", "least principal [Pa]", "middle principal [Pa]",
            "greatest principal [Pa]", "von Mises [Pa]", "cracked")  # fmt: skip


def node_rows(found: ElasticResult, names: Sequence[str]) -> Iterable[list[Any]]:
    """Name of the block, position at rest and displacement of every node."""
    block = np.repeat(np.arange(len(names)), np.diff(found.node_start))
    return _named(names, block, [found.nodes, found.displacement])


def element_rows(found: ElasticResult, names: Sequence[str]) -> Iterable[list[Any]]:
    """Name of the block, middle, volume and stresses of every element, and whether it exceeds the tensile strength."""
    sigma = found.stress[:, [0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]]
    numbers = [found.centres, found.volume, sigma, found.principal, found.von_mises]
    for row, cracked in zip(_named(names, found.cell_block, numbers), found.tension_utilisation > 1.0):
        yield [*row, int(cracked)]


def _named(names: Sequence[str], block: np.ndarray, columns: Sequence[np.ndarray]) -> Iterable[list[Any]]:
    """Rows of columns, each after the name of its block."""
    for i, numbers in zip(block.tolist(), np.column_stack(columns).tolist()):
        yield [names[i], *numbers]
