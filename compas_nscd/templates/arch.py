"""Voussoir arch: radial joints, straight-edged blocks, two fixed springers."""

import math

from compas_nscd.structure import ContactLaw, Structure
from compas_nscd.templates.shapes import hexahedron, require, require_count


def arch(span=10.0, thickness=0.75, depth=1.0, blocks=20, rise=None, density=2400.0, friction=0.6):
    """A circular arch in the xz plane.

    Parameters
    ----------
    span : float
        Distance between the springings on the centre line [m].
    thickness : float
        Of the ring, along the radius [m].
    depth : float
        Along y [m].
    blocks : int
        Number of voussoirs.
    rise : float, optional
        Of the centre line [m]; half the span, a semicircle, unless given.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        Voussoirs ``v0`` ... from the right springing to the left, and the supports ``right`` and ``left``.
    """
    require("span", span, 0.0, math.inf)
    rise = span / 2 if rise is None else require("rise", rise, 0.0, span / 2, strict=False)
    require("rise", rise, 0.0, math.inf)
    radius = (span**2 / 4 + rise**2) / (2 * rise)
    require("thickness", thickness, 0.0, 2 * radius)
    require("depth", depth, 0.0, math.inf)
    require_count("blocks", blocks, 1)

    half = math.asin(min(1.0, span / 2 / radius))  # half the angle of embrace
    start = math.pi / 2 - half
    ring = _Ring(radius, rise - radius, thickness, depth)
    angles = [start + 2 * half * i / blocks for i in range(blocks + 1)]
    pieces = [ring.voussoir(a, b, density, "v{}".format(i)) for i, (a, b) in enumerate(zip(angles, angles[1:]))]
    pieces += [ring.springer(angles[0], -1, density, "right"), ring.springer(angles[-1], 1, density, "left")]
    return Structure(pieces, law=ContactLaw(friction=friction), name="arch")


class _Ring:
    """A circle of mean radius `radius` about (0, z), with thickness and depth."""

    def __init__(self, radius, z, thickness, depth):
        self.z, self.depth = z, depth
        self.inner, self.outer = radius - thickness / 2, radius + thickness / 2

    def joint(self, angle, shift=0.0):
        """The four corners of a radial joint, moved along the tangent by `shift` [m]."""
        c, s = math.cos(angle), math.sin(angle)

        def at(r, y):
            return (r * c - shift * s, y, self.z + r * s + shift * c)

        return [at(self.inner, 0.0), at(self.outer, 0.0), at(self.outer, self.depth), at(self.inner, self.depth)]

    def voussoir(self, angle, next_angle, density, name):
        return hexahedron(self.joint(angle), self.joint(next_angle), density=density, name=name)

    def springer(self, angle, side, density, name):
        """A support as thick as the ring behind the joint at `angle`; `side` is -1 before it, 1 after it."""
        joint, far = self.joint(angle), self.joint(angle, side * (self.outer - self.inner))
        bottom, top = (far, joint) if side < 0 else (joint, far)
        return hexahedron(bottom, top, density=density, name=name, support=True)
