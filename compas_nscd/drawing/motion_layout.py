"""Layout of a motion at one time: displaced blocks, forces between them, paths of the probes."""

from typing import List, Optional, Tuple

import numpy as np

from compas_nscd.drawing.elastic_layout import deformed_shapes, scale_words
from compas_nscd.drawing.shapes import LAYERS, Colour, Curve, Dot, Drawing, Shape, ramp
from compas_nscd.drawing.static_layout import (
    ARROW,
    FIRST,
    FORCE_TEXT,
    VISIBLE,
    Legend,
    cable_marks,
    down,
    layout_structure,
)
from compas_nscd.errors import InputError
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.pair_forces import pair_forces, recorded


def layout_dynamic(
    result: DynamicResult,
    at: Optional[float] = None,
    magnify: float = 1.0,
    colour: str = "plain",
    arrows: float = 1.0,
) -> Drawing:
    """Lay out a DynamicResult.

    Parameters
    ----------
    result : DynamicResult
    at : float, optional
        Time [s]; the end unless given.
    magnify : float, optional
        Factor on displacements relative to the ground; forces and paths are not magnified.
    colour : {"plain", "movement"}, optional
        What the colours of the blocks show: nothing, or the displacement relative to the ground.
    arrows : float, optional
        Factor on the length of the arrows.

    Returns
    -------
    Drawing
        Blocks in their initial positions are on the layers of a structure, displaced ones, supports included, on
        `displaced`.
    """
    at = float(result.times[-1]) if at is None else at
    given = layout_structure(result.structure).shapes
    legend = [("{}: {}, at {:.3g} s".format(result.structure.name, result.words[0], at), LAYERS["labels"])]
    if magnify != 1.0:
        legend.append(("displacements {:g} times as large".format(magnify), LAYERS["displaced"]))
    colours = _colours(result, at, colour, legend)
    moved = result.vertices(at, magnify)
    if result.elastic is not None and at == result.times[-1] and magnify == 1.0:  # only the end has stresses
        later = deformed_shapes(result)
        legend += scale_words(result, "principal", None)
    else:
        later = [
            Shape("displaced", shape.name, vertices, shape.faces, own, shape.block)
            for shape, vertices, own in zip(given, moved, colours)
        ]
    curves = _forces(result, at, arrows * ARROW * result.structure.block_size, legend) + _paths(result, at)
    lines, texts = _cables(result, at, magnify, legend)
    first = result.structure.indices(result.first_to_move(FIRST))
    dots = [Dot("first", "moves first", moved[i].mean(axis=0), LAYERS["first"]) for i in first]
    return Drawing(given + later, [], curves + lines, dots + texts, legend)


def _colours(result: DynamicResult, at: float, colour: str, legend: Legend) -> List[Colour]:
    """One colour per block."""
    blocks = result.structure.blocks
    plain = [LAYERS["supports" if block.support else "blocks"] for block in blocks]
    for i in result.structure.indices(result.first_to_move(FIRST)):
        plain[i] = LAYERS["first"]
    if colour == "plain":
        return plain
    if colour != "movement":
        raise InputError("colour is {!r:.20}; it can be plain or movement.".format(colour))
    i, _ = result._frame(at)
    moved = np.linalg.norm(result.pose(at)[0] - result.centroid - result.ground[i], axis=1)
    top = moved.max(initial=0.0)
    legend.append(("greatest displacement {:.3g} mm".format(1e3 * top), LAYERS["displaced"]))
    if not top > 0.0:
        return plain
    high = LAYERS["displaced"]
    return [own if block.support else ramp(w / top, high=high) for own, block, w in zip(plain, blocks, moved)]


def _forces(result: DynamicResult, at: float, length: float, legend: Legend) -> List[Curve]:
    """Arrows of forces between blocks at the last frame before a time; of each pair of forces the downward one."""
    if not recorded(result):
        return []
    i, share = result._frame(at)
    found = pair_forces(result, [i + (share >= 1.0)])
    size = np.linalg.norm(found.force, axis=1)
    largest = size.max(initial=0.0)
    if not largest > 0.0:
        return []
    legend.append(("longest arrow " + FORCE_TEXT.format(largest / 1e3), LAYERS["forces"]))
    gravity = down(result)
    names, curves = result.structure.names, []
    for k in np.flatnonzero(size > VISIBLE * largest).tolist():
        name = "{} - {}".format(*(names[b] for b in found.pair[k]))
        force = found.force[k] * (-1.0 if found.force[k] @ gravity < 0.0 else 1.0)
        ends = np.stack([found.point[k] - force * (length / largest), found.point[k]])
        curves.append(Curve("forces", name, ends, LAYERS["forces"], True, float(size[k])))
    return curves


def _cables(result: DynamicResult, at: float, magnify: float, legend: Legend) -> Tuple[List[Curve], List[Dot]]:
    """Cables between displaced blocks, with the forces at the last frame before a time."""
    cables = result.cables
    if "cable_forces" not in result.arrays:
        return [], []
    i, share = result._frame(at)
    return cable_marks(cables, result.cable_ends(at, magnify), result.cable_forces[i + (share >= 1.0)], legend)


def _paths(result: DynamicResult, at: float) -> List[Curve]:
    """Paths of the probes up to a time [s]."""
    until = int(np.searchsorted(result.probe_times, at + 1e-9, side="right"))
    if until < 2:
        return []
    names, colour = result.structure.names, LAYERS["paths"]
    return [
        Curve("paths", names[b], result.centroid[b] + result.probe_displacement[:until, k], colour, False, np.nan)
        for k, b in enumerate(result.probe_block.tolist())
    ]
