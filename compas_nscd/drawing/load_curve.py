"""Load-displacement curves of quasi-static analyses as SVG."""

from typing import Any, List, Sequence, Tuple

import numpy as np

from compas_nscd.drawing import svg
from compas_nscd.drawing.history_plot import COLOURS
from compas_nscd.errors import InputError
from compas_nscd.results.quasistatic import QuasistaticResult

#: Margins around the axes [px].
LEFT, TOP, RIGHT, BOTTOM = 78, 52, 24, 52
#: Margins at the left and at the top without a title [px].
INLINE_LEFT, INLINE_TOP = 40, 10
#: Radius of the mark of an increment [px].
MARK = 2.4


def draw_curve(
    results: Sequence[Tuple[str, QuasistaticResult]],
    block: Any = None,
    axis: str = "z",
    load: Any = None,
    size: Tuple[int, int] = (900, 420),
    inline: bool = False,
) -> str:
    """Draw the load-displacement curves of one or more analyses.

    Parameters
    ----------
    results : list of (str, QuasistaticResult)
        With their names.
    block, axis, load
        As in `QuasistaticResult.curve`.
    size : (int, int), optional
        Width and height of the picture [px].
    inline : bool, optional
        Without title, names and white ground, for a page that has them.

    Returns
    -------
    str
        A complete SVG document.
    """
    curves = [(name, *result.curve(block, axis, load)) for name, result in results]
    if not any(len(x) > 1 for _, x, _ in curves):
        raise InputError("No increment has converged: there is no curve to draw.")
    x_all, y_all = 1e3 * np.concatenate([x for _, x, _ in curves]), np.concatenate([y for _, _, y in curves])
    unit = 1.0 if load is None else 1e-3
    left, top = (INLINE_LEFT, INLINE_TOP) if inline else (LEFT, TOP)
    axes = svg.Axes(_range(x_all), _range(unit * y_all), left, top, size[0] - RIGHT, size[1] - BOTTOM)
    parts = [axes.grid("displacement {}[mm]".format("" if block is None else "of {} along {} ".format(block, axis)))]
    if not inline:
        parts.append(svg.text((LEFT, 20), _title(results[0][1], axis, load), 14, "start"))
    for k, (name, x, y) in enumerate(curves):
        colour = COLOURS[k % len(COLOURS)]
        parts += _curve(axes.place(1e3 * x, unit * y), colour)
        if not inline:
            parts.append(svg.text((LEFT + 130 * k, 40), name, 12, "start", colour))
    return svg.page(*size, parts, ground=not inline)


def _title(result: QuasistaticResult, axis: str, load: Any) -> str:
    name = result.structure.name
    if load is None:
        return "{}: share of the load, stage by stage [-]".format(name)
    return "{}: force of {} along {} [kN]".format(name, load, axis)


def _range(values: np.ndarray) -> Tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    margin = 0.05 * (high - low) or 1.0
    return low - margin, high + margin


def _curve(points: np.ndarray, colour: str) -> List[str]:
    """A line with a mark at every increment."""
    mark = '<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="{}"/>'
    return [svg.line(points, colour, 1.6)] + [mark.format(x, y, MARK, colour) for x, y in points]
