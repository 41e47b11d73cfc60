"""Layout of a static result: shapes, bars, curves and dots on layers.

The picture, the .3dm writer and the scene objects of Rhino, Grasshopper and the viewer draw this layout and decide
nothing themselves. Coordinates in metres.
"""

from typing import List, Optional, Sequence, Tuple

import numpy as np

from compas_nscd.drawing.elastic_layout import STRESSES, crack_dots, deformed_shapes, scale_words
from compas_nscd.drawing.shapes import COMPRESSION, LAYERS, TENSION, Bars, Colour, Curve, Dot, Drawing, Shape, ramp
from compas_nscd.loads.cable import Cable
from compas_nscd.model.structure import Structure
from compas_nscd.results import thrust
from compas_nscd.results.base import Result
from compas_nscd.results.static import DISPLACED, StaticResult

#: Length of the longest arrow [median diagonal of a block]. Larger: arrows of neighbouring joints overlap.
ARROW = 0.9
#: Least force that is drawn [greatest force]. Smaller: arrows of the size of a dot.
VISIBLE = 1e-2
#: Width of the bar of the greatest force [median diagonal of a block]; a fifth of it for stresses.
BAR = 0.06
#: Most bars of one kind; of more, the strongest are drawn and the legend says so. Larger: slow drawings in Rhino.
MOST_BARS = 2000
#: Number of blocks marked as the first to move.
FIRST = 3
#: Format of forces in labels and the legend [kN].
FORCE_TEXT = "{:.3g} kN"
#: Greatest force of a slack cable [greatest force of all cables]. Zero: rounding shows slack cables as taut.
SLACK = 1e-6
#: Least force of a yielding cable [its strength]. One: rounding shows yielding cables as elastic.
YIELDS = 1.0 - 1e-6

Legend = List[Tuple[str, Colour]]


def layout_static(
    result: StaticResult, colour: str = "plain", displaced: Optional[float] = None, arrows: float = 1.0
) -> Drawing:
    """Lay out a StaticResult.

    Parameters
    ----------
    result : StaticResult
    colour : {"plain", "stress", "movement"}
        What the colours of the blocks show: nothing, greatest principal compression, or velocity in the mechanism.
        Deformed blocks always show stress: the principal one, or that which is named here (`elastic_layout.STRESSES`).
    displaced : float, optional
        Displacement of the fastest vertex in the displaced shape [m]; half a block unless given.
    arrows : float, optional
        Factor on the length of the arrows.

    Returns
    -------
    Drawing
    """
    size = result.structure.block_size
    legend = [("{}: {}".format(result.structure.name, result.answer), LAYERS["labels"])]
    shapes = _blocks(result.structure, block_colours(result, colour, legend))
    curves, dots = _forces(result, arrows * ARROW * size, legend)
    curves += _thrust(result)
    lines, texts = _cables(result, legend)
    curves, dots = curves + lines, dots + texts
    bars = [_strongest(item, legend) for item in _network(result, BAR * size) + _stress(result, size)]
    if result.mechanism is not None:
        shapes += _displaced(result, DISPLACED * size if displaced is None else displaced)
        curves += _cracks(result, legend)
    elif result.elastic is not None:
        shapes += deformed_shapes(result, colour if colour in STRESSES else "principal")
        legend += scale_words(result, colour if colour in STRESSES else "principal", None)
        dots += crack_dots(result)
    dots += [Dot("labels", item.kind, item.point, LAYERS["labels"]) for item in thrust.labels(result)]
    dots += [Dot("first", "moves first", point, LAYERS["first"]) for point in _first(result, shapes)]
    return Drawing(shapes, bars, curves, dots, legend)


def force_curves(result: StaticResult) -> List[Curve]:
    """Arrows of the forces, reactions and loads of a StaticResult, and its cables."""
    legend: Legend = []
    arrows, _ = _forces(result, ARROW * result.structure.block_size, legend)
    cables, _ = _cables(result, legend)
    return arrows + cables


def layout_structure(structure: Structure) -> Drawing:
    """Lay out the blocks, and the cables of the load case of the structure."""
    colours = [LAYERS["supports" if block.support else "blocks"] for block in structure.blocks]
    cables = structure.case.cables if structure.case is not None else []
    curves, _ = cable_marks(cables, np.array([each.points for each in cables]), None, [])
    return Drawing(_blocks(structure, colours), [], curves, [], [(str(structure.name), LAYERS["labels"])])


