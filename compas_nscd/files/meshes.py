"""Blocks from meshes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.naming import BlockNames
from compas_nscd.errors import InputError, MaterialError, NscdError, SupportError
from compas_nscd.files.compas_json import mesh_lists


def mesh_blocks(
    meshes: Iterable[Any],
    supports: Iterable[Any],
    density: float | Sequence[float],
    names: Sequence[str] | None = None,
    guids: Sequence[Any] | None = None,
) -> list[Block]:
    """Blocks of COMPAS meshes; see `Structure.from_meshes`."""
    lists = [mesh_lists(mesh) for mesh in meshes]
    given = [name for name, _, _ in lists] if names is None else names
    return blocks_of_lists(lists, supports, density, given, guids)


def blocks_of_lists(
    meshes: Sequence[tuple],
    supports: Iterable[Any],
    density: float | Sequence[float],
    names: Sequence[str | None],
    guids: Sequence[Any] | None = None,
    factor: float = 1.0,
) -> list[Block]:
    """Blocks of (name, vertices, faces).

    Parameters
    ----------
    meshes : list of (str, vertices, faces)
        The name is not used.
    supports : list of int or str, or list of bool
        By index, name or guid; or one bool per block.
    density : float or list of float
        [kg/m3] of all blocks, or one per block.
    names, guids : list, optional
        One per block.
    factor : float, optional
        Length of the unit of the vertices [m].
    """
    count = len(meshes)
    densities = _per_block(density, count, "densities", MaterialError)
    named = _per_block(names, count, "names", InputError)
    identified = _per_block(guids, count, "guids", InputError)
    blocks = [
        Block(vertices if factor == 1.0 else factor * np.array(vertices, float), faces, rho, name=name, guid=guid)
        for (_, vertices, faces), rho, name, guid in zip(meshes, densities, named, identified)
    ]
    chosen = list(supports)
    if chosen and all(isinstance(s, (bool, np.bool_)) for s in chosen):
        chosen = np.flatnonzero(_per_block(chosen, count, "values in `supports`", SupportError)).tolist()
    for i in BlockNames(blocks).indices(chosen, SupportError):
        blocks[i].support = True
    return blocks


def _per_block(value: Any, count: int, what: str, error: type[NscdError]) -> list[Any]:
    if value is None or np.ndim(value) == 0:
        return [value] * count
    if len(value) != count:
        raise error("There are {} {} for {} blocks.".format(len(value), what, count))
    return list(value)
