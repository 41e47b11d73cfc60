"""Components of the group Load: point loads, ground and support motions, cables, load case."""

import math
from typing import Any, Dict, Tuple, Union

from compas_nscd.blocks.block import Block
from compas_nscd.errors import InputError, LoadError
from compas_nscd.ghpython.canvas import Canvas, Items, Number, Text, component
from compas_nscd.ghpython.wires import items
from compas_nscd.loads.cable import Cable
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.loads.support_motion import SupportMotion


def block_key(value: Any) -> Union[int, str]:
    """Name, guid or index by which a load refers to the connected block."""
    if isinstance(value, Block):
        if value.given_name is not None:
            return value.given_name
        if value.given_guid:
            return value.given_guid
        raise LoadError("Input block: the block has no name.", remedy="Name it in the component Block.")
    if isinstance(value, float) and value == int(value):
        return int(value)
    if value is None:
        raise InputError("Input block is missing.", remedy="Connect a block, or its name or index.")
    return value if isinstance(value, int) else str(value)


def plain(vector: Any) -> Tuple[float, float, float]:
    """Components of a Rhino vector that is not a length."""
    return (vector.X, vector.Y, vector.Z)


@component("load")
def point_load(canvas: Canvas, block: Any, point: Any, force: Any, times: Items, factors: Items) -> Any:
    """Component Point Load."""
    key = block_key(block)
    for name, value in (("point", point), ("force", force)):
        if value is None:
            raise InputError("Input {} is missing.".format(name))
    times, factors = items(times), items(factors)
    history = (times, factors) if times or factors else None
    with canvas.input("times and factors" if history else "block"):
        return PointLoad(key, canvas.units.metres(point), plain(force), history)


@component("ground")
def ground_motion(
    canvas: Canvas,
    kind: Text,
    direction: Any,
    acceleration: Number,
    frequency: Number,
    duration: Number,
    start: Number,
    path: Text,
    times: Items,
    values: Items,
) -> Any:
    """Component Ground Motion."""
    axis = "x" if direction is None else plain(direction)
    start = 0.0 if start is None else start
    times, values = items(times), items(values)
    if path:
        with canvas.input("path"):
            return GroundMotion.from_file(path, axis, start=start)
    if times or values:
        with canvas.input("times and values"):
            return GroundMotion.table(axis, times, values, start)
    with canvas.input("kind"):
        return GroundMotion(kind or "sine", axis, acceleration, frequency, duration, start)


@component("motion")
def support_motion(
    canvas: Canvas, block: Any, displacement: Any, duration: Number, rotation: Any, start: Number
) -> Any:
    """Component Support Motion."""
    key = block_key(block)
    if displacement is None and rotation is None:
        raise InputError("Input displacement is missing.", remedy="Give a displacement or a rotation.")
    moved = (0.0, 0.0, 0.0) if displacement is None else canvas.units.metres(displacement)
    turned = (0.0, 0.0, 0.0) if rotation is None else tuple(math.radians(c) for c in plain(rotation))
    with canvas.input("block"):
        return SupportMotion(key, moved, 1.0 if duration is None else duration, turned, start or 0.0)


@component("cable")
def cable(
    canvas: Canvas,
    block_a: Any,
    block_b: Any,
    point_a: Any,
    point_b: Any,
    stiffness: Number,
    prestress: Number,
    strength: Number,
) -> Any:
    """Component Cable."""
    for name, value in (("block_a", block_a), ("point_a", point_a), ("point_b", point_b)):
        if value is None:
            raise InputError("Input {} is missing.".format(name))
    ends = block_key(block_a), None if block_b is None else block_key(block_b)
    points = canvas.units.metres(point_a), canvas.units.metres(point_b)
    with canvas.input("cable"):
        return Cable(ends, points, stiffness, prestress or 0.0, strength)


@component("case")
def load_case(
    canvas: Canvas,
    gravity: Any,
    loads: Items,
    support_motions: Items,
    ground: Items,
    ramp: Number,
    cables: Items = None,
) -> Any:
    """Component Load Case."""
    given: Dict[str, Tuple[Items, type]] = {
        "loads": (loads, PointLoad),
        "support_motions": (support_motions, SupportMotion),
        "ground": (ground, GroundMotion),
        "cables": (cables, Cable),
    }
    checked: Dict[str, Any] = {
        key: [canvas.need(key, each, kind) for each in items(many)] for key, (many, kind) in given.items()
    }
    if gravity is not None:
        checked["gravity"] = plain(gravity)
    with canvas.input("ramp"):
        return LoadCase(gravity_ramp=ramp or 0.0, **checked)
