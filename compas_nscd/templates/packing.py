"""Granular assemblies: packings of discs and spheres in a box, and the plates of a biaxial or triaxial test."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.structure import Structure
from compas_nscd.templates.parts.jammed import jammed
from compas_nscd.templates.parts.limits import tell
from compas_nscd.templates.parts.parameters import require, require_choice, require_count, require_positive
from compas_nscd.templates.parts.shapes import STICKIEST, box

#: Arrangements of a packing.
PATTERNS = ("random", "square", "hexagonal")
#: Thickness of plates, and how far they are from each other at the corners, over the mean radius [-].
PLATE, CORNER = 2.0, 0.5
#: Stiffness of the guides of a plate over that of the contacts [-]. Smaller: plates turn.
GUIDE = 1e4


class Filling(NamedTuple):
    """What fills a box."""

    elements: int
    shape: str  # disc, sphere
    pattern: str  # one of PATTERNS
    radius: float  # [m] mean
    spread: float  # [-] of the radii, over the mean
    seed: int


def packing(
    elements: int = 60,
    shape: str = "disc",
    pattern: str = "hexagonal",
    radius: float = 0.05,
    spread: float = 0.3,
    seed: int = 1,
    density: float = 2600.0,
    friction: float = 0.5,
) -> Structure:
    """Discs or spheres in a box without a lid.

    Parameters
    ----------
    elements : int
        About this number; random packings lose elements that nothing holds.
    shape : {"disc", "sphere"}
        Discs are a planar structure in x and z, 1 m deep.
    pattern : {"hexagonal", "square", "random"}
        Spheres are random or in a cubic (square) arrangement.
    radius : float
        Mean radius [m].
    spread : float
        Radii of random packings, at most this share of the mean more or less [-].
    seed : int
        The same seed gives the same packing.
    density : float
        [kg/m3]
    friction : float
        Coefficient at every contact [-].

    Returns
    -------
    Structure
        The supports ``bottom``, ``left``, ``right`` (of spheres ``front``, ``back``, too), then elements ``e0`` ...
    """
    centre, radii, sides = _arranged(Filling(elements, shape, pattern, radius, spread, seed))
    plates = _plates(sides, radius, shape)
    del plates["top"]
    return _structure("packing", centre, radii, plates, density, friction)


def biaxial(
    elements: int = 60,
    pattern: str = "hexagonal",
    radius: float = 0.05,
    spread: float = 0.3,
    pressure: float = 1e4,
    strain: float = 0.0,
    seed: int = 1,
    friction: float = 0.5,
) -> Structure:
    """Discs between four plates: the sides are under pressure, the top moves down. Without gravity.

    Parameters
    ----------
    elements : int
        About this number of discs, 1 m deep; random packings lose those that nothing holds.
    pattern : {"hexagonal", "square", "random"}
        Arrangement.
    radius : float
        Mean radius [m].
    spread : float
        Radii of random packings, at most this share of the mean more or less [-].
    pressure : float
        On the plates ``left`` and ``right`` [Pa].
    strain : float
        Motion of the plate ``top`` over the height [-].
    seed : int
        The same seed gives the same packing.
    friction : float
        Coefficient at every contact [-].

    Returns
    -------
    Structure
        The supports ``bottom``, ``top``, ``left``, ``right``, then discs ``e0`` ...; its case has pressure and motion.
        The plates under pressure need guides: see `guides`.
    """
    filling = Filling(elements, "disc", pattern, radius, spread, seed)
    return _test("biaxial", filling, pressure, strain, friction)


def triaxial(
    elements: int = 60,
    pattern: str = "square",
    radius: float = 0.05,
    spread: float = 0.3,
    pressure: float = 1e4,
    strain: float = 0.0,
    seed: int = 1,
    friction: float = 0.5,
) -> Structure:
    """Spheres between six plates: the sides are under pressure, the top moves down. Without gravity.

    Parameters
    ----------
    elements : int
        About this number of spheres; random packings lose those that nothing holds.
    pattern : {"square", "random"}
        Arrangement; square is cubic.
    radius : float
        Mean radius [m].
    spread : float
        Radii of random packings, at most this share of the mean more or less [-].
    pressure : float
        On the plates ``left``, ``right``, ``front`` and ``back`` [Pa].
    strain : float
        Motion of the plate ``top`` over the height [-].
    seed : int
        The same seed gives the same packing.
    friction : float
        Coefficient at every contact [-].

    Returns
    -------
    Structure
        The supports ``bottom``, ``top``, ``left``, ``right``, ``front``, ``back``, spheres ``e0`` ...; as `biaxial`.
    """
    filling = Filling(elements, "sphere", pattern, radius, spread, seed)
    return _test("triaxial", filling, pressure, strain, friction)


def guides(structure: Structure, normal: float) -> dict[str, list[float]]:
    """Springs that let the plates under pressure of a test move along their pressure only.

    Parameters
    ----------
    structure : Structure
        Made by `biaxial` or `triaxial`.
    normal : float
        Normal stiffness of the contacts [N/m].

    Returns
    -------
    dict
        Option `springs` of a quasi-static analysis [N/m, N m].
    """
    springs: dict[str, list[float]] = {}
    for name in ("left", "right", "front", "back"):
        if name in structure.names:
            held = [GUIDE * normal] * 6
            held[0 if name in ("left", "right") else 1] = 0.0
            springs[name] = held
    return springs


def _test(name: str, filling: Filling, pressure: float, strain: float, friction: float) -> Structure:
    """Elements between plates, with the pressure and the motion of a test as load case."""
    require("pressure", pressure, 0.0, 1e12, strict=False)
    require("strain", strain, 0.0, 0.5, strict=False)
    centre, radii, sides = _arranged(filling)
    plates = _plates(sides, filling.radius, filling.shape)
    structure = _structure(name, centre, radii, plates, 2600.0, friction)
    case = LoadCase(gravity=(0.0, 0.0, 0.0))
    width, depth, height = sides
    inward = {"left": (1, 0, 0), "right": (-1, 0, 0), "front": (0, 1, 0), "back": (0, -1, 0)}
    for plate, towards in inward.items():
        if plate in plates and pressure > 0.0:
            lower, upper = plates[plate]
            force = pressure * height * (depth if towards[0] else width)
            middle = [0.5 * (a + b) for a, b in zip(lower, upper)]
            case.add_point_load(plate, middle, [force * t for t in towards])
    if strain > 0.0:
        case.support_motions.append(SupportMotion("top", (0.0, 0.0, -strain * height), duration=1.0))
    structure.case = case
    return structure


def _arranged(filling: Filling) -> tuple[np.ndarray, np.ndarray, tuple[float, float, float]]:
    """Centres (n, 3), radii (n,), and the sides of the box along x, y and z [m]."""
    elements, shape, pattern, radius, spread, seed = filling
    require_count("elements", elements, 4)
    require_choice("shape", shape, ("disc", "sphere"))
    require_choice("pattern", pattern, PATTERNS if shape == "disc" else ("random", "square"))
    require_positive(radius=radius)
    require("spread", spread, 0.0, 0.6, strict=False)
    require_count("seed", seed, 0, 2**32 - 1)
    tell(elements, "laid")
    dimensions = 2 if shape == "disc" else 3
    if pattern == "random":
        rng = np.random.default_rng(seed)
        places, radii = jammed(rng.uniform(1.0 - spread, 1.0 + spread, elements), np.ones(dimensions), rng)
        scale = radius / radii.mean()
        places, radii, sides = scale * places, scale * radii, np.full(dimensions, scale)
    else:
        places, sides = _lattice(elements, pattern, radius, dimensions)
        radii = np.full(len(places), radius)
    if dimensions == 3:
        return places, radii, tuple(sides.tolist())
    return np.insert(places, 1, 0.0, axis=1), radii, (float(sides[0]), 1.0, float(sides[1]))


def _lattice(elements: int, pattern: str, radius: float, dimensions: int) -> tuple[np.ndarray, np.ndarray]:
    """Centres (n, d) of a regular packing of about so many elements, and the sides of its box (d,) [m]."""
    rise = math.sqrt(3.0) if pattern == "hexagonal" else 2.0
    across = max(2, round((elements * rise / 2.0) ** (1.0 / dimensions)))
    levels = max(2, round(elements / across ** (dimensions - 1)))
    places = []
    for level in range(levels):
        odd = pattern == "hexagonal" and level % 2 == 1
        row = radius * (1.0 + odd + 2.0 * np.arange(across - odd))
        ground = np.stack(np.meshgrid(*[row] * (dimensions - 1), indexing="ij"), axis=-1).reshape(-1, dimensions - 1)
        places.append(np.insert(ground, dimensions - 1, radius * (1.0 + rise * level), axis=1))
    height = radius * (2.0 + rise * (levels - 1))
    return np.concatenate(places), np.array([2.0 * radius * across] * (dimensions - 1) + [height])


def _plates(sides: tuple[float, float, float], radius: float, shape: str) -> dict[str, Any]:
    """Lower and upper corners of the plates around a box, which do not touch each other [m]."""
    (x, y, z), t, c = sides, PLATE * radius, CORNER * radius
    low, high = (-0.5 * y, 0.5 * y) if shape == "disc" else (0.0, y)
    plates = {
        "bottom": ((-t, low, -t), (x + t, high, 0.0)),
        "top": ((-t, low, z), (x + t, high, z + t)),
        "left": ((-t, low, c), (0.0, high, z - c)),
        "right": ((x, low, c), (x + t, high, z - c)),
    }
    if shape == "sphere":
        plates["front"] = ((c, -t, c), (x - c, 0.0, z - c))
        plates["back"] = ((c, y, c), (x - c, y + t, z - c))
    return plates


def _structure(
    name: str, centre: np.ndarray, radii: np.ndarray, plates: dict[str, Any], density: float, friction: float
) -> Structure:
    """Plates and elements; discs as a planar structure."""
    require_positive(density=density)
    require("friction", friction, 0.0, STICKIEST, strict=False)
    planar = "front" not in plates
    blocks = [Block(*box(*corners), density, key, True) for key, corners in plates.items()]
    for k, (place, own) in enumerate(zip(centre.tolist(), radii.tolist())):
        called = "e{}".format(k)
        if planar:
            blocks.append(Block.disc(place, own, 1.0, density, name=called))
        else:
            blocks.append(Block.sphere(place, own, density, name=called))
    return Structure(blocks, ContactLaw(friction=friction), name, planar="y" if planar else None)
