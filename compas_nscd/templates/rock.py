"""Jointed rock: a slope, and a mass, cut by families of fractures."""

import math

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.templates.parts.cut_cells import divide
from compas_nscd.templates.parts.limits import pieces
from compas_nscd.templates.parts.parameters import require, require_count, require_flag, require_positive
from compas_nscd.templates.parts.shapes import Masonry, box, prism

#: Fractures stop where they would cut a slice thinner than this [least spacing]: rock bridges instead of slivers.
THINNEST = 0.1
#: Three families about at right angles, for a mass.
BLOCKY = ((80.0, 10.0, 1.0), (85.0, 100.0, 1.2), (10.0, 200.0, 0.8))
#: Six families, for a slope that faces -x: bedding that dips gently out of it, and five steep ones.
SLOPE = (
    (12.0, 180.0, 1.5),
    (75.0, 90.0, 2.5),
    (80.0, 0.0, 2.5),
    (65.0, 180.0, 4.0),
    (85.0, 135.0, 5.0),
    (70.0, 45.0, 6.0),
)


def rock_mass(
    width=6.0,
    depth=6.0,
    height=4.0,
    families=None,
    scatter=3.0,
    spread=0.3,
    seed=1,
    walls=True,
    density=2700.0,
    friction=0.6,
):
    """A box of rock cut by families of fractures, on a fixed base.

    Parameters
    ----------
    width, depth, height : float
        Along x, y, z [m].
    families : list, optional
        Fractures as (dip, direction, spacing): angle of the planes to the horizon and azimuth in which they dip, from x
        towards y [degrees], and the distance between them [m]. Default: three, about at right angles.
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
    height=12.0,
    face=70.0,
    bench=6.0,
    depth=10.0,
    families=None,
    scatter=3.0,
    spread=0.3,
    seed=1,
    density=2700.0,
    friction=0.7,
):
    """A slope of jointed rock that faces -x, on a fixed base and before fixed rock.

    Parameters
    ----------
    height : float
        From toe to crest [m].
    face : float
        Angle of the slope to the horizon [degrees].
    bench : float
        Level ground behind the crest, up to the fixed rock [m].
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


def lay_rock(masonry, body, families, scatter, spread, seed):
    """Cut a body and lay its cells, the lowest first."""
    families = _families(families)
    require("scatter", scatter, 0.0, 30.0, strict=False)
    require("spread", spread, 0.0, 0.9, strict=False)
    require_count("seed", seed, 0, 2**32 - 1)
    corners = np.array(body[0])
    seeds = np.random.SeedSequence(seed).spawn(len(families))  # a family keeps its fractures when others are added
    planes = [_fractures(corners, *f, scatter, spread, np.random.default_rng(s)) for f, s in zip(families, seeds)]
    planes = np.concatenate(planes)
    cells = divide(body, planes[:, :3], planes[:, 3], THINNEST * min(spacing for _, _, spacing in families))
    for i, cell in enumerate(sorted(cells, key=_height)):
        masonry.lay("r{}".format(i), cell)


def _height(cell):
    return sum(z for _, _, z in cell[0]) / len(cell[0])


def _families(families):
    try:
        families = [tuple(float(number) for number in family) for family in families]
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


def _fractures(corners, dip, direction, spacing, scatter, spread, rng):
    """Planes of a family through a body: unit normals and offsets. [-, m] (n, 4)"""
    dip, direction = math.radians(dip), math.radians(direction)
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
