"""Blocks from meshes in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.naming import BlockNames
from compas_nscd.errors import InputError, MaterialError, NscdError
from compas_nscd.files.compas.read import mesh_lists
from compas_nscd.files.support_rules import Ground, chosen


def mesh_blocks(
    meshes: Iterable[Any],
    supports: Any,
    density: float | Sequence[float],
    names: Sequence[str] | None = None,
    guids: Sequence[Any] | None = None,
) -> list[Block]:
    """Blocks of COMPAS meshes; see `Structure.from_meshes`."""
    lists = [mesh_lists(mesh) for mesh in meshes]
    count = len(lists)
    densities = _per_block(density, count, "densities", MaterialError)
    named = _per_block([name for name, _, _ in lists] if names is None else names, count, "names", InputError)
    identified = _per_block(guids, count, "guids", InputError)
    blocks = [
        Block(vertices, faces, rho, name=name, guid=guid)
        for (_, vertices, faces), rho, name, guid in zip(lists, densities, named, identified)
    ]
    ground = Ground(blocks, BlockNames(blocks), [()] * count, np.array([0.0, 0.0, -1.0]))
    for i in chosen(supports, ground):
        blocks[i].support = True
    return blocks


def _per_block(value: Any, count: int, what: str, error: type[NscdError]) -> list[Any]:
    if value is None or np.ndim(value) == 0:
        return [value] * count
    if len(value) != count:
        raise error("There are {} {} for {} blocks.".format(len(value), what, count))
    return list(value)
