"""Layout of a quasi-static result: displaced blocks, contact forces and moments on layers."""

from typing import List, Optional

import numpy as np

from compas_nscd.drawing.shapes import LAYERS, Bars, Curve, Drawing, Shape, round_factor
from compas_nscd.drawing.static_layout import VISIBLE, block_colours, force_curves
from compas_nscd.geometry.vectors import tangents
from compas_nscd.results.quasistatic import QuasistaticResult

#: Greatest displacement in a drawing [median diagonal of a block]. Larger: blocks pass through each other.
DRAWN = 0.25
#: Radius of the arc of the greatest moment [median diagonal of a block].
RADIUS = 0.3
#: Round blocks from which forces are drawn as chains, and the width of the strongest [diameter].
MANY, CHAIN = 20, 0.4
#: Points of an arc, and the angle that it turns [rad]: three quarters of a circle.
POINTS, ANGLE = 25, 1.5 * np.pi


def layout_quasistatic(result: QuasistaticResult, magnify: Optional[float] = None) -> Drawing:
    """Lay out a QuasistaticResult.

    Parameters
    ----------
    result : QuasistaticResult
    magnify : float, optional
        Factor on the displacements; unless given the greatest is about a quarter of a block.

    Returns
    -------
    Drawing
    """
    blocks, names = result.structure.blocks, result.structure.names
    factor = magnification(result) if magnify is None else magnify
    colours = block_colours(result, "plain", [])
    shapes = [
        Shape("supports" if block.support else "blocks", names[i], *block.surface(), colours[i], i)
        for i, block in enumerate(blocks)
    ]
    shapes += [
        Shape("displaced", names[i], moved, block.surface()[1], colours[i], i)
        for i, (block, moved) in enumerate(zip(blocks, result.deformed_vertices(factor)))
    ]
    legend = [("{}: {}".format(result.structure.name, result.answer), LAYERS["labels"])]
    arrows = [] if is_granular(result) else force_curves(result)
    return Drawing(shapes, force_chains(result), arrows + moment_curves(result), [], legend)


def is_granular(result: QuasistaticResult) -> bool:
    """Whether most blocks are round: their forces are drawn as chains, since arrows would cover each other."""
    return sum(block.is_round for block in result.structure.blocks) > MANY


def unit(result: QuasistaticResult) -> float:
    """Size of a block in the drawing [m]: median diameter of round ones, whatever their depth, else diagonal."""
    round_ones = [2.0 * block.radius for block in result.structure.blocks if block.radius]
    return float(np.median(round_ones)) if is_granular(result) else result.structure.block_size


def force_chains(result: QuasistaticResult) -> List[Bars]:
    """Bars between the centres of round blocks, in proportion to the forces of their contacts."""
    if not is_granular(result):
        return []
    force = np.linalg.norm(result.contact_vector[:, :3], axis=1)
    rows = np.flatnonzero(force > VISIBLE * force.max(initial=0.0))
    held = np.array([not block.is_round for block in result.structure.blocks])
    ends = result.centroid[result.interface_body[rows]]
    ends = np.where(held[result.interface_body[rows]][:, :, None], result.interface_centroid[rows, None], ends)
    width = CHAIN * unit(result) * force[rows] / max(force.max(initial=0.0), 1e-300)
    return [Bars("network", "force chains", ends, width, force[rows], LAYERS["forces"])] if len(rows) else []


def magnification(result: QuasistaticResult) -> float:
    """Round factor, at least 1, that makes the greatest displacement visible."""
    most = result.displacement_max
    return round_factor(DRAWN * unit(result) / most if most > 0.0 else 1.0)


def displacement_words(result: QuasistaticResult) -> str:
    """The greatest displacement, and the factor by which it is drawn larger."""
    factor = magnification(result)
    return "displacements up to {:.3g} mm, drawn {:g} times as large".format(1e3 * result.displacement_max, factor)


def moment_curves(result: QuasistaticResult) -> List[Curve]:
    """Arcs about the axes of the contact moments, the greatest with a radius of RADIUS."""
    moment = result.contact_moments
    size = np.linalg.norm(moment, axis=1)
    largest = size.max(initial=0.0)
    rows = np.flatnonzero(size > VISIBLE * largest) if largest > 0.0 else np.zeros(0, int)
    first, second = tangents(moment[rows] / size[rows, None])
    angle = np.linspace(0.0, ANGLE, POINTS)[:, None]
    radius = RADIUS * unit(result) * size[rows] / (largest or 1.0)
    names, curves = result.structure.names, []
    for k, i in enumerate(rows.tolist()):
        arc = result.interface_centroid[i] + radius[k] * (np.cos(angle) * first[k] + np.sin(angle) * second[k])
        name = "moment {} - {}".format(*(names[b] for b in result.interface_body[i]))
        curves.append(Curve("moments", name, arc, LAYERS["moments"], False, float(size[i])))
    return curves
