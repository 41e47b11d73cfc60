"""Stones of revolution about the z axis, with plane facets between meridians."""

from __future__ import annotations

import math
from collections.abc import Sequence

from compas_nscd.templates.parts.shapes import Corner, Point, Solid, loft


class Shell:
    """Polar coordinates on a faceted body of revolution.

    Parameters
    ----------
    facets : int
        Plane facets around the full circle.
    start : float
        Direction of meridian 0, from x towards y [rad].

    Notes
    -----
    A stone may cover several facets, so that staggered stones of neighbouring courses share facets: the conical beds of
    a dome in bond then have neither gaps nor overlaps. Such stones are slightly concave.
    """

    def __init__(self, facets: int, start: float = 0.0) -> None:
        turn = 2 * math.pi / facets
        self.facets = facets
        self._around = [(math.cos(start + k * turn), math.sin(start + k * turn)) for k in range(facets)]

    def section(self, meridian: int, outline: Sequence[Corner]) -> list[Point]:
        """Corners of an outline of (distance from the axis, z) in the plane of a meridian."""
        c, s = self._around[meridian % self.facets]
        return [(h * c, h * s, z) for h, z in outline]

    def stone(self, outline: Sequence[Corner], first: int, last: int) -> Solid:
        """Solid from meridian `first` to `last` of a clockwise outline (axis on the left, z up)."""
        return loft(*[self.section(k, outline) for k in range(first, last + 1)])

    def plan(self, radius: float, z: float, step: int = 1) -> list[Point]:
        """Corners of the polygon through every `step`-th meridian, counter-clockwise from above."""
        return [p for k in range(0, self.facets, step) for p in self.section(k, [(radius, z)])]


def rectangle(inner: float, outer: float, low: float, high: float) -> list[Corner]:
    """Outline of a ring with horizontal beds, clockwise [m]."""
    return [(inner, low), (inner, high), (outer, high), (outer, low)]


class Meridian:
    """Meridian of a dome: a quarter circle, or a shorter arc of larger radius if the dome is pointed.

    Parameters
    ----------
    radius : float
        Of the dome at the springing, on the middle surface [m].
    rise : float
        Height at which the middle surface would meet the axis [m]; at least the radius.
    thickness : float
        [m]
    """

    def __init__(self, radius: float, rise: float, thickness: float) -> None:
        self.radius = (radius**2 + rise**2) / (2 * radius)  # of the arc
        self.centre = radius - self.radius  # distance of its centre from the axis, 0 or negative
        self.inner, self.outer = self.radius - thickness / 2, self.radius + thickness / 2

    def at(self, r: float, latitude: float) -> Corner:
        """Distance from the axis and height of a point [m]; the latitude is measured from the springing [rad]."""
        return self.centre + r * math.cos(latitude), r * math.sin(latitude)

    def outline(self, low: float, high: float) -> list[Corner]:
        """Outline of a course between two latitudes [rad], clockwise."""
        corners = ((self.inner, low), (self.inner, high), (self.outer, high), (self.outer, low))
        return [self.at(r, latitude) for r, latitude in corners]

    def latitude(self, distance: float) -> float:
        """Latitude [rad] at which the middle surface has this distance from the axis [m]."""
        return math.acos((distance - self.centre) / self.radius)

    @property
    def closing(self) -> float:
        """Latitude at which the inner surface meets the axis [rad]."""
        return math.acos(-self.centre / self.inner)
