"""Jointed rock, a slope and a mass, cut by families of fractures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.cut_cells import divide
from compas_nscd.templates.parts.limits import pieces
from compas_nscd.templates.parts.parameters import require, require_count, require_flag, require_positive
from compas_nscd.templates.parts.shapes import Masonry, Solid, box, prism

#: Least thickness of a part that a fracture cuts off [least spacing]. Larger: many rock bridges. Smaller: slivers.
THINNEST = 0.1
#: Families of a mass, approximately orthogonal: dip and direction [degrees], spacing [m].
BLOCKY = ((80.0, 10.0, 1.0), (85.0, 100.0, 1.2), (10.0, 200.0, 0.8))
#: Families of a slope that faces -x: bedding that dips gently out of it, and five steep ones; as above.
SLOPE = (
    (12.0, 180.0, 1.5),
    (75.0, 90.0, 2.5),
    (80.0, 0.0, 2.5),
    (65.0, 180.0, 4.0),
    (85.0, 135.0, 5.0),
    (70.0, 45.0, 6.0),
)


def rock_mass(
    width: float = 6.0,
    depth: float = 6.0,
    height: float = 4.0,
    families: Sequence[Sequence[float]] | None = None,
    scatter: float = 3.0,
    spread: float = 0.3,
    seed: int = 1,
    walls: bool = True,
    density: float = 2700.0,
    friction: float = 0.6,
) -> Structure:
    """A box of rock cut by families of fractures, on a fixed base.

    Parameters
    ----------
    width, depth, height : float
        Along x, y, z [m].
    families : list, optional
        Fractures as (dip, direction, spacing): angle of the planes to the horizon and azimuth in which they dip, from x
        towards y [degrees], and the distance between them [m]. Default: three, approximately orthogonal.
    scatter : float
        Of the orientation of single fractures about that of their family, standard deviation [degrees].
    spread : float
        Of the spacing, at most this share of it more or less [-].
    seed : int
        The same seed gives the same rock.
    walls : bool
        Whether fixed walls hold the four sides.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every fracture [-].

    Returns
    -------
    Structure
        The support ``base`` and the walls ``west``, ``east``, ``south``, ``north``, then cells ``r0`` ... from the
        bottom up.
    """
    require_positive(width=width, depth=depth, height=height, density=density)
    require_flag("walls", walls)
    body = box((0.0, 0.0, 0.0), (width, depth, height))
    t = 0.1 * max(width, depth, height)
    masonry = Masonry(density)
    masonry.lay("base", box((-t, -t, -t), (width + t, depth + t, 0.0)), support=True)
    if walls:
        masonry.lay("west", box((-t, -t, 0.0), (0.0, depth + t, height)), support=True)
        masonry.lay("east", box((width, -t, 0.0), (width + t, depth + t, height)), support=True)
        masonry.lay("south", box((0.0, -t, 0.0), (width, 0.0, height)), support=True)
        masonry.lay("north", box((0.0, depth, 0.0), (width, depth + t, height)), support=True)
    lay_rock(masonry, body, BLOCKY if families is None else families, scatter, spread, seed)
    return masonry.structure("rock_mass", friction)


def rock_slope(
    height: float = 12.0,
    face: float = 70.0,
    bench: float = 6.0,
    depth: float = 10.0,
    families: Sequence[Sequence[float]] | None = None,
    scatter: float = 3.0,
    spread: float = 0.3,
    seed: int = 1,
    density: float = 2700.0,
    friction: float = 0.7,
) -> Structure:
    """A slope of jointed rock that faces -x, on a fixed base and in front of fixed rock.

    Parameters
    ----------
    height : float
        From toe to crest [m].
    face : float
        Angle of the slope to the horizon [degrees].
    bench : float
        Width of the level ground from the crest to the fixed rock [m].
    depth : float
        Along y [m].
    families : list, optional
        Fractures as (dip, direction, spacing), see `rock_mass` [degrees, degrees, m]. Default: six, of which one, the
        bedding, dips gently out of the slope.
    scatter : float
        Of the orientation of single fractures about that of their family, standard deviation [degrees].
    spread : float
        Of the spacing, at most this share of it more or less [-].
    seed : int
        The same seed gives the same rock.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every fracture [-].

    Returns
    -------
    Structure
        The supports ``base`` and ``back``, then cells ``r0`` ... from the bottom up.
    """
    require_positive(height=height, bench=bench, depth=depth, density=density)
    require("face", face, 10.0, 90.0, strict=False)
    crest = height / math.tan(math.radians(face))
    end, t = crest + bench, 0.1 * height
    body = prism([(0.0, 0.0), (end, 0.0), (end, height), (crest, height)], 0.0, depth)
    masonry = Masonry(density)
    masonry.lay("base", box((-3 * t, -t, -t), (end + t, depth + t, 0.0)), support=True)
    masonry.lay("back", box((end, -t, 0.0), (end + t, depth + t, height)), support=True)
    lay_rock(masonry, body, SLOPE if families is None else families, scatter, spread, seed)
    return masonry.structure("rock_slope", friction)


def lay_rock(
    masonry: Masonry, body: Solid, families: Sequence[Sequence[float]], scatter: float, spread: float, seed: int
) -> None:
    """Cut a body and lay its cells, the lowest first."""
    families = _families(families)
    require("scatter", scatter, 0.0, 30.0, strict=False)
    require("spread", spread, 0.0, 0.9, strict=False)
    require_count("seed", seed, 0, 2**32 - 1)
    corners = np.array(body[0])
    seeds = np.random.SeedSequence(seed).spawn(len(families))  # a family keeps its fractures when others are added
    planes = np.concatenate(
        [_fractures(corners, f, scatter, spread, np.random.default_rng(s)) for f, s in zip(families, seeds)]
    )
    cells = divide(body, planes[:, :3], planes[:, 3], THINNEST * min(spacing for _, _, spacing in families))
    for i, cell in enumerate(sorted(cells, key=_height)):
        masonry.lay("r{}".format(i), cell)


def _height(cell: Solid) -> float:
    return sum(z for _, _, z in cell[0]) / len(cell[0])


def _families(given: Any) -> list[tuple[float, ...]]:
    try:
        families = [tuple(float(number) for number in family) for family in given]
    except (TypeError, ValueError, OverflowError):
        raise InputError("families must be a list of (dip, direction, spacing).", parameter="families")
    for family in families:
        if len(family) != 3:
            raise InputError("A family is (dip, direction, spacing), not {!r:.60}.".format(family))
        require("dip", family[0], 0.0, 90.0, strict=False)
        require("direction", family[1], -360.0, 360.0, strict=False)
        require("spacing", family[2], 0.0)
    if not families:
        raise InputError("families is empty; it must have at least one family.", parameter="families")
    return families


def _fractures(
    corners: np.ndarray, family: Sequence[float], scatter: float, spread: float, rng: np.random.Generator
) -> np.ndarray:
    """Planes of a family (dip, direction, spacing) through a body: unit normals and offsets. [-, m] (n, 4)"""
    (dip, direction), spacing = map(math.radians, family[:2]), family[2]
    steep = math.sin(dip)
    mean = np.array([steep * math.cos(direction), steep * math.sin(direction), math.cos(dip)])
    strike = np.array([-math.sin(direction), math.cos(direction), 0.0])
    centre = corners.mean(axis=0)
    along = (corners - centre) @ mean
    pieces("spacing", np.ptp(along), spacing, most=1000)
    place, rows = along.min() + spacing * rng.uniform(), []
    while place < along.max():
        tilt = np.radians(scatter) * rng.standard_normal(2)
        normal = mean + math.tan(tilt[0]) * strike + math.tan(tilt[1]) * np.cross(mean, strike)
        normal /= np.linalg.norm(normal)
        rows.append([*normal, normal @ (centre + place * mean)])
        place += spacing * (1.0 + spread * rng.uniform(-1.0, 1.0))
    return np.array(rows).reshape(-1, 4)