def down(result: Result) -> np.ndarray:
    """Return gravity [m/s2] (3,)."""
    return np.array(result.case.gravity if result.case is not None else (0.0, 0.0, -9.81))


def block_colours(result: StaticResult, colour: str, legend: Legend) -> List[Colour]:
    """Return one colour per block, and add the scale to the legend."""
    blocks = result.structure.blocks
    plain = [LAYERS["supports"] if block.support else LAYERS["blocks"] for block in blocks]
    if colour == "plain" or (colour in STRESSES and result.elastic is not None):
        return plain
    if colour == "stress":
        value, high = np.maximum(-np.nan_to_num(result.stresses().principal[:, 0]), 0.0), COMPRESSION
        text, unit = "greatest mean compression of a block {:.3g} MPa", 1e-6
    elif colour == "movement":
        mechanism = result.mechanism
        value = np.zeros(len(blocks)) if mechanism is None else np.linalg.norm(mechanism[:, :3], axis=1)
        text, unit, high = "fastest centroid moves at {:.3g} of the fastest vertex", 1.0, LAYERS["displaced"]
    else:
        raise ValueError("colour is {!r}; it can be plain, stress or movement".format(colour))
    top = value.max(initial=0.0)
    legend.append((text.format(unit * top), high))
    if not top > 0.0:
        return plain
    return [own if block.support else ramp(v / top, high=high) for own, block, v in zip(plain, blocks, value)]


def _blocks(structure: Structure, colours: Sequence[Colour]) -> List[Shape]:
    names = structure.names
    return [
        Shape("supports" if block.support else "blocks", names[i], vertices, faces, colours[i], i)
        for i, block in enumerate(structure.blocks)
        for vertices, faces in [block.surface()]
    ]


def _forces(result: StaticResult, length: float, legend: Legend) -> Tuple[List[Curve], List[Dot]]:
    """Arrows of the joint forces, the longest of a length [m], and labels of the reactions.

    Tips are at the centres of pressure, so that a symmetric structure has a symmetric drawing; at the centroids of
    joints in tension. Of the two forces in a joint the downward one is drawn; at a support, the one on its neighbour.
    """
    table = result.joints
    held = np.array([block.support for block in result.structure.blocks], bool)
    size = np.linalg.norm(table.resultant, axis=1)
    place = np.where(table.loaded[:, None], table.centre, result.interface_centroid)
    largest = size.max(initial=0.0)
    if not largest > 0.0:
        return [], []
    rows = np.flatnonzero(size > VISIBLE * largest)
    force, size = table.resultant[rows], size[rows]
    legend.append(("longest arrow " + FORCE_TEXT.format(largest / 1e3), LAYERS["forces"]))
    body = result.interface_body[rows]
    reaction = held[body].any(axis=1)
    flip = np.where(reaction, held[body[:, 1]], force @ down(result) < 0.0)
    force = np.where(flip, -1.0, 1.0)[:, None] * force
    tail = place[rows] - force * (length / largest)
    ends = np.stack([tail, place[rows]], axis=1)
    names, curves, dots = result.structure.names, [], []
    for k, (a, b) in enumerate(body.tolist()):
        layer = "reactions" if reaction[k] else "forces"
        name = "{} - {}".format(names[a], names[b])
        curves.append(Curve(layer, name, ends[k], LAYERS[layer], True, float(size[k])))
        if reaction[k]:
            dots.append(Dot("reactions", FORCE_TEXT.format(size[k] / 1e3), tail[k], LAYERS[layer]))
    return curves + _loads(result, length / largest), dots


def _loads(result: StaticResult, scale: float) -> List[Curve]:
    """Arrows of the point loads, `scale` [m/N] long."""
    curves = []
    for load in result.case.loads if result.case is not None else []:
        point, force = np.array(load.point), np.array(load.force)
        arrow = np.stack([point - scale * force, point])
        size = float(np.linalg.norm(force))
        curves.append(Curve("loads", "load on {}".format(load.block), arrow, LAYERS["loads"], True, size))
    return curves


def _cables(result: StaticResult, legend: Legend) -> Tuple[List[Curve], List[Dot]]:
    cables = result.cables
    return cable_marks(cables, np.array([each.points for each in cables]), result.cable_force, legend)


