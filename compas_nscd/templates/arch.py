"""A voussoir arch between fixed springers."""

from __future__ import annotations

from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.parameters import require_positive
from compas_nscd.templates.parts.rings import ring
from compas_nscd.templates.parts.shapes import Masonry, prism


def arch(
    span: float = 10.0,
    thickness: float = 0.75,
    depth: float = 1.0,
    blocks: int = 20,
    rise: float | None = None,
    density: float = 2400.0,
    friction: float = 0.6,
    shape: str = "circular",
    joints: str = "radial",
) -> Structure:
    """An arch of straight-edged voussoirs in the xz plane between two fixed springers.

    Parameters
    ----------
    span : float
        Distance between the springings on the centre line [m].
    thickness : float
        Of the ring, at right angles to the centre line [m].
    depth : float
        Along y [m].
    blocks : int
        Number of voussoirs.
    rise : float, optional
        Of the centre line [m]. Default: half the span if circular or catenary, a third if elliptical or basket,
        0.866 of it if pointed.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].
    shape : {"circular", "pointed", "elliptical", "basket", "catenary"}
        Of the centre line. A circular arch is a semicircle, or a segment if the rise is less than half the span; a
        basket arch has three centres, and flanks of 60 degrees.
    joints : {"radial", "vertical"}
        At right angles to the centre line in equal steps of its length, or upright in equal steps of the clear span.

    Returns
    -------
    Structure
        Voussoirs ``v0`` ... from the right springing to the left, and the supports ``right`` and ``left``.
    """
    require_positive(depth=depth, density=density)
    cut = ring(shape, span, rise, thickness, blocks, joints)
    masonry = Masonry(density)
    for i, polygon in enumerate(cut.voussoirs):
        masonry.lay("v{}".format(i), prism(polygon, 0.0, depth))
    for name, side in (("right", 1), ("left", -1)):
        masonry.lay(name, prism(cut.springer(side, thickness), 0.0, depth), support=True)
    return masonry.structure("arch", friction)
