"""Supports by rule: the lowest blocks, those in a part of space, on a layer, with a name; or by index, name, guid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.naming import BlockNames
from compas_nscd.errors import SupportError
from compas_nscd.geometry.findings import name_blocks

#: Difference of the lowest points of two blocks on the same ground, over the median height of the blocks [-]. Larger:
#: the second course is on the ground too. Smaller: springers of a vault on uneven ground are not all supports.
STEP = 0.05
#: Greatest difference of the lowest points of all blocks on the ground, over the same height [-]. Larger: a spiral
#: stair is on the ground. Smaller: ground that slopes is not one ground.
SLOPE = 0.25
#: A coordinate below or above a number of metres.
_HALF_SPACE = re.compile(r"^\s*([xyz])\s*(<=?|>=?)\s*([-+0-9.eE]+)\s*(?:m\s*)?$")
#: Rules, for messages.
RULES = 'lowest, "z<0.05", layer:NAME, name:REGEX, or blocks by index, name or guid'


class Ground(NamedTuple):
    """Blocks of which supports are chosen."""

    blocks: Sequence[Block]
    names: BlockNames
    layers: Sequence[tuple[str, ...]]  # of each block
    down: np.ndarray  # (3,) unit vector of gravity


def chosen(rule: Any, ground: Ground) -> list[int]:
    """Indices of the supports that a rule or a list of blocks names.

    Raises
    ------
    SupportError
        If the rule names no block, or a block that does not exist.
    """
    if not isinstance(rule, str):
        return _listed(list(rule), ground)
    kind, colon, rest = rule.partition(":")
    half_space = _HALF_SPACE.match(rule)
    if rule.strip() == "lowest":
        return lowest(ground.blocks, ground.down)
    if half_space is not None:
        return _required(_in_half_space(half_space, ground.blocks), rule, ground)
    if colon and kind == "layer":
        return _required(_on_layer(rest, ground), rule, ground)
    if colon and kind == "name":
        return _required(_named(rest, ground), rule, ground)
    on_layer = _on_layer(rule, ground)
    if on_layer or any(ground.layers):
        listed = [part.strip() for part in rule.split(",")]
        if not on_layer and all(part.isdigit() or part in ground.names.names for part in listed):
            return _listed([int(part) if part.isdigit() else part for part in listed], ground)
        return _required(on_layer, rule, ground)
    return _listed([int(part) if part.strip().isdigit() else part.strip() for part in rule.split(",")], ground)


def lowest(blocks: Sequence[Block], down: np.ndarray) -> list[int]:
    """Blocks on the ground: those whose lowest points follow each other in small steps from the lowest of all."""
    if not blocks:
        return []
    heights = [_extent(block, -down) for block in blocks]
    low, high = np.array(heights).T
    tall = float(np.median(high - low))
    order = np.argsort(low, kind="stable")
    steps = np.diff(low[order]) > STEP * tall
    first = int(np.argmax(steps)) + 1 if steps.any() else len(order)
    ground = order[:first]
    return sorted(ground[low[ground] <= low[order[0]] + SLOPE * tall].tolist())


def _extent(block: Block, up: np.ndarray) -> tuple[float, float]:
    """Least and greatest height of a block [m]; infinite for one without vertices."""
    height = block.vertices @ up
    height = height[np.isfinite(height)]
    if not len(height):
        return np.inf, np.inf
    radius = block.radius or 0.0
    return float(height.min()) - radius, float(height.max()) + radius


def _listed(given: list[Any], ground: Ground) -> list[int]:
    """Blocks by index, name or guid, or one bool per block."""
    if given and all(isinstance(each, (bool, np.bool_)) for each in given):
        if len(given) != len(ground.blocks):
            text = "There are {} values in `supports` for {} blocks."
            raise SupportError(text.format(len(given), len(ground.blocks)))
        return np.flatnonzero(given).tolist()
    return ground.names.indices(given, SupportError)


def _in_half_space(rule: re.Match[str], blocks: Sequence[Block]) -> list[int]:
    """Blocks that reach into the half space of a rule such as z<0.05 [m]."""
    axis, sign, text = rule.groups()
    try:
        bound = float(text)
    except ValueError:
        raise SupportError("{!r:.40} is not a number.".format(text), remedy='For example supports="z<0.05".')
    along = np.eye(3)["xyz".index(axis)]
    side = -1.0 if sign[0] == ">" else 1.0
    reach = side * np.array([_extent(block, side * along)[0] for block in blocks])
    inside = {"<": reach < bound, "<=": reach <= bound, ">": reach > bound, ">=": reach >= bound}[sign]
    return np.flatnonzero(inside & np.isfinite(reach)).tolist()


def _on_layer(layer: str, ground: Ground) -> list[int]:
    return [i for i, paths in enumerate(ground.layers) if any(on_layer(path, layer.strip()) for path in paths)]


def on_layer(path: str, layer: str) -> bool:
    """Whether the layer with this full path is `layer` or below it; case-insensitive."""
    parts, wanted = path.lower().split("::"), layer.lower().split("::")
    return any(parts[k : k + len(wanted)] == wanted for k in range(len(parts)))


def _named(pattern: str, ground: Ground) -> list[int]:
    try:
        search = re.compile(pattern).search
    except re.error as error:
        raise SupportError("{!r:.60} is not a regular expression: {}.".format(pattern, error))
    return [i for i, name in enumerate(ground.names.names) if search(name)]


def _required(found: list[int], rule: str, ground: Ground) -> list[int]:
    if found:
        return found
    layers = sorted({paths[0] for paths in ground.layers if paths})
    where = "There is no block on a layer {!r:.60}." if layers else "No block fits supports {!r:.60}."
    known = "Layers with blocks: {}. ".format(", ".join(layers[:20])) if layers else ""
    raise SupportError(where.format(rule), remedy=known + candidates(ground))


def candidates(ground: Ground) -> str:
    """Sentence that names the lowest blocks."""
    found = [ground.names.names[i] for i in lowest(ground.blocks, ground.down)]
    return 'The lowest {}: supports="lowest" holds them.'.format(
        "are " + name_blocks(found) if len(found) > 1 else "is " + name_blocks(found)
    )


def likely_up(ground: Ground) -> str | None:
    """Another upward axis than z, if with z up all of several blocks lie on the ground, and with it only some."""
    count = len(ground.blocks)
    upright = np.array_equal(ground.down, (0.0, 0.0, -1.0))
    if count < 3 or not upright or len(lowest(ground.blocks, ground.down)) < count:
        return None
    for axis, down in (("y", (0.0, -1.0, 0.0)), ("x", (-1.0, 0.0, 0.0))):
        if len(lowest(ground.blocks, np.array(down))) <= count // 2:
            return axis
    return None
