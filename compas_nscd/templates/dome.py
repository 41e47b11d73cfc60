"""Dome of radial blocks with an oculus, on a fixed ring."""

import math

from compas_nscd.structure import ContactLaw, Structure
from compas_nscd.templates.shapes import hexahedron, require, require_count


def dome(radius=5.0, thickness=0.5, courses=12, sectors=24, oculus=15.0, density=2400.0, friction=0.6):
    """A hemispherical dome, courses in stack bond, closed by nothing above the oculus.

    Parameters
    ----------
    radius, thickness : float
        Of the middle surface, and through it [m].
    courses, sectors : int
        Blocks from the springing to the oculus, and around.
    oculus : float
        Half the opening angle of the oculus, seen from the centre [degrees].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Supports ``base0`` ..., then blocks ``c0s0`` ... course by course.
    """
    require("radius", radius, 0.0, math.inf)
    require("thickness", thickness, 0.0, 2 * radius)
    require("oculus", oculus, 0.0, 90.0)
    require_count("courses", courses, 1)
    require_count("sectors", sectors, 3)
    inner, outer = radius - thickness / 2, radius + thickness / 2

    def ring(latitude, sector, drop=0.0):
        """Corners of the joint at this latitude [rad] between two meridians."""
        c, s = math.cos(latitude), math.sin(latitude)
        corners = [(inner, sector), (outer, sector), (outer, sector + 1), (inner, sector + 1)]
        turn = 2 * math.pi / sectors
        return [(r * c * math.cos(k * turn), r * c * math.sin(k * turn), r * s - drop) for r, k in corners]

    latitudes = [math.radians(90.0 - oculus) * i / courses for i in range(courses + 1)]
    pieces = [
        hexahedron(ring(0.0, k, thickness), ring(0.0, k), density=density, name="base{}".format(k), support=True)
        for k in range(sectors)
    ]
    for i, (low, high) in enumerate(zip(latitudes, latitudes[1:])):
        for k in range(sectors):
            pieces.append(hexahedron(ring(low, k), ring(high, k), density=density, name="c{}s{}".format(i, k)))
    return Structure(pieces, law=ContactLaw(friction=friction), name="dome")
