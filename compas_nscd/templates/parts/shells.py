"""Stones of revolution about the z axis, with plane facets between meridians."""

import math

from compas_nscd.templates.parts.shapes import loft


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
    A stone may cover several facets, so that stones of neighbouring courses share facets when they are staggered: the
    conical beds of a dome in bond then fit without gap or overlap. Such stones are slightly concave.
    """

    def __init__(self, facets, start=0.0):
        turn = 2 * math.pi / facets
        self.facets = facets
        self._around = [(math.cos(start + k * turn), math.sin(start + k * turn)) for k in range(facets)]

    def section(self, meridian, outline):
        """Corners of an outline of (distance from the axis, z) in the plane of a meridian."""
        c, s = self._around[meridian % self.facets]
        return [(h * c, h * s, z) for h, z in outline]

    def stone(self, outline, first, last):
        """Solid over meridians `first` to `last` of an outline that runs clockwise (axis on the left, z up)."""
        return loft(*[self.section(k, outline) for k in range(first, last + 1)])

    def plan(self, radius, z, step=1):
        """Corners of the polygon through every `step`-th meridian, counter-clockwise from above."""
        return [p for k in range(0, self.facets, step) for p in self.section(k, [(radius, z)])]


def rectangle(inner, outer, low, high):
    """Outline of a ring with horizontal beds, clockwise [m]."""
    return [(inner, low), (inner, high), (outer, high), (outer, low)]


class Meridian:
    """Arc that a dome is turned from: a quarter circle, or less of a larger one if the dome is pointed.

    Parameters
    ----------
    radius : float
        Of the dome at the springing, on the middle surface [m].
    rise : float
        Where the middle surface would meet the axis [m]; at least the radius.
    thickness : float
        [m]
    """

    def __init__(self, radius, rise, thickness):
        self.radius = (radius**2 + rise**2) / (2 * radius)  # of the arc
        self.centre = radius - self.radius  # distance of its centre from the axis, 0 or negative
        self.inner, self.outer = self.radius - thickness / 2, self.radius + thickness / 2

    def at(self, r, latitude):
        """Distance from the axis and height of a point; the latitude counts from the springing [m, rad]."""
        return self.centre + r * math.cos(latitude), r * math.sin(latitude)

    def outline(self, low, high):
        """Of a course between two latitudes [rad], clockwise."""
        corners = ((self.inner, low), (self.inner, high), (self.outer, high), (self.outer, low))
        return [self.at(r, latitude) for r, latitude in corners]

    def latitude(self, distance):
        """Where the middle surface is this far from the axis [rad]."""
        return math.acos((distance - self.centre) / self.radius)

    @property
    def closing(self):
        """Latitude at which the inner surface meets the axis [rad]."""
        return math.acos(-self.centre / self.inner)
