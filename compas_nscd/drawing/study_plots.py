"""Curves of studies as SVG: fragility with its band, incremental dynamic analyses, and two aims against each other."""

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from compas_nscd.drawing import svg

#: Colour of curves, of points that collapse, and of other points.
CURVE, FALLS, STANDS = "#0b5d8c", "#b8431f", "#4f7942"
#: Margins around the axes [px].
LEFT, TOP, RIGHT, BOTTOM = 66, 40, 24, 52
#: Radius of a point [px].
DOT = 4.0
#: Points of a curve.
SAMPLES = 120


class Point(NamedTuple):
    """A run in a plot."""

    x: float
    y: float
    falls: bool
    link: Optional[str] = None  # address that the point leads to
    title: str = ""  # shown under the pointer


def draw_fragility(
    curve: Any, shares: Sequence[Point], measure: str, title: str, width: int = 640, height: int = 400
) -> str:
    """Draw a fragility curve, its band, and the shares that were counted.

    Parameters
    ----------
    curve : Fragility
    shares : list of Point
        Levels and shares of runs that reached the limit state; none of an incremental analysis.
    measure : str
        Name of the intensity, with its unit.
    title : str
    width, height : int
        [px]

    Returns
    -------
    str
        A complete SVG document.
    """
    most = max([curve.median * np.exp(2.5 * curve.dispersion), *(point.x for point in shares)])
    axes = svg.Axes((0.0, 1.05 * most), (0.0, 1.0), LEFT, TOP, width - RIGHT, height - BOTTOM)
    x = np.linspace(1e-6 * most, 1.05 * most, SAMPLES)
    parts = [axes.grid(measure), svg.text((LEFT, TOP - 14), title, 14, "start")]
    if curve.replicates is not None:
        low, high = curve.band(x)
        around = np.concatenate([axes.place(x, low), axes.place(x, high)[::-1]])
        parts.append('<path d="{}" fill="{}" fill-opacity="0.15"/>'.format(svg.outline(around), CURVE))
    parts.append(svg.line(axes.place(x, curve.probability(x)), CURVE, 2.0))
    return svg.page(width, height, parts + _points(axes, shares))


def draw_hunts(
    hunts: Sequence[Sequence[Point]], names: Tuple[str, str], title: str, width: int = 640, height: int = 400
) -> str:
    """Draw the curves of an incremental dynamic analysis: level over measure, one line for each record.

    Parameters
    ----------
    hunts : list of list of Point
        Of every record, ascending.
    names : (str, str)
        Of the axes, with their units.
    title : str
    width, height : int
        [px]
    """
    points = [point for hunt in hunts for point in hunt]
    axes = _axes(points, width, height)
    parts = [axes.grid(names[0]), svg.text((LEFT, TOP - 14), "{}: {} over {}".format(title, *names[::-1]), 14, "start")]
    for hunt in hunts:
        parts.append(svg.line(axes.place(*_columns(hunt)), "#8d8a83", 1.0))
    return svg.page(width, height, parts + _points(axes, points))


def draw_pareto(
    points: Sequence[Point], front: Sequence[int], names: Tuple[str, str], width: int = 640, height: int = 400
) -> str:
    """Draw runs by two aims, and the front of those that no other run beats in both.

    Parameters
    ----------
    points : list of Point
    front : list of int
        Indices of the points of the front, in order.
    names : (str, str)
        Of the axes, with their units.
    width, height : int
        [px]
    """
    axes = _axes(points, width, height)
    best = [points[k] for k in front]
    parts = [axes.grid(names[0]), svg.text((LEFT, TOP - 14), "{} over {}".format(*names[::-1]), 14, "start")]
    parts.append(svg.line(axes.place(*_columns(best)), CURVE, 2.0))
    return svg.page(width, height, parts + _points(axes, points))


def draw_spectra(periods: np.ndarray, spectra: np.ndarray, title: str, width: int = 640, height: int = 400) -> str:
    """Draw response spectra and their median.

    Parameters
    ----------
    periods : array (P,)
        [s]
    spectra : array (n, P)
        Pseudo-accelerations [g] of n records.
    title : str
    width, height : int
        [px]
    """
    ranges = (0.0, float(periods[-1])), (0.0, 1.05 * float(spectra.max()))
    axes = svg.Axes(*ranges, LEFT, TOP, width - RIGHT, height - BOTTOM)
    parts = [axes.grid("period [s]"), svg.text((LEFT, TOP - 14), title + ": pseudo-acceleration [g]", 14, "start")]
    parts += [svg.line(axes.place(periods, row), "#c9c4b8", 1.0) for row in spectra]
    parts.append(svg.line(axes.place(periods, np.median(spectra, axis=0)), CURVE, 2.2))
    return svg.page(width, height, parts)


def _axes(points: Sequence[Point], width: int, height: int) -> svg.Axes:
    """Axes from zero, or from the least value, to what the points need."""
    ranges = []
    for values in _columns(points):
        low, high = min(0.0, float(values.min())), float(values.max())
        ranges.append((low, high + 0.05 * ((high - low) or 1.0)))
    return svg.Axes(ranges[0], ranges[1], LEFT, TOP, width - RIGHT, height - BOTTOM)


def _columns(points: Sequence[Point]) -> Tuple[np.ndarray, np.ndarray]:
    return np.array([point.x for point in points]), np.array([point.y for point in points])


def _points(axes: svg.Axes, points: Sequence[Point]) -> List[str]:
    """Circles, each leading to its run."""
    parts = []
    for point in points:
        x, y = axes.place(point.x, point.y)[0]
        colour = FALLS if point.falls else STANDS
        dot = '<circle cx="{:.1f}" cy="{:.1f}" r="{:g}" fill="{}"><title>{}</title></circle>'
        drawn = dot.format(x, y, DOT, colour, svg.escape(point.title))
        parts.append('<a href="{}">{}</a>'.format(svg.escape(point.link), drawn) if point.link else drawn)
    return parts
