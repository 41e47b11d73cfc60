"""Suspicious input: numbers that are possible but most likely a mistake. Each becomes a warning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import InputError
from compas_nscd.geometry.findings import Finding
from compas_nscd.geometry.polyhedra import Polyhedra
from compas_nscd.loads.case import LoadCase

#: Greatest plausible coefficient of friction [-]; above, an angle in degrees may be meant.
FRICTION = 1.5
#: Least and greatest plausible density [kg/m3]: cork, and steel with a margin.
DENSITY = (300.0, 12_000.0)
#: Weight of a block over the median, or the reverse, above which it is doubtful [-].
WEIGHT = 1e4
#: Distance of the point of a load from its block, over the size of the block, above which it is doubtful [-]. Larger:
#: loads on the wrong block go unnoticed. Smaller: loads just above a surface are doubted.
OFF = 0.05
#: Kinds of laws whose friction is nominal.
_NOMINAL = ("sticking", "tie")


def law_findings(laws: Sequence[tuple[tuple[int, ...], ContactLaw]]) -> list[Finding]:
    """Frictions above 1.5, of laws with the blocks (none for all) that they are for."""
    high = [(pair, law.friction) for pair, law in laws if law.friction > FRICTION and law.kind not in _NOMINAL]
    if not high:
        return []
    pair, friction = high[0]
    what = "A friction of {:g} is not plausible; {:g} degrees would be {:.2f}"
    what = what.format(friction, friction, np.tan(np.radians(min(friction, 89.0))))
    return [Finding("doubtful_friction", "warning", what, tuple(pair), "Give the tangent of the angle.")]


def density_findings(density: np.ndarray) -> list[Finding]:
    """Densities [kg/m3] (B,) that are lighter than cork or heavier than steel."""
    low, high = DENSITY
    with np.errstate(invalid="ignore"):
        odd = np.flatnonzero(((density > 0.0) & (density < low)) | ((density > high) & np.isfinite(density)))
    if not len(odd):
        return []
    worst = density[odd[np.argmax(np.abs(np.log(density[odd] / 2400.0)))]]
    what = "A density of {:g} kg/m3 is not plausible".format(worst)
    if worst < low:
        what += " ({:g} t/m3 would be {:g})".format(worst, 1000.0 * worst)
    return [Finding("doubtful_density", "warning", what, tuple(odd.tolist()), "Give kg/m3.")]


def weight_findings(mass: np.ndarray) -> list[Finding]:
    """Blocks whose mass [kg] (B,), NaN if unknown, differs from the median by more than a factor of 1e4."""
    known = np.flatnonzero(mass > 0.0)
    if len(known) < 3:
        return []
    ratio = mass[known] / np.median(mass[known])
    odd = known[(ratio > WEIGHT) | (ratio < 1.0 / WEIGHT)]
    if not len(odd):
        return []
    what = "Weights that differ from the median of the blocks by a factor of more than {:g}".format(WEIGHT)
    return [Finding("doubtful_weight", "warning", what, tuple(odd.tolist()), "Check the units.")]


def load_findings(blocks: Sequence[Block], case: LoadCase | None, index: Any) -> list[Finding]:
    """Point loads whose point is off their block; `index` finds a block by index, name or guid."""
    if case is None:
        return []
    off: list[int] = []
    farthest = 0.0
    for load in case.loads:
        try:
            i = index(load.block)
        except InputError:  # the request names it
            continue
        if not len(blocks[i].vertices):
            continue
        low, high = blocks[i].vertices.min(axis=0), blocks[i].vertices.max(axis=0)
        radius = blocks[i].radius or 0.0
        point = np.asarray(load.point, float)
        with np.errstate(over="ignore"):  # coordinates that are refused elsewhere
            size = float(np.linalg.norm(high - low) + 2.0 * radius)
            away = float(np.linalg.norm(np.maximum(np.maximum(low - radius - point, point - high - radius), 0.0)))
        if away > OFF * size:
            off.append(i)
            farthest = max(farthest, away)
    if not off:
        return []
    what = "Loads act off their blocks, by up to {:.3g} m".format(farthest)
    return [Finding("doubtful_load", "warning", what, tuple(dict.fromkeys(off)), "Give a point on the block.")]


def same_place_findings(poly: Polyhedra) -> list[Finding]:
    """Blocks in the same place as another one."""
    if not np.isfinite(poly.vertices).all():
        return []
    start = poly.vertex_start
    low = np.minimum.reduceat(poly.vertices, start[:-1], axis=0)
    high = np.maximum.reduceat(poly.vertices, start[:-1], axis=0)
    size = float(np.median(np.linalg.norm(high - low, axis=1)))
    # Round blocks are points here: where most are round, the whole structure has a size.
    grid = 1e-6 * (size or float(np.linalg.norm(np.ptp(poly.vertices, axis=0)))) or 1.0
    mean = np.add.reduceat(poly.vertices, start[:-1], axis=0) / np.diff(start)[:, None]
    key = np.round(np.concatenate([low, high, mean], axis=1) / grid)
    if len(np.unique(key[:, 6] + np.pi * key[:, 7] + np.e * key[:, 8])) == len(key):
        return []  # the sums of two blocks in the same place would be equal
    _, inverse, count = np.unique(key, axis=0, return_inverse=True, return_counts=True)
    double = np.flatnonzero(count[inverse.ravel()] > 1)
    if not len(double):
        return []
    return [Finding("same_place", "warning", "Blocks in the same place", tuple(double.tolist()), "Remove one of them.")]