def cable_marks(
    cables: Sequence[Cable], ends: np.ndarray, force: Optional[np.ndarray], legend: Legend
) -> Tuple[List[Curve], List[Dot]]:
    """Return lines and labels of cables with ends (K, 2, 3) [m] and forces (K,) [N], None if unknown."""
    if not len(cables):
        return [], []
    if force is None:
        force = np.full(len(cables), np.nan)
    else:
        text = "greatest force of a cable {}; grey: slack, red: yields".format(FORCE_TEXT)
        legend.append((text.format(force.max() / 1e3), LAYERS["cables"]))
    slack, curves, dots = SLACK * np.nanmax(np.append(force, 0.0)), [], []
    for k, (each, own) in enumerate(zip(cables, force.tolist())):
        yields = each.strength is not None and own >= YIELDS * each.strength
        colour = TENSION if yields else LAYERS["supports"] if own <= slack else LAYERS["cables"]
        curves.append(Curve("cables", each.label(k), ends[k], colour, False, own))
        if own > slack:
            dots.append(Dot("cables", FORCE_TEXT.format(own / 1e3), ends[k].mean(axis=0), colour))
    return curves, dots


def _thrust(result: StaticResult) -> List[Curve]:
    return [Curve("thrust", "thrust line", line, LAYERS["thrust"], False, np.nan) for line in result.thrust_lines()]


def _network(result: StaticResult, width: float) -> List[Bars]:
    """Bars from centroids to centres of pressure, the widest of a width [m], in proportion to the force.

    Bars inside supports are left out: the path of a force inside a support is unknown.
    """
    nodes, edges, force = thrust.force_network(result)
    share = force / max(force.max(initial=0.0), 1e-300)
    held = np.zeros(len(nodes), bool)
    held[: len(result.structure.blocks)] = [block.support for block in result.structure.blocks]
    shown = (share > VISIBLE) & ~held[edges].any(axis=1)
    if not shown.any():
        return []
    ends = nodes[edges[shown]]
    return [Bars("network", "force network", ends, width * share[shown], force[shown], LAYERS["network"])]


def _strongest(bars: Bars, legend: Legend) -> Bars:
    """At most MOST_BARS of the bars."""
    count = len(bars.ends)
    if count <= MOST_BARS:
        return bars
    legend.append(("{}: the {} strongest of {}".format(bars.name, MOST_BARS, count), bars.colour))
    keep = np.argsort(-bars.strength, kind="stable")[:MOST_BARS]
    return bars._replace(ends=bars.ends[keep], width=bars.width[keep], strength=bars.strength[keep])


def _stress(result: StaticResult, size: float) -> List[Bars]:
    """Crosses of principal stresses, one object for compression and one for tension."""
    ends, values = result.stresses().crosses(0.6 * size)
    parts = (("compression", values < 0.0, COMPRESSION), ("tension", values > 0.0, TENSION))
    return [
        Bars("stress", name, ends[mask], np.full(mask.sum(), 0.2 * BAR * size), np.abs(values[mask]), colour)
        for name, mask, colour in parts
        if mask.any()
    ]


def _displaced(result: StaticResult, scale: float) -> List[Shape]:
    """Blocks displaced along the mechanism, the fastest vertex by `scale` [m]; none if the structure stands."""
    if result.mechanism is None:
        return []
    names = result.structure.names
    moved = result.displaced_vertices(scale)
    speed = np.abs(result.mechanism).max(axis=1)
    first = set(result.structure.indices(result.first_to_move(FIRST)))
    return [
        Shape("displaced", names[i], moved[i], block.surface()[1], LAYERS["first" if i in first else "displaced"], i)
        for i, block in enumerate(result.structure.blocks)
        if speed[i] > 1e-6
    ]


def _first(result: StaticResult, shapes: List[Shape]) -> List[np.ndarray]:
    """Middles of the displaced blocks that move first [m]. (3,) each"""
    rows = set(result.structure.indices(result.first_to_move(FIRST)))
    return [shape.vertices.mean(axis=0) for shape in shapes if shape.layer == "displaced" and shape.block in rows]


def _cracks(result: StaticResult, legend: Legend) -> List[Curve]:
    """Outlines of the joints that open or slide."""
    found = result.cracks()
    if found:
        text = "{} joints open or slide; the widest opens at {:.3g} of the fastest vertex"
        legend.append((text.format(len(found), found[0].opening), LAYERS["cracks"]))
    return [
        Curve(
            "cracks",
            "{} - {}".format(*crack.blocks),
            np.concatenate([crack.outline, crack.outline[:1]]),
            LAYERS["cracks"],
            False,
            crack.opening,
        )
        for crack in found
    ]
