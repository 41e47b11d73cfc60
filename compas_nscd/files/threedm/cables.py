"""Cables in .3dm files: straight lines on a layer `cables`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.naming import BlockNames
from compas_nscd.errors import LoadError, NscdError
from compas_nscd.files.threedm.keys import CABLE_ENDS, CABLE_NUMBERS, GROUND
from compas_nscd.files.threedm.solids import user_text
from compas_nscd.geometry.nearest_block import nearest_block
from compas_nscd.loads.cable import Cable


def read_cables(lines: Sequence[Any], blocks: Sequence[Block], names: BlockNames, metre: float) -> list[Cable]:
    """Cables of objects of a file.

    The user text has their stiffness, prestress and strength, and the blocks at their ends; without a block, the end is
    fixed to the nearest one.

    Parameters
    ----------
    lines : list of rhino3dm.File3dmObject
    blocks : list of Block
    names : BlockNames
    metre : float
        Length of the unit of the file [m].
    """
    surfaces = [block.surface() for block in blocks] if lines else []

    def block_at(text: str | None, point: tuple, called: str) -> str | None:
        """Name of the block at an end; None for the ground."""
        if not text:
            where = "{} ends at ({:.3g}, {:.3g}, {:.3g}) m, which".format(called, *point)
            return names.names[nearest_block(surfaces, names.names, point, where)]
        if text.strip().lower() == GROUND and GROUND not in names.names:
            return None
        return names.names[names.indices([text], LoadError)[0]]

    return [_cable(each, k, block_at, metre) for k, each in enumerate(lines)]


def _cable(item: Any, k: int, block_at: Any, metre: float) -> Cable:
    curve, attributes = item.Geometry, item.Attributes
    called = "Cable {}".format(attributes.Name or k + 1)
    if not curve.IsLinear():
        raise LoadError("{} is not straight.".format(called), remedy="Draw a line for every straight part.")
    points = [tuple(metre * c for c in (p.X, p.Y, p.Z)) for p in (curve.PointAtStart, curve.PointAtEnd)]
    strings = user_text(attributes)
    ends = [block_at(strings.get(key), p, called) for key, p in zip(CABLE_ENDS, points)]
    numbers = {key: _number(strings[key], key, called) for key in CABLE_NUMBERS if strings.get(key)}
    try:
        return Cable(ends, points, name=attributes.Name or None, **numbers)
    except NscdError as error:
        raise LoadError("{}: {}".format(called, error.message), remedy=error.remedy)


def _number(text: str, key: str, called: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise LoadError("The user text {} of {} is {!r:.40}.".format(key, called.lower(), text))
