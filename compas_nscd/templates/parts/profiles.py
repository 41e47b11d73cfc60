"""Centre lines of arches: circular, pointed, elliptical, basket (three-centred), catenary.

All are symmetric about x = 0. The right half is a function `place(s)` of the relative arc length s, from 0 at the
springing (z = 0) to 1 at the crown; it returns a point and the unit normal that points away from the opening.
"""

from __future__ import annotations

import math
from typing import Callable, NamedTuple

import numpy as np

from compas_nscd.templates.parts.parameters import SHORTEST, require, require_choice, require_positive

#: Shapes of centre lines.
SHAPES = ("circular", "pointed", "elliptical", "basket", "catenary")
#: Angle above the horizon of the common radius of flank and crown of a basket arch [rad].
BASKET_ANGLE = math.pi / 3


#: s -> (x, z, normal x, normal z) [m, m, -, -]
Place = Callable[[float], tuple[float, float, float, float]]


class Profile(NamedTuple):
    """Right half of a centre line."""

    place: Place  # an arc may be continued beyond its crown
    least_radius: float  # of curvature [m]
    upright: bool  # whether the springing joint is horizontal


def profile(shape: str, span: float, rise: float | None = None) -> Profile:
    """The centre line of an arch.

    Parameters
    ----------
    shape : str
        One of `SHAPES`.
    span : float
        [m]
    rise : float, optional
        [m]; the default depends on the shape.
    """
    require_choice("shape", shape, SHAPES)
    require_positive(span=span)
    if rise is None:
        rise = span * {"circular": 0.5, "pointed": math.sqrt(0.75), "catenary": 0.5}.get(shape, 1 / 3)
    return _MAKERS[shape](span / 2, rise)


def _circular(half: float, rise: float) -> Profile:
    require("rise", rise, SHORTEST, half, strict=False)
    radius = (half**2 + rise**2) / (2 * rise)
    embrace = math.atan2(half, radius - rise)
    arc = _arc(0.0, rise - radius, radius, math.pi / 2 - embrace, math.pi / 2)
    return Profile(arc, radius, rise == half)


def _pointed(half: float, rise: float) -> Profile:
    require("rise", rise, half)
    radius = (half**2 + rise**2) / (2 * half)
    centre = half - radius
    return Profile(_arc(centre, 0.0, radius, 0.0, math.acos(-centre / radius)), radius, True)


def _arc(x: float, z: float, radius: float, start: float, end: float) -> Place:
    def place(s: float) -> tuple[float, float, float, float]:
        angle = start + (end - start) * s
        c, n = math.cos(angle), math.sin(angle)
        return x + radius * c, z + radius * n, c, n

    return place


def _elliptical(half: float, rise: float) -> Profile:
    require("rise", rise, 0.0)
    angle = np.linspace(0.0, math.pi / 2, 4097)
    length = np.cumsum(np.hypot(np.diff(half * np.cos(angle)), np.diff(rise * np.sin(angle))))
    length = np.concatenate([[0.0], length]) / length[-1]

    def place(s: float) -> tuple[float, float, float, float]:
        a = float(np.interp(s, length, angle))
        x, z, across = half * math.cos(a), rise * math.sin(a), math.hypot(rise * math.cos(a), half * math.sin(a))
        return x, z, rise * math.cos(a) / across, half * math.sin(a) / across

    return Profile(place, min(half**2 / rise, rise**2 / half), True)


def _basket(half: float, rise: float) -> Profile:
    # Centres (half - r, 0) and (0, -d) lie on the common radius: half - r = (R - r) cos, d = (R - r) sin, rise = R - d.
    c, n = math.cos(BASKET_ANGLE), math.sin(BASKET_ANGLE)
    require("rise", rise, half * (1 - n) / c, half)
    flank = (rise - half * (1 - n) / c) / (1 - (1 - n) / c)
    crown = flank + (half - flank) / c
    outer = _arc(half - flank, 0.0, flank, 0.0, BASKET_ANGLE)
    inner = _arc(0.0, -(crown - flank) * n, crown, BASKET_ANGLE, math.pi / 2)
    share = flank * BASKET_ANGLE / (flank * BASKET_ANGLE + crown * (math.pi / 2 - BASKET_ANGLE))

    def place(s: float) -> tuple[float, float, float, float]:
        return outer(s / share) if s < share else inner((s - share) / (1 - share))

    return Profile(place, flank, True)


def _catenary(half: float, rise: float) -> Profile:
    require("rise", rise, 0.0, 20.0 * half)  # the legs of steeper ones coincide
    low, high = 1e-9, 50.0  # of k = half / c, with rise = c (cosh(half / c) - 1)
    for _ in range(200):
        k = 0.5 * (low + high)
        low, high = (low, k) if math.cosh(k) - 1 > k * rise / half else (k, high)
    c = half / k

    def place(s: float) -> tuple[float, float, float, float]:
        x = c * math.asinh((1 - s) * math.sinh(k))
        return x, rise - c * (math.cosh(x / c) - 1), math.tanh(x / c), 1 / math.cosh(x / c)

    return Profile(place, c, False)


_MAKERS = dict(zip(SHAPES, (_circular, _pointed, _elliptical, _basket, _catenary)))
