"""Free-standing structures: a stack of blocks, a column of drums."""

from __future__ import annotations

import math

from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.parameters import require, require_count, require_positive
from compas_nscd.templates.parts.shapes import Masonry, Point, Solid, box, loft


def stack(
    blocks: int = 10,
    width: float = 0.5,
    depth: float = 0.5,
    height: float = 0.25,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """Boxes on top of one another, on a fixed base.

    Parameters
    ----------
    blocks : int
        On the base.
    width, depth, height : float
        Of one block, along x, y, z [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        The support ``base``, and ``b0`` ... from the bottom up.
    """
    require_count("blocks", blocks, 1)
    require_positive(width=width, depth=depth, height=height, density=density)
    masonry = Masonry(density)
    lower, upper = (-width, -depth, -height), (width, depth, 0.0)
    masonry.lay("base", box(lower, upper), support=True)
    for i in range(blocks):
        lower, upper = (-width / 2, -depth / 2, i * height), (width / 2, depth / 2, (i + 1) * height)
        masonry.lay("b{}".format(i), box(lower, upper))
    return masonry.structure("stack", friction)


def column(
    height: float = 6.0,
    width: float = 0.9,
    drums: int = 6,
    sides: int = 16,
    taper: float = 0.85,
    plinth: float = 0.3,
    density: float = 2400.0,
    friction: float = 0.6,
) -> Structure:
    """A column of drums between a plinth and a capital.

    Parameters
    ----------
    height : float
        Of the drums together [m].
    width : float
        Diameter of the circle through the corners of the lowest drum, at its foot [m].
    drums : int
        Number of drums.
    sides : int
        Of the polygonal section.
    taper : float
        Width at the top over that at the foot [-].
    plinth : float
        Height of the plinth, and of the capital [m].
    density : float
        [kg/m3]
    friction : float
        Coefficient at every joint [-].

    Returns
    -------
    Structure
        The support ``plinth``, drums ``d0`` ... from the bottom up, and the ``capital``.
    """
    require_positive(height=height, width=width, plinth=plinth, density=density)
    require("taper", taper, 0.01, 1.0, strict=False)
    require_count("drums", drums, 1)
    require_count("sides", sides, 3, 360)
    masonry = Masonry(density)
    masonry.lay("plinth", _slab(width, -plinth, 0.0), support=True)

    def section(i: int) -> list[Point]:
        radius = width / 2 * (1 - (1 - taper) * i / drums)
        turns = [2 * math.pi * k / sides for k in range(sides)]
        return [(radius * math.cos(t), radius * math.sin(t), height * i / drums) for t in turns]

    for i in range(drums):
        masonry.lay("d{}".format(i), loft(section(i), section(i + 1)))
    masonry.lay("capital", _slab(width, height, height + plinth))
    return masonry.structure("column", friction)


def _slab(width: float, low: float, high: float) -> Solid:
    half = 0.6 * width
    return box((-half, -half, low), (half, half, high))
