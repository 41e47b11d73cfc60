"""SVG documents: page, text, paths, colours, and axes with round numbers. Lengths in pixels, y downwards."""

from typing import Iterable, List, NamedTuple, Sequence, Tuple, Union
from xml.sax.saxutils import escape

import numpy as np

#: Fonts of all texts, and the colour of plain ones.
FONT = 'font-family="Helvetica Neue,Arial,sans-serif"'
INK = "#333333"
#: Colour of grid lines.
GRID = "#dddddd"
#: Intervals of a grid that are aimed at. More: the numbers of neighbouring lines touch.
INTERVALS = 6
#: Rounding error of a tick [interval]. Smaller: a tick at the end of the range is lost to rounding.
TICK_ROUNDING = 1e-9


def page(width: int, height: int, parts: Iterable[str], ground: bool = True) -> str:
    """Return a complete document, white unless `ground` is False."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}">'
    white = '<rect width="100%" height="100%" fill="#ffffff"/>' if ground else ""
    return "{}{}{}</svg>\n".format(head.format(width, height), white, "".join(parts))


def text(
    at: Sequence[float], content: str, size: int, anchor: str = "middle", colour: str = INK, halo: bool = False
) -> str:
    """Return a text whose baseline starts, ends or is centred at a point.

    Parameters
    ----------
    at : (float, float)
        [px]
    content : str
        Escaped here.
    size : int
        Of the font [px].
    anchor : {"start", "middle", "end"}
    colour : str
    halo : bool
        White edge, for texts on a drawing.
    """
    edge = ' stroke="#ffffff" stroke-width="3" paint-order="stroke"' if halo else ""
    shape = '<text x="{:.1f}" y="{:.1f}" {} font-size="{}" text-anchor="{}" fill="{}"{}>{}</text>'
    return shape.format(at[0], at[1], FONT, size, anchor, colour, edge, escape(content))


def outline(points: Iterable[Sequence[float]], close: bool = True, digits: int = 2) -> str:
    """Return the `d` of a path through points (n, 2) [px]."""
    pattern = "{{:.{0}f}} {{:.{0}f}}".format(digits)
    return "M" + "L".join(pattern.format(x, y) for x, y in points) + ("Z" if close else "")


def line(points: Iterable[Sequence[float]], colour: str, width: float, digits: int = 1) -> str:
    """Return an open polyline through points (n, 2) [px]."""
    shape = '<path d="{}" fill="none" stroke="{}" stroke-width="{:g}"/>'
    return shape.format(outline(points, False, digits), colour, width)


def hex_colour(colour: Iterable[float]) -> str:
    """Return a colour (red, green, blue), 0 to 255, as #rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*(int(part) for part in colour))


def ticks(low: float, high: float) -> List[float]:
    """Return round numbers between two, about INTERVALS of them; none is -0."""
    step = round_up((high - low) / INTERVALS, (1.0, 2.0, 5.0, 10.0))
    first, last = np.ceil(low / step - TICK_ROUNDING), np.floor(high / step + TICK_ROUNDING)
    return [float("{:.12g}".format(k * step)) + 0.0 for k in np.arange(first, last + 1.0)]


def round_up(value: float, mantissas: Sequence[float]) -> float:
    """Return the least round number that is not below a positive value; mantissas from 1 to 10."""
    unit = 10.0 ** np.floor(np.log10(value))
    return next(m * unit for m in mantissas if m * unit >= value * (1.0 - TICK_ROUNDING))


class Axes(NamedTuple):
    """Axes of a plot: ranges of values, and the rectangle that they fill."""

    x: Tuple[float, float]
    y: Tuple[float, float]
    left: float  # [px]
    top: float  # [px]
    right: float  # [px]
    bottom: float  # [px]

    def place(self, x: Union[float, np.ndarray], y: Union[float, np.ndarray]) -> np.ndarray:
        """Return points [px] (n, 2) of values (n,), (n,)."""
        across = self.left + (np.asarray(x) - self.x[0]) / (self.x[1] - self.x[0]) * (self.right - self.left)
        up = (np.asarray(y) - self.y[0]) / (self.y[1] - self.y[0]) * (self.bottom - self.top)
        return np.column_stack(np.broadcast_arrays(across, self.bottom - up))

    def grid(self, name: str) -> str:
        """Return grid lines with their numbers, and the name of the horizontal axis below them."""
        parts = []
        for value in ticks(*self.x):
            x = float(self.place(value, 0.0)[0, 0])
            parts.append(line([(x, self.top), (x, self.bottom)], GRID, 1))
            parts.append(text((x, self.bottom + 18), "{:g}".format(value), 12))
        for value in ticks(*self.y):
            y = float(self.place(0.0, value)[0, 1])
            parts.append(line([(self.left, y), (self.right, y)], GRID, 1))
            parts.append(text((self.left - 8, y + 4), "{:g}".format(value), 12, "end"))
        parts.append(text((0.5 * (self.left + self.right), self.bottom + 40), name, 12))
        return "".join(parts)
