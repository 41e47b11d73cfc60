"""Pictures of structures and results as SVG documents: the layout in parallel projection, forces on top."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from compas_nscd.drawing import check_layout, elastic_layout, motion_layout, quasistatic_layout, static_layout, svg
from compas_nscd.drawing.shapes import LAYERS, Curve, Drawing, Shape
from compas_nscd.drawing.sheet import CAPTION, LEVEL, Sheet, View, fitting_sheet
from compas_nscd.drawing.sheet_layers import bar_lines, curve_lines, curve_names, in_sight, labels, solids
from compas_nscd.errors import InputError
from compas_nscd.model.structure import Structure
from compas_nscd.results.deformable.modes import ModesResult
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.quasistatic import QuasistaticResult
from compas_nscd.results.static import StaticResult

#: Width of a scale of colours [px], and the number of its steps.
SCALE_WIDTH, SCALE_STEPS = 240, 60
#: Height of a scale and its numbers [px].
SCALE_HEIGHT = 32
#: Share of the loaded joints on thrust lines from which these are drawn; below it the force network is. Larger: vaults
#: lose their lines; smaller: walls show a few lines and nothing of the other forces.
ENOUGH_THRUST = 0.6
#: Depth behind visible faces down to which forces are drawn [median diagonal of a block]. Larger: forces of the far
#: side are mixed with those of the near side; smaller: forces inside visible blocks are lost.
IN_SIGHT = 1.5
#: Outcome of a motion -> how its caption begins, before the time.
PAST = {
    "stands": "stands for",
    "displaced": "stands, displaced, after",
    "moving": "still moves after",
    "fallen": "falls within",
}
#: Displacement of the fastest vertex of a falling structure [its diagonal].
FALLEN = 0.08


def draw_structure(structure: Structure, width: int = 900, view: Optional[View] = None) -> str:
    """Draw a Structure, supports darker than free blocks.

    Parameters
    ----------
    structure : Structure
    width : int
        Of the picture [px].
    view : (float, float), optional
        Azimuth and elevation of the eye [degrees], see `Sheet`; a negative elevation is a view from below. Unless given
        an arch or a wall is seen almost from the front, a dome or a vault from a corner.

    Returns
    -------
    str
        A complete SVG document.
    """
    shapes, _, curves, _, _ = static_layout.layout_structure(structure)
    sheet = fitting_sheet(shapes, curves, width, view)
    held = len(structure.supports)
    words = "{}: {} blocks, {} {}"
    caption = words.format(structure.name, len(structure.blocks), held, "support" if held == 1 else "supports")
    return sheet.page([solids(sheet, shapes, 1.0), curve_lines(sheet, curves)], caption)


def draw_mode(result: ModesResult, mode: int = 0, width: int = 900, view: Optional[View] = None) -> str:
    """Draw the shape of a vibration mode, counted from 0; `width` and `view` are those of `draw_structure`."""
    structure = result.structure
    colours = [LAYERS["supports" if block.support else "blocks"] for block in structure.blocks]
    shapes = [
        Shape("displaced", structure.names[i], *solid, colours[i], i) for i, solid in enumerate(result.moved(mode))
    ]
    sheet = fitting_sheet(shapes, [], width, view)
    caption = "{}: mode {}, {:.4g} Hz".format(structure.name, mode, result.frequency[mode])
    return sheet.page([solids(sheet, shapes, 1.0)], caption)


def draw_findings(structure: Structure, report: Dict[str, Any], width: int = 900, view: Optional[View] = None) -> str:
    """Draw a structure with the findings of a check.

    Parameters
    ----------
    structure : Structure
    report : dict
        Of `Engine.check`.
    width, view
        As in `draw_structure`.
    """
    shapes, _, curves, _, legend = check_layout.layout_findings(structure, report)
    sheet = fitting_sheet(shapes, curves, width, view)
    rows = [
        svg.text((sheet.width - 24, 24 + 18 * k), words, 14, "end", svg.hex_colour(colour))
        for k, (words, colour) in enumerate(legend)
    ]
    caption = "{}: {} blocks".format(structure.name, len(structure))
    return sheet.page([solids(sheet, shapes, 0.85), curve_lines(sheet, curves), "".join(rows)], caption)


def draw_static(
    result: StaticResult, width: int = 900, curves: Sequence[Curve] = (), view: Optional[View] = None
) -> str:
    """Draw a StaticResult: with its forces if it stands, displaced along the collapse mechanism if it falls.

    Parameters
    ----------
    result : StaticResult
    curves : list of Curve, optional
        Drawn and named instead of thrust lines and force network.
    width, view
        As in `draw_structure`.
    """
    size = float(np.linalg.norm(np.ptp(result.structure.surfaces.vertices, axis=0)))
    whole = static_layout.layout_static(result, displaced=FALLEN * size)
    if result.mechanism is None:
        sheet, layers = _standing(result, whole, width, view, flow=not curves)
    else:
        sheet, layers = _falling(whole, width, view)
    return sheet.page([*layers, curve_lines(sheet, curves), curve_names(sheet, curves)], _caption(result))


def draw_elastic(
    result: elastic_layout.AnyResult,
    kind: str = "principal",
    magnify: Optional[float] = None,
    width: int = 900,
    view: Optional[View] = None,
) -> str:
    """Draw the deformed shape of a result with deformable blocks, coloured by stress, with a scale.

    Parameters
    ----------
    result : StaticResult, DynamicResult or SubmodelResult
    kind : {"principal", "tension", "compression", "von_mises"}
        Stress of the elements that the colours show.
    magnify : float, optional
        Factor on the displacements; a round one that makes them visible unless given.
    width, view
        As in `draw_structure`.
    """
    if result.elastic is None:
        raise InputError("The result has no deformable blocks.", remedy="Draw it with draw_static or draw_dynamic.")
    factor = elastic_layout.magnification(result) if magnify is None else magnify
    shapes = elastic_layout.deformed_shapes(result, kind, factor)
    sheet = fitting_sheet(shapes, [], width, view)
    scale = _stress_scale(sheet, elastic_layout.stress_scale(result.elastic, kind))
    caption = "{}: displacements up to {:.3g} mm, drawn {:g} times as large".format(
        result.structure.name, 1e3 * result.elastic.displacement_max, factor
    )
    cracked = labels(sheet, elastic_layout.crack_dots(result), ("cracks",))
    return sheet.page([solids(sheet, shapes, 1.0), cracked, scale], caption, SCALE_HEIGHT)


def _stress_scale(sheet: Sheet, scale: elastic_layout.StressScale) -> str:
    """Colours of stresses in a bar below the caption, with numbers at its ends and at zero."""
    left, top = 40, sheet.height + CAPTION
    steps = scale.steps(SCALE_STEPS)
    each = SCALE_WIDTH / len(steps)
    box = '<rect x="{:.2f}" y="{}" width="{:.2f}" height="8" fill="{}"/>'
    parts = [box.format(left + k * each, top, each + 0.3, svg.hex_colour(c)) for k, (_, c) in enumerate(steps)]
    ends = {0.0: scale.low, 1.0: scale.high}
    reach = max(scale.high - scale.low, elastic_layout.LEAST_RANGE)
    if 0.15 < -scale.low / reach < 0.85:
        ends[-scale.low / reach] = 0.0
    for share, stress in ends.items():
        parts.append(svg.text((left + share * SCALE_WIDTH, top + 22), "{:.3g}".format(1e-6 * stress + 0.0), 11))
    parts.append(svg.text((left + SCALE_WIDTH + 24, top + 9), scale.words + " [MPa], tension positive", 12, "start"))
    return "".join(parts)


def draw_quasistatic(
    result: QuasistaticResult, width: int = 900, view: Optional[View] = None, inline: bool = False
) -> str:
    """Draw a QuasistaticResult: displaced blocks over their faint initial positions, contact forces and moments.

    Parameters
    ----------
    result : QuasistaticResult
        One that becomes a mechanism is drawn as a StaticResult that falls.
    width, view
        As in `draw_structure`.
    inline : bool, optional
        Without caption and white ground, for a page that says what is drawn.
    """
    if result.mechanism is not None:
        return draw_static(result, width, view=view)
    whole = quasistatic_layout.layout_quasistatic(result)
    before = [shape for shape in whole.shapes if shape.layer != "displaced"]
    later = [shape for shape in whole.shapes if shape.layer == "displaced"]
    sheet = fitting_sheet(whole.shapes, whole.curves, width, LEVEL if view is None and _faces_y(result) else view)
    blocks = [solids(sheet, before, 0.2), solids(sheet, later, 0.75)]
    layers = [*blocks, bar_lines(sheet, whole.bars), curve_lines(sheet, whole.curves)]
    if inline:
        return svg.page(sheet.width, sheet.height, layers, ground=False)
    told = "{} {}: {}".format(result.structure.name, result.answer, quasistatic_layout.displacement_words(result))
    return sheet.page(layers, told)


def _faces_y(result: QuasistaticResult) -> bool:
    """Whether a structure is planar, in x and z."""
    return result.structure.planar is not None and abs(result.structure.planar[1]) > 1.0 - 1e-9


def draw_dynamic(
    result: DynamicResult,
    at: Optional[float] = None,
    width: int = 900,
    magnify: float = 1.0,
    view: Optional[View] = None,
) -> str:
    """Draw one time of a DynamicResult over the structure in its initial position.

    Parameters
    ----------
    result : DynamicResult
    at : float, optional
        Time [s]; the end unless given.
    magnify : float, optional
        Factor on displacements relative to the ground.
    width, view
        As in `draw_structure`.
    """
    at = float(result.times[-1]) if at is None else at
    whole = motion_layout.layout_dynamic(result, at, magnify)
    later = [shape for shape in whole.shapes if shape.layer == "displaced"]
    given = [shape for shape in whole.shapes if shape.layer != "displaced"]
    sheet = fitting_sheet(whole.shapes, [], width, view)
    words = PAST[result.outcome]
    caption = "{} {} {:.3g} s; here at {:.3g} s".format(result.structure.name, words, result.times[-1], at)
    if magnify != 1.0:
        caption += ", displacements {:g} times as large".format(magnify)
    cables = [curve for curve in whole.curves if curve.layer == "cables"]
    layers = [solids(sheet, given, 0.25), solids(sheet, later, 1.0), curve_lines(sheet, cables)]
    return sheet.page([*layers, labels(sheet, whole.dots, ("cables",))], caption)


def _standing(
    result: StaticResult, whole: Drawing, width: int, view: Optional[View], flow: bool
) -> Tuple[Sheet, List[str]]:
    """Blocks, reactions, loads and cables; with `flow` also thrust lines or the force network."""
    kind = ("thrust" if _enough_thrust(result) else "network") if flow else None
    shown = [curve for curve in whole.curves if curve.layer in (kind, "reactions", "loads", "cables")]
    bars = [bars for bars in whole.bars if bars.layer == kind]
    given = [shape for shape in whole.shapes if shape.layer != "displaced"]
    sheet = fitting_sheet(given, shown, width, view)
    shown, bars = in_sight(sheet, given, shown, bars, IN_SIGHT * result.structure.block_size)
    texts = labels(sheet, whole.dots, ("reactions", "cables", "labels") if flow else ("reactions", "cables"))
    return sheet, [solids(sheet, given, 1.0), bar_lines(sheet, bars), curve_lines(sheet, shown), texts]


def _falling(whole: Drawing, width: int, view: Optional[View]) -> Tuple[Sheet, List[str]]:
    """Displaced blocks over the faint initial positions of those that move."""
    moving = {shape.block for shape in whole.shapes if shape.layer == "displaced"}
    later = [shape for shape in whole.shapes if shape.layer == "displaced" or shape.block not in moving]
    before = [shape for shape in whole.shapes if shape.layer != "displaced" and shape.block in moving]
    sheet = fitting_sheet(whole.shapes, [], width, view)
    return sheet, [solids(sheet, before, 0.25), solids(sheet, later, 1.0), labels(sheet, whole.dots, ("first",))]


def _enough_thrust(result: StaticResult) -> bool:
    """Whether the thrust lines pass through most of the loaded joints."""
    return sum(map(len, result.thrust_lines())) >= ENOUGH_THRUST * max(result.joints.loaded.sum(), 1)


def _caption(result: StaticResult) -> str:
    numbers = result.summary
    parts = "{blocks} blocks, {interfaces} joints".format(**numbers)
    weight = "weight {:.1f} kN".format(numbers["weight_total"] / 1e3)
    told = "{} {}. {}, {}".format(result.structure.name, result.answer, parts, weight)
    if result.verdict != "stable":
        return told
    return "{}, in balance to {:.0e} of a block's weight".format(told, numbers["unbalanced_max"])
