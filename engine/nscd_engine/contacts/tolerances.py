"""How far apart, and how deep in each other, faces of two blocks may be drawn to count as touching."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nscd_engine.contacts.facets import Facets
from nscd_engine.core.settings import Settings

#: Greatest tolerance of a gap over the thickness of a block [-]. Larger: the far side of a thin plate is in contact
#: too. Smaller: thin plates lose contacts across small gaps.
THIN = 0.1
#: The same if the user gives the gap [-].
THIN_GIVEN = 0.5
#: Overlap over the thickness of the smaller block up to which two blocks touch on the plane in the middle [-]. Larger:
#: blocks drawn in the wrong place are taken to touch. Smaller: imprecise drawings are refused.
OVERLAP = 0.1


class Tolerances(NamedTuple):
    """Tolerances of pairs of blocks. P pairs."""

    eps: np.ndarray  # [m] (P,): greatest gap
    depth: np.ndarray  # [m] (P,): greatest overlap
    usual: np.ndarray  # [m] (P,): greatest gap, and overlap, that is not worth a warning

    def rows(self, chosen: np.ndarray) -> Tolerances:
        """Those of some of the pairs."""
        return Tolerances(*(each[chosen] for each in self))


def reach_of(settings: Settings, size: np.ndarray) -> np.ndarray:
    """Greatest gap at which a block touches another [m] (B,), before its thickness bounds it; size [m] (B,)."""
    if settings.gap is None:
        return settings.gap_tolerance * size
    share = settings.gap.get("share")
    given = np.full(len(size), settings.gap.get("metres", 0.0)) if share is None else share * size
    return np.maximum(given, settings.gap_tolerance * size)


def thicknesses(volume: np.ndarray, facets: Facets, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Thickness of blocks [m] (B,): volume over largest facet, at most the least side of the bounding box.

    Discs and spheres have no facets: theirs is two thirds of the side, the volume of a sphere over its great circle.
    """
    blocks = len(volume)
    largest = np.zeros(blocks)
    np.maximum.at(largest, np.repeat(np.arange(blocks), np.diff(facets.block_start)), facets.area)
    side = (upper - lower).min(axis=1)
    mean = np.divide(volume, largest, out=2.0 / 3.0 * side, where=largest > 0.0)
    return np.minimum(mean, side)


def tolerances(settings: Settings, size: np.ndarray, thick: np.ndarray, pairs: np.ndarray) -> Tolerances:
    """Tolerances of pairs (P, 2) of blocks whose size and thickness are given [m] (B,)."""
    share = THIN if settings.gap is None else THIN_GIVEN
    eps = np.minimum(reach_of(settings, size), share * thick)[pairs].min(axis=1)
    usual = np.minimum(settings.gap_tolerance * size, THIN * thick)[pairs].min(axis=1)
    depth = np.maximum(OVERLAP * thick[pairs].min(axis=1), eps)
    return Tolerances(eps, depth, usual)
