"""Findings of a check as shapes: blocks in the colour of their worst finding, outlines of joints, open edges."""

from collections import Counter
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

from compas_nscd.drawing.shapes import LAYERS, Colour, Curve, Drawing, Shape
from compas_nscd.model.structure import Structure

#: Kinds of findings, worst first, with their words and colours.
KINDS: Dict[str, Tuple[str, Colour]] = {
    "degenerate": ("degenerate block", (120, 20, 20)),
    "open": ("open edge", (200, 30, 140)),
    "isolated": ("block that touches nothing", (122, 60, 160)),
    "overlapping": ("overlap", (200, 30, 40)),
    "open_joints": ("open joint", (217, 120, 30)),
    "gaps": ("gap that was closed", (217, 164, 65)),
    "coverage": ("touches on part of its area", (46, 125, 160)),
    "warped": ("faces that are not planar", (160, 150, 90)),
}
#: Lists of the report whose blocks cannot be analysed as they are.
ERRORS = ("open", "degenerate", "isolated")
#: Share of the area facing each other below which a joint is drawn [-].
COVERED = 0.9


def findings(report: Dict[str, Any]) -> Dict[str, List[Any]]:
    """Items of each kind in the report of `Engine.check`; kinds without any are left out."""
    found = {kind: list(report.get(kind, [])) for kind in KINDS}
    found["gaps"] = [item for item in found["gaps"] if item[2] > 0.0]  # negative: an overlap, which is listed as such
    found["coverage"] = [item for item in found["coverage"] if item[2] < COVERED]
    return {kind: items for kind, items in found.items() if items}


def is_well(report: Dict[str, Any]) -> bool:
    """Whether the report of `Engine.check` has neither warnings nor blocks that cannot be analysed."""
    return not report["warnings"] and not any(report[name] for name in ERRORS)


def worst_findings(found: Dict[str, List[Any]]) -> Dict[str, str]:
    """Worst kind of finding of each block that has one, by the name of the block."""
    worst: Dict[str, str] = {}
    for kind, items in found.items():
        for item in items:
            for name in item[:2] if isinstance(item, (list, tuple)) else [item]:
                worst.setdefault(name, kind)
    return worst


def finding_text(item: Any) -> str:
    """Name of a block, or a pair with a number, as one word."""
    if not isinstance(item, (list, tuple)):
        return str(item)
    return "/".join("{:.3g}".format(part) if isinstance(part, float) else str(part) for part in item)


def layout_findings(structure: Structure, report: Dict[str, Any]) -> Drawing:
    """Lay out a structure and the findings of a check."""
    found = findings(report)
    names = structure.names
    colours = [LAYERS["supports" if block.support else "blocks"] for block in structure.blocks]
    index = {name: i for i, name in enumerate(names)}
    for name, kind in worst_findings(found).items():
        colours[index[name]] = _pale(KINDS[kind][1])
    shapes = [
        Shape("blocks", names[i], vertices, faces, colours[i], i)
        for i, block in enumerate(structure.blocks)
        for vertices, faces in [block.surface()]
        if len(vertices) and faces
    ]
    curves = _outlines(report) + _open_edges(structure, [index[name] for name in found.get("open", [])])
    curves += _links(structure, index, found.get("open_joints", []))
    legend = [("{}: {}".format(*_count(kind, items)), KINDS[kind][1]) for kind, items in found.items()]
    return Drawing(shapes, [], curves, [], legend)


def _count(kind: str, items: Sequence[Any]) -> Tuple[str, int]:
    return KINDS[kind][0], len(items)


def _pale(colour: Colour) -> Colour:
    red, green, blue = (round(0.5 * c + 0.5 * 240) for c in colour)
    return red, green, blue


def _curve(kind: str, points: np.ndarray) -> Curve:
    return Curve("cracks", KINDS[kind][0], points, KINDS[kind][1], False, float("nan"))


def _outlines(report: Dict[str, Any]) -> List[Curve]:
    """Outlines of the joints with a gap or an overlap."""
    start, polygon, gap = report["polygon_start"], np.asarray(report["polygon"]), np.asarray(report["interface_gap"])
    size = float(np.linalg.norm(np.ptp(polygon, axis=0))) if len(polygon) else 0.0
    curves = []
    for k in np.flatnonzero(np.abs(gap) > 1e-6 * size).tolist():
        points = polygon[start[k] : start[k + 1]]
        if len(points):
            kind = "gaps" if gap[k] > 0.0 else "overlapping"
            curves.append(_curve(kind, np.concatenate([points, points[:1]])))
    return curves


def _open_edges(structure: Structure, blocks: Sequence[int]) -> List[Curve]:
    """Edges of blocks that do not have two faces."""
    curves = []
    for i in blocks:
        vertices, faces = structure.blocks[i].surface()
        count = Counter(tuple(sorted(side)) for face in faces for side in zip(face, face[1:] + face[:1]))
        curves += [_curve("open", vertices[list(side)]) for side, number in count.items() if number != 2]
    return curves


def _links(structure: Structure, index: Dict[str, int], pairs: Sequence[Any]) -> List[Curve]:
    """Lines between the middles of blocks with an open joint."""
    middle = [block.vertices.mean(axis=0) if len(block.vertices) else np.zeros(3) for block in structure.blocks]
    return [_curve("open_joints", np.array([middle[index[a]], middle[index[b]]])) for a, b, _ in pairs]
