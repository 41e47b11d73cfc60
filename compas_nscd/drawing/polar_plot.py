"""Greatest acceleration in every horizontal direction as a polar diagram (SVG)."""

from xml.sax.saxutils import escape

import numpy as np

from compas_nscd.errors import InputError

FONT = 'font-family="Helvetica Neue,Arial,sans-serif"'
INK, GRID, LINE = "#333333", "#dddddd", "#b8431f"
#: Circles of the grid [-]; room around the outermost, and in a page [px].
CIRCLES, ROOM, INLINE_ROOM = 4, 56, 26


def draw_polar(result, size=520, inline=False):
    """Draw the polar diagram of a ``polar:n`` limit.

    Parameters
    ----------
    result : LimitResult
    size : int, optional
        Of the picture [px].
    inline : bool, optional
        Part of a page: no title and no ground, and less room around it.

    Returns
    -------
    str
        A complete SVG document. Directions without limit have no point.
    """
    most = result.direction_multipliers
    finite = np.isfinite(most)
    if not finite.any():
        raise InputError("There is no polar diagram to draw.", remedy="Ask for a limit with vary='polar:24'.")
    step = _round_up(most[finite].max() / CIRCLES)
    centre, radius = 0.5 * size, 0.5 * size - (INLINE_ROOM if inline else ROOM)
    scale = radius / (CIRCLES * step)
    parts = []
    for k in range(1, CIRCLES + 1):
        parts.append(_circle(centre, k * step * scale))
        parts.append(_text(centre + 3, centre - k * step * scale - 3, "{:.3g} g".format(k * step), 11, "start"))
    first, second = result.directions[0], _across(result)
    for name, axis in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0))):
        along = np.array([first @ axis, -(second @ axis)])
        if np.linalg.norm(along) > 1e-6:
            end = centre + along / np.linalg.norm(along) * (radius + 14)
            parts.append(_text(end[0], end[1] + 4, name, 14))
    flat = np.column_stack([result.directions @ first, -(result.directions @ second)])
    points = centre + flat[finite] * (scale * most[finite])[:, None]
    outline = "L".join("{:.1f} {:.1f}".format(*point) for point in points)
    shape = '<path d="M{}Z" fill="{}" fill-opacity="0.15" stroke="{}" stroke-width="2"/>'
    parts.append(shape.format(outline, LINE, LINE))
    parts += ['<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}"/>'.format(*point, LINE) for point in points]
    if not inline:
        parts.insert(0, '<rect width="100%" height="100%" fill="#ffffff"/>')
        parts.append(_text(centre, 20, "{}: greatest horizontal acceleration".format(result.structure.name), 14))
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}" viewBox="0 0 {0} {0}">'.format(size)
    return head + "".join(parts) + "</svg>\n"


def _across(result):
    """Horizontal unit vector a right angle from the first direction, towards the next ones."""
    first = result.directions[0]
    other = next((d for d in result.directions[1:] if abs(d @ first) < 0.999), np.array([-first[1], first[0], 0.0]))
    second = other - (other @ first) * first
    return second / np.linalg.norm(second)


def _round_up(value):
    unit = 10.0 ** np.floor(np.log10(value))
    return next(m * unit for m in (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5, 10.0) if m * unit >= value * (1.0 - 1e-9))


def _circle(centre, radius):
    return '<circle cx="{0}" cy="{0}" r="{1:.1f}" fill="none" stroke="{2}"/>'.format(centre, radius, GRID)


def _text(x, y, text, size, anchor="middle"):
    shape = '<text x="{:.1f}" y="{:.1f}" {} font-size="{}" text-anchor="{}" fill="{}">{}</text>'
    return shape.format(x, y, FONT, size, anchor, INK, escape(text))
