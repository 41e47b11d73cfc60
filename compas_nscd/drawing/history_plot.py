"""Histories of a motion as SVG: displacements of probes and of the ground, or forces of cables, over time."""

from typing import List, Optional, Tuple

import numpy as np

from compas_nscd.drawing import svg
from compas_nscd.errors import InputError
from compas_nscd.results.dynamic import DynamicResult

#: Colours of the lines in turn.
COLOURS = ("#b8431f", "#0b5d8c", "#d9a441", "#4f7942", "#6b4a8a")
GROUND = "#8d8a83"
#: Margins around the axes [px].
LEFT, TOP, RIGHT, BOTTOM = 78, 40, 24, 52
#: Height of a row of the legend [px].
ROW = 18
#: Mean width of a letter of the legend [px]. Smaller: long rows run out of the picture.
LETTER = 6.6
#: Space between two names of the legend [px].
APART = 24
#: Letters of a name in the legend; a longer name is cut.
MOST_LETTERS = 28
#: Points of a line. More: a larger file that looks the same.
MOST_POINTS = 2000

#: Name, colour, values.
Line = Tuple[str, str, np.ndarray]


def draw_history(result: DynamicResult, axis: Optional[str] = None, width: int = 900, height: int = 420) -> str:
    """Draw the displacement of the probes and of the ground along one axis.

    Parameters
    ----------
    result : DynamicResult
        With probes.
    axis : {"x", "y", "z"}, optional
        Default: that of the greatest displacement of the ground, or of the probes if the ground is at rest.
    width, height : int
        Of the picture [px].

    Returns
    -------
    str
        A complete SVG document.
    """
    if not len(result.probe_block):
        raise InputError("The motion has no probes to draw.", remedy="Name blocks in `probes`.")
    if not len(result.probe_times):
        raise InputError("The motion ended before its first step: there is nothing to draw.")
    k = _axis(result, axis)
    lines = [("ground", GROUND, 1e3 * result.probe_ground[:, k])]
    for i, block in enumerate(result.probe_block):
        name = "block " + result.structure.names[block]
        lines.append((name, COLOURS[i % len(COLOURS)], 1e3 * result.probe_displacement[:, i, k]))
    title = "{}: displacement along {} [mm]".format(result.structure.name, "xyz"[k])
    return _page(result.probe_times, lines, title, width, height)


def draw_cable_history(result: DynamicResult, width: int = 900, height: int = 420) -> str:
    """Draw the forces of the cables over time; of many cables, those with the greatest forces.

    Parameters
    ----------
    result : DynamicResult
        With cables.
    width, height : int
        Of the picture [px].

    Returns
    -------
    str
        A complete SVG document.
    """
    if "cable_forces" not in result.arrays:
        raise InputError("The motion has no cables to draw.", remedy="Give the load case cables.")
    force = 1e-3 * result.cable_forces
    rows = np.sort(np.argsort(-force.max(axis=0), kind="stable")[: len(COLOURS)])
    lines = [(result.cables[k].label(k), COLOURS[i], force[:, k]) for i, k in enumerate(rows.tolist())]
    return _page(result.times, lines, "{}: forces of cables [kN]".format(result.structure.name), width, height)


def _axis(result: DynamicResult, axis: Optional[str]) -> int:
    """Index of an axis, by default that of the greatest displacement."""
    if axis is None:
        travel = np.ptp(result.probe_ground, axis=0)
        return int(np.argmax(travel if travel.any() else np.abs(result.probe_displacement).max(axis=(0, 1))))
    if axis not in ("x", "y", "z"):
        raise InputError("The axis {!r:.20} is not x, y or z.".format(axis))
    return "xyz".index(axis)


def _page(t: np.ndarray, lines: List[Line], title: str, width: int, height: int) -> str:
    """A plot of values over time [s]."""
    low = min(float(y.min()) for _, _, y in lines)
    high = max(float(y.max()) for _, _, y in lines)
    margin = 0.05 * (high - low) or 1.0
    end = float(t[-1]) if t[-1] > t[0] else float(t[0]) + 1.0
    names, rows = _legend(lines, width)
    ranges = (float(t[0]), end), (low - margin, high + margin)
    axes = svg.Axes(*ranges, LEFT, TOP + ROW * rows, width - RIGHT, height - BOTTOM)
    parts = [axes.grid("time [s]"), svg.text((LEFT, TOP - 16), title, 14, "start"), names]
    some = np.unique(np.linspace(0, len(t) - 1, min(len(t), MOST_POINTS)).astype(int))
    parts += [svg.line(axes.place(t[some], y[some]), colour, 1.6) for _, colour, y in lines]
    return svg.page(width, height, parts)


def _legend(lines: List[Line], width: int) -> Tuple[str, int]:
    """Names of the lines below the title, and the number of rows they need."""
    parts, x, row = [], float(LEFT), 1
    for name, colour, _ in lines:
        name = name if len(name) <= MOST_LETTERS else name[: MOST_LETTERS - 1] + "\u2026"
        if x > LEFT and x + LETTER * len(name) > width - RIGHT:
            x, row = float(LEFT), row + 1
        parts.append(svg.text((x, TOP - 16 + ROW * row), name, 12, "start", colour))
        x += LETTER * len(name) + APART
    return "".join(parts), row
