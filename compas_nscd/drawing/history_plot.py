"""Histories of a motion as SVG: probes and the ground, or the forces of cables, over time."""

from xml.sax.saxutils import escape

import numpy as np

from compas_nscd.errors import InputError

#: Lines of the probes in turn; the ground is thin and grey.
COLOURS = ("#b8431f", "#0b5d8c", "#d9a441", "#4f7942", "#6b4a8a")
GROUND, INK = "#8d8a83", "#333333"
FONT = 'font-family="Helvetica Neue,Arial,sans-serif"'
#: Room around the axes [px]: left, top, right, bottom.
LEFT, TOP, RIGHT, BOTTOM = 78, 40, 24, 52
#: Height of a row of the legend, width of a letter in it and between two names [px].
ROW, LETTER, APART = 18, 6.6, 24
#: Letters of a name; more are cut off.
MOST_LETTERS = 28
#: Points of a line; more cannot be seen.
MOST_POINTS = 2000


def draw_history(result, axis=None, width=900, height=420):
    """Draw the displacement of the probes and of the ground along one axis.

    Parameters
    ----------
    result : DynamicResult
        With probes.
    axis : {"x", "y", "z"}, optional
        Default: the one in which the ground, or else a probe, moves most.
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
    moved = result.probe_displacement
    if axis is None:
        travel = np.ptp(result.probe_ground, axis=0)
        travel = travel if travel.any() else np.abs(moved).max(axis=(0, 1))
        k = int(np.argmax(travel))
    elif axis in ("x", "y", "z"):
        k = "xyz".index(axis)
    else:
        raise InputError("The axis {!r:.20} is not x, y or z.".format(axis))
    names = [result.structure.names[i] for i in result.probe_block]
    lines = [("ground", GROUND, result.probe_ground[:, k])]
    lines += [("block " + name, COLOURS[i % len(COLOURS)], moved[:, i, k]) for i, name in enumerate(names)]
    title = "{}: displacement along {} [mm]".format(result.structure.name, "xyz"[k])
    return _page(result.probe_times, [(name, colour, 1e3 * y) for name, colour, y in lines], title, width, height)


def draw_cable_history(result, width=900, height=420):
    """Draw the forces of the cables over time; of many, those that pull most.

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
    lines = [(result.case.cables[k].label(k), COLOURS[i], force[:, k]) for i, k in enumerate(rows.tolist())]
    return _page(result.times, lines, "{}: forces of cables [kN]".format(result.structure.name), width, height)


def _page(t, lines, title, width, height):
    low = min(float(y.min()) for _, _, y in lines)
    high = max(float(y.max()) for _, _, y in lines)
    room = 0.05 * (high - low) or 1.0
    x_axis, y_axis = (float(t[0]), float(t[-1]) if t[-1] > t[0] else float(t[0]) + 1.0), (low - room, high + room)
    names, rows = _legend(lines, width)
    top = TOP + ROW * rows

    def place(x, y):
        px = LEFT + (np.asarray(x) - x_axis[0]) / (x_axis[1] - x_axis[0]) * (width - LEFT - RIGHT)
        return px, height - BOTTOM - (np.asarray(y) - y_axis[0]) / (y_axis[1] - y_axis[0]) * (height - top - BOTTOM)

    parts = [_axes(place, x_axis, y_axis, width, height, top), _text(LEFT, TOP - 16, title, 14, "start"), names]
    some = np.unique(np.linspace(0, len(t) - 1, min(len(t), MOST_POINTS)).astype(int))
    for _, colour, y in lines:
        points = "L".join("{:.1f} {:.1f}".format(a, b) for a, b in zip(*place(t[some], y[some])))
        parts.append('<path d="M{}" fill="none" stroke="{}" stroke-width="1.6"/>'.format(points, colour))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}">'
        '<rect width="100%" height="100%" fill="#ffffff"/>{2}</svg>\n'
    ).format(width, height, "".join(parts))


def _legend(lines, width):
    """Names of the lines below the title, in as many rows as they need, and how many these are."""
    parts, x, row = [], LEFT, 1
    for name, colour, _ in lines:
        name = name if len(name) <= MOST_LETTERS else name[: MOST_LETTERS - 1] + "\u2026"
        if x > LEFT and x + LETTER * len(name) > width - RIGHT:
            x, row = LEFT, row + 1
        parts.append(_text(x, TOP - 16 + ROW * row, name, 12, "start", colour))
        x += LETTER * len(name) + APART
    return "".join(parts), row


def _axes(place, x_axis, y_axis, width, height, top):
    parts = []
    for value in _ticks(*x_axis):
        x = float(place(value, 0.0)[0])
        parts.append(_line(x, top, x, height - BOTTOM) + _text(x, height - BOTTOM + 18, "{:g}".format(value), 12))
    for value in _ticks(*y_axis):
        y = float(place(0.0, value)[1])
        parts.append(_line(LEFT, y, width - RIGHT, y) + _text(LEFT - 8, y + 4, "{:g}".format(value), 12, "end"))
    parts.append(_text(0.5 * (LEFT + width - RIGHT), height - 12, "time [s]", 12))
    return "".join(parts)


def _ticks(low, high):
    """Round numbers, about six of them; none is -0."""
    raw = (high - low) / 6.0
    unit = 10.0 ** np.floor(np.log10(raw))
    step = next(m * unit for m in (1.0, 2.0, 5.0, 10.0) if m * unit >= raw * (1.0 - 1e-9))
    count = np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1.0)
    return [float("{:.12g}".format(k * step)) + 0.0 for k in count]


def _line(x1, y1, x2, y2):
    shape = '<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="#dddddd" stroke-width="1" fill="none"/>'
    return shape.format(x1, y1, x2, y2)


def _text(x, y, text, size, anchor="middle", colour=INK):
    shape = '<text x="{:.1f}" y="{:.1f}" {} font-size="{}" text-anchor="{}" fill="{}">{}</text>'
    return shape.format(x, y, FONT, size, anchor, colour, escape(text))
