"""Components of the group Result: content of a result, one branch per block or joint."""

from typing import Any, Dict, Iterable, List, Sequence

import numpy as np

from compas_nscd.ghpython.canvas import Canvas, Number, component
from compas_nscd.ghpython.geometry import Poses
from compas_nscd.ghpython.live_analysis import lines_of
from compas_nscd.results.dynamic import ENERGIES, DynamicResult
from compas_nscd.results.interface import STATUS
from compas_nscd.results.static import StaticResult

#: Pa in a MPa.
MPA = 1e6


def texts(found: Sequence[Dict[str, Any]]) -> List[str]:
    """Warnings as lines of text."""
    return ["{}: {}".format(each["code"], each["message"]) for each in found]


@component("stands", "blocks", "names", "supports", "reactions", "weight", "stress", "summary", "warnings", pure=True)
def deconstruct_static(canvas: Canvas, result: Any) -> Any:
    """Component Deconstruct Static."""
    result = canvas.need("result", result, StaticResult)
    structure = result.structure
    reactions = result.support_reactions
    compression = np.maximum(-np.nan_to_num(result.stresses().principal[:, 0]), 0.0) / MPA
    return (
        result.stands,
        canvas.tree(canvas.make.blocks(structure)),
        canvas.tree(structure.names),
        list(reactions),
        canvas.make.plain_vectors(list(reactions.values())),
        float(result.summary["weight_total"]),
        canvas.tree(compression.tolist()),
        lines_of(result),
        texts(result.warnings),
    )


@component(
    "stands",
    "blocks",
    "displacement",
    "velocity",
    "times",
    "energy",
    "collapse_time",
    "first_to_move",
    "summary",
    "warnings",
    pure=True,
)
def deconstruct_dynamic(canvas: Canvas, result: Any, time: Number) -> Any:
    """Component Deconstruct Dynamic."""
    result = canvas.need("result", result, DynamicResult)
    if result.outcome in ("displaced", "moving"):
        canvas.remark(result.words[1])
    at = float(result.times[-1]) if time is None else time
    with canvas.input("time"):
        position, rotation = result.pose(at)
    ground = np.stack([np.interp(at, result.times, result.ground[:, k]) for k in range(3)])
    moved = position - result.centroid - ground
    frame = int(np.argmin(np.abs(result.times - at)))
    return (
        result.verdict == "stable",
        canvas.tree(canvas.make.blocks(result.structure, Poses(result.centroid, position, rotation))),
        canvas.tree(canvas.make.vectors(moved)),
        canvas.tree(canvas.make.vectors(result.velocity[frame, :, :3])),
        result.times.tolist(),
        canvas.tree([result.energy[key].tolist() for key in ENERGIES]),
        result.summary["collapse_time"],
        list(result.summary["first_to_move"]),
        lines_of(result),
        texts(result.warnings),
    )


@component(
    "outline",
    "blocks",
    "points",
    "forces",
    "resultant",
    "centre",
    "compression",
    "shear",
    "friction_use",
    "section_use",
    "pressure",
    "status",
    pure=True,
)
def interfaces(canvas: Canvas, result: Any) -> Any:
    """Component Interfaces: one branch per joint in every output; empty where a joint carries no force."""
    result = canvas.need("result", result, StaticResult)
    make, table = canvas.make, result.joints
    names = result.structure.names
    pairs = result.interface_body.tolist()
    outlines = np.split(result.polygon, result.polygon_start[1:-1]) if pairs else []
    cuts = list(zip(result.contact_start[:-1].tolist(), result.contact_start[1:].tolist()))
    points, forces = make.points(result.contact_point), make.plain_vectors(result.contact_force)
    centres = make.points(np.nan_to_num(table.centre))
    loaded = table.loaded.tolist()

    def of_loaded(values: Iterable[Any]) -> Any:
        return canvas.tree([value if has else [] for value, has in zip(values, loaded)])

    return (
        canvas.tree([make.polyline(line, closed=True) if len(line) > 1 else [] for line in outlines]),
        canvas.tree([[names[a], names[b]] for a, b in pairs]),
        canvas.tree([points[first:last] for first, last in cuts]),
        canvas.tree([forces[first:last] for first, last in cuts]),
        canvas.tree(make.plain_vectors(table.resultant)),
        of_loaded(centres),
        canvas.tree(table.normal_force.tolist()),
        canvas.tree(table.shear_force.tolist()),
        of_loaded(table.friction_utilisation.tolist()),
        of_loaded(table.section_utilisation.tolist()),
        of_loaded((table.peak_pressure / MPA).tolist()),
        canvas.tree([STATUS[k] for k in table.status.tolist()]),
    )
