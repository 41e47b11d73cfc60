"""Facets and patches of blocks that have not moved since the last detection at rest, as while a slider moves.

What is found of a block, or of a pair of blocks, depends on them alone: of blocks with the same bits as before it is
taken from the last detection, with the same bits as if it were found anew.
"""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from nscd_engine.contacts.facets import Facets, facets_in_runs
from nscd_engine.contacts.facing import Surroundings
from nscd_engine.contacts.patches import Patches, join, take
from nscd_engine.contacts.stream import Stream
from nscd_engine.contacts.tolerances import Tolerances
from nscd_engine.core.structs import Polyhedra
from nscd_engine.geometry.polyhedra import without

#: Share of the blocks that may have moved, above which all are examined [-]. Larger: putting the found together takes
#: longer than finding it.
MOST_MOVED = 0.7
#: Most blocks of a detection that is remembered [-]. More: memory, some 4 kB a block.
LARGEST = 5000
#: Fields of `Facets` with one row per facet.
OF_FACETS = ("normal", "origin", "along", "area", "warp", "lower", "upper", "turn", "bulge")


class Known(NamedTuple):
    """The last detection. B blocks, P pairs."""

    poly: Polyhedra
    tolerance: np.ndarray  # [m] (B,): as of `build_facets`
    size: np.ndarray  # [m] (B,)
    facets: Facets  # before curvature, which depends on the facets of a block alone
    pairs: np.ndarray  # (P, 2)
    limits: np.ndarray  # [m] (P, 3): gap, overlap and noise allowed
    angle: float  # [rad]
    patches: Patches


_known: Optional[Known] = None  # replaced as a whole, since analyses run in several threads


class Unmoved:
    """The blocks of a detection, and which of them are as in the last one.

    Parameters
    ----------
    poly : Polyhedra
    tolerance, size : arrays (B,)
        As of `build_facets` [m].
    """

    def __init__(self, poly: Polyhedra, tolerance: np.ndarray, size: np.ndarray) -> None:
        self.poly, self.tolerance, self.size = poly, tolerance, size
        self._facets: Optional[Facets] = None
        self.last = _known
        if self.last is not None:
            self.moved = _moved(self.last, poly, tolerance, size)
            if self.moved.mean() > MOST_MOVED:
                self.last = None

    def facets(self, stream: Stream) -> Facets:
        """As `facets_in_runs`: those of moved blocks are built, the others are known."""
        found = None
        if self.last is not None:
            moved = self.moved & (np.diff(self.poly.block_face_start) > 0)
            found = self.last.facets
            if moved.any():
                some = facets_in_runs(without(self.poly, ~moved), self.tolerance[moved], self.size[moved], stream)
                found = _replaced(found, some, self.poly, moved)
        if found is None:
            found = facets_in_runs(self.poly, self.tolerance, self.size, stream)
        self._facets = found
        return found

    def patches(self, around: Surroundings, pairs: np.ndarray, allowed: Tolerances, angle: float) -> Patches:
        """As `Surroundings.patches`: those of pairs (P, 2) with a moved block are searched, the others are known.

        All of them are remembered for the next detection, unless the structure is large.
        """
        limits = np.stack([allowed.eps, allowed.depth, around.noise(pairs)], axis=1)
        row = self._rows(pairs, limits, angle)
        new = np.arange(len(pairs)) if row is None else np.flatnonzero(row < 0)
        some = allowed.rows(new)
        patches = around.patches(pairs[new], some.eps, some.depth, angle)
        if row is not None:
            patches = _joined(self.last, row, patches._replace(pair=new[patches.pair]))
        if len(self.size) <= LARGEST:
            self._remember(pairs, limits, angle, patches)
        return patches

    def _rows(self, pairs, limits, angle):
        """Row (P,) in the last detection of pairs that have not moved, -1 for the others; None if there are none."""
        last = self.last
        if last is None or angle != last.angle or not len(last.pairs):
            return None
        if not np.array_equal(self._facets.block_start, last.facets.block_start):  # facets have other numbers
            return None
        blocks = len(self.moved)
        key, key_before = (each[:, 0] * blocks + each[:, 1] for each in (pairs, last.pairs))
        order = np.argsort(key_before)
        row = order[np.minimum(np.searchsorted(key_before, key, sorter=order), len(order) - 1)]
        same = (key_before[row] == key) & ~self.moved[pairs].any(axis=1) & (last.limits[row] == limits).all(axis=1)
        return np.where(same, row, -1) if same.any() else None

    def _remember(self, pairs, limits, angle, patches):
        global _known
        copied = Patches(*(field.copy() for field in patches))  # others may change theirs
        _known = Known(self.poly, self.tolerance, self.size, self._facets, pairs, limits, angle, copied)


def _moved(last, poly, tolerance, size):
    """Blocks (B,) bool that are not, bit by bit, as in the last detection: all if vertices or faces have others."""
    if any(not np.array_equal(*fields) for fields in zip(poly[1:], last.poly[1:])):
        return np.ones(len(size), bool)
    changed = (poly.vertices.view(np.int64) != last.poly.vertices.view(np.int64)).any(axis=1)
    moved = np.logical_or.reduceat(changed, poly.vertex_start[:-1])
    return moved | (tolerance != last.tolerance) | (size != last.size)


def _replaced(facets, some, poly, moved):
    """Facets with those of moved blocks (B,) replaced; None if these have other numbers of facets or corners."""
    count = np.diff(facets.block_start)
    mine = np.repeat(moved, count)
    piece = np.repeat(mine, np.diff(facets.piece_start))
    numbers = [
        (count[moved], some.block_start),
        (np.diff(facets.piece_start)[mine], some.piece_start),
        (np.diff(facets.fan_start)[mine], some.fan_start),
        (np.diff(facets.corner_start)[piece], some.corner_start),
    ]
    if not all(np.array_equal(before, np.diff(start)) for before, start in numbers):
        return None
    places = {name: (mine, getattr(some, name)) for name in OF_FACETS}
    vertex = np.flatnonzero(np.repeat(moved, np.diff(poly.vertex_start)))
    places["corner"] = np.repeat(piece, np.diff(facets.corner_start)), vertex[some.corner]
    places["fan"] = np.repeat(mine, np.diff(facets.fan_start)), some.fan
    places["of_face"] = np.repeat(moved, np.diff(poly.block_face_start)), np.flatnonzero(mine)[some.of_face]
    places["convex"] = moved, some.convex
    fields = {}
    for name, (rows, values) in places.items():
        fields[name] = getattr(facets, name).copy()
        fields[name][rows] = values
    return facets._replace(**fields)


def _joined(last, row, found):
    """Patches of pairs whose row (P,) in the last detection is known, and the others that were found."""
    number = np.full(len(last.pairs), -1)
    number[row[row >= 0]] = np.flatnonzero(row >= 0)
    kept = take(last.patches, np.flatnonzero(number[last.patches.pair] >= 0))
    kept = kept._replace(pair=number[kept.pair])
    return join(kept, found)
