"""Greatest acceleration in every horizontal direction as a polar diagram (SVG)."""

from typing import List

import numpy as np

from compas_nscd.drawing import svg
from compas_nscd.errors import InputError
from compas_nscd.results.limit import LimitResult

LINE = "#b8431f"
#: Circles of the grid.
CIRCLES = 4
#: Mantissas of the distance of two circles.
ROUND = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5, 10.0)
#: Margin around the outermost circle [px].
MARGIN = 56
#: The same for a diagram inside a page [px].
INLINE_MARGIN = 26


def draw_polar(result: LimitResult, size: int = 520, inline: bool = False) -> str:
    """Draw the polar diagram of a ``polar:n`` limit.

    Parameters
    ----------
    result : LimitResult
    size : int, optional
        Of the picture [px].
    inline : bool, optional
        Part of a page: no title, transparent ground and a smaller margin.

    Returns
    -------
    str
        A complete SVG document. Directions without limit have no point.
    """
    most = result.direction_multipliers
    finite = np.isfinite(most)
    if not finite.any():
        raise InputError("There is no polar diagram to draw.", remedy="Ask for a limit with vary='polar:24'.")
    step = svg.round_up(most[finite].max() / CIRCLES, ROUND)
    centre, radius = 0.5 * size, 0.5 * size - (INLINE_MARGIN if inline else MARGIN)
    first, second = result.directions[0], _across(result)
    parts = _grid(centre, radius, step) + _axis_names(centre, radius, first, second)
    flat = np.column_stack([result.directions @ first, -(result.directions @ second)])
    points = centre + flat[finite] * (radius / (CIRCLES * step) * most[finite])[:, None]
    shape = '<path d="{}" fill="{}" fill-opacity="0.15" stroke="{}" stroke-width="2"/>'
    parts.append(shape.format(svg.outline(points, digits=1), LINE, LINE))
    parts += ['<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}"/>'.format(x, y, LINE) for x, y in points]
    if not inline:
        parts.append(svg.text((centre, 20), "{}: greatest horizontal acceleration".format(result.structure.name), 14))
    return svg.page(size, size, parts, ground=not inline)


def _grid(centre: float, radius: float, step: float) -> List[str]:
    """Circles and their accelerations, `step` [g] apart."""
    parts, shape = [], '<circle cx="{0}" cy="{0}" r="{1:.1f}" fill="none" stroke="{2}"/>'
    scale = radius / (CIRCLES * step)
    for k in range(1, CIRCLES + 1):
        own = k * step * scale
        parts.append(shape.format(centre, own, svg.GRID))
        parts.append(svg.text((centre + 3, centre - own - 3), "{:.3g} g".format(k * step), 11, "start"))
    return parts


def _axis_names(centre: float, radius: float, first: np.ndarray, second: np.ndarray) -> List[str]:
    """Names of the axes x and y outside the circles, where they are horizontal."""
    parts = []
    for name, axis in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0))):
        along = np.array([first @ axis, -(second @ axis)])
        if np.linalg.norm(along) > 1e-6:
            end = centre + along / np.linalg.norm(along) * (radius + 14)
            parts.append(svg.text((end[0], end[1] + 4), name, 14))
    return parts


def _across(result: LimitResult) -> np.ndarray:
    """Horizontal unit vector at a right angle to the first direction, on the side of the next ones. (3,)"""
    first = result.directions[0]
    other = next((d for d in result.directions[1:] if abs(d @ first) < 0.999), np.array([-first[1], first[0], 0.0]))
    second = other - (other @ first) * first
    return second / np.linalg.norm(second)
