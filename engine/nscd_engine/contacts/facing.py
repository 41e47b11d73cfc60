"""Faces of blocks that face each other without touching: open joints, the gap that closes them, and coverage.

All of it is found as patches are, with wider tolerances.
"""

from __future__ import annotations

import math
from typing import Callable, NamedTuple, Optional

import numpy as np

from nscd_engine.contacts.clipping import find_patches
from nscd_engine.contacts.facets import Facets
from nscd_engine.contacts.patches import Patches, concatenated
from nscd_engine.contacts.stream import Stream
from nscd_engine.core.components import components
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Polyhedra
from nscd_engine.kernels.contacts.broad_phase import touching_pairs

#: Greatest gap that is examined, over the thickness of the thinner block [-]. Larger: blocks across a room face each
#: other. Smaller: wide joints are not proposed.
WIDEST = 0.5
#: Greatest angle between faces of an open joint [rad]. Larger: neighbouring sides of a corner face each other. Smaller:
#: joints of rough stones are not found.
WIDE_ANGLE = math.radians(20.0)
#: Gap of an open joint over the least gap that connects all blocks, up to which it belongs to the same drawing [-].
#: Larger: openings that are meant are closed. Smaller: one joint of an arch stays open.
ALIKE = 1.5
#: Distance and angle of faces that face each other where a pair has a joint: shares of the thickness, and rad.
NEAR, NEAR_ANGLE = 0.02, math.radians(12.0)
#: Width of a patch over the size that is rounding error [-]. Larger: narrow joints are lost. Smaller: faces that only
#: touch along an edge share a patch.
ROUNDING = 1e-9


class OpenJoints(NamedTuple):
    """Pairs of blocks that face each other across a gap. J joints."""

    pairs: np.ndarray  # (J, 2) int64
    gap: np.ndarray  # [m] (J,): that closes the whole joint
    needed: Optional[float]  # [m] least gap that connects every block with the others; None if there is none


NO_JOINTS = OpenJoints(np.zeros((0, 2), np.int64), np.zeros(0), None)


class Surroundings(NamedTuple):
    """What the search for faces needs of the blocks of a model. B blocks."""

    poly: Polyhedra
    facets: Optional[Facets]  # None if all blocks are spheres
    edges: Optional[Callable]  # returns the Edges
    lower: np.ndarray  # [m] (B, 3): bounding boxes
    upper: np.ndarray  # [m] (B, 3)
    thick: np.ndarray  # [m] (B,)
    size: np.ndarray  # [m] (B,)
    stream: Stream

    def patches(self, pairs: np.ndarray, eps: np.ndarray, depth: np.ndarray, angle: float) -> Patches:
        """Patches of pairs (P, 2), in runs; eps, depth [m] (P,) and angle [rad] as of `find_patches`."""
        facets, noise = self.facets, self.noise(pairs)
        assert facets is not None  # the callers have pairs of polyhedra

        def found(rows: slice) -> Patches:
            some = find_patches(self.poly.vertices, facets, pairs[rows], eps[rows], depth[rows], noise[rows], angle)
            return some._replace(pair=some.pair + rows.start)

        cost = np.diff(facets.block_start)[pairs].prod(axis=1)
        return concatenated([some for _, some in self.stream.runs("joints", cost, found)])

    def noise(self, pairs: np.ndarray) -> np.ndarray:
        """Width of a patch that is rounding error [m] (P,), of pairs (P, 2)."""
        # A power of 2: a structure that grows a little has the noise that it had, and what was found of it is known.
        far = 2.0 ** np.ceil(np.log2(np.abs(self.poly.vertices).max()))
        return ROUNDING * self.size[pairs].min(axis=1) + 4.0 * np.finfo(float).eps * far


def facing(around: Surroundings, pairs: np.ndarray, share: float, angle: float) -> Patches:
    """Patches of pairs (P, 2) whose faces are within a share of the thickness and within an angle [rad]."""
    reach = share * around.thick[pairs].min(axis=1)
    return around.patches(pairs, reach, reach, angle)


def parts_of(joined: np.ndarray, blocks: int) -> np.ndarray:
    """Connected part (B,) of each of so many blocks; `joined` (n, 2) are blocks in contact."""
    a, b = joined.T
    return components(a, b, blocks)


def open_joints(model: Model, around: Surroundings, part: np.ndarray) -> OpenJoints:
    """Joints that are open, if the contacts do not connect all blocks.

    Parameters
    ----------
    model : Model
    around : Surroundings
    part : array (B,)
        Connected part of each block, as of `parts_of`.
    """
    apart = _with_supports_as_one(part, model.bodies.free)
    if around.facets is None or apart.max(initial=0) == 0:
        return NO_JOINTS
    reach = WIDEST * around.thick
    fixed = model.bodies.free < 0
    near = touching_pairs(around.lower - reach[:, None], around.upper + reach[:, None], fixed).astype(np.int64)
    near = near[apart[near[:, 0]] != apart[near[:, 1]]]
    near = near[(model.radius[near] == 0.0).all(axis=1)]
    patches = facing(around, near, WIDEST, WIDE_ANGLE)
    pairs, gap = _widest(near, patches)
    needed = _needed(pairs, gap, apart)
    kept = gap <= ALIKE * needed if needed is not None else np.ones(len(gap), bool)
    closing = float(gap[kept].max()) if needed is not None else None
    return OpenJoints(pairs[kept], gap[kept], closing)


def _with_supports_as_one(part, free):
    """Connected part of each block (B,), numbered from 0 without gaps; the supports count as one part."""
    held = np.zeros(int(part.max(initial=0)) + 1, bool)
    held[part[free < 0]] = True
    number = np.cumsum(~held) - (0 if held.any() else 1)  # parts with supports are number 0, if there are any
    return np.where(held[part], 0, number[part])


def _widest(near, patches):
    """Pairs that face each other, and the greatest gap at the corners of the nearest of their patches [m]."""
    if not len(patches.pair):
        return np.zeros((0, 2), np.int64), np.zeros(0)
    at_corners = np.maximum.reduceat(patches.point_gap, patches.point_start[:-1])
    # A pair may face each other in several places; the largest patch is the joint.
    order = np.lexsort((-patches.area, patches.pair))
    first = order[np.flatnonzero(np.diff(patches.pair[order], prepend=-1))]
    gap = np.maximum(at_corners[first], 0.0)
    return near[patches.pair[first]], gap


def _needed(pairs, gap, apart):
    """Least gap [m] that connects all parts; None if even the widest does not."""
    a, b = apart[pairs].T
    widths, parts = np.unique(gap), int(apart.max()) + 1

    def connect(widest):
        near = gap <= widest
        return components(a[near], b[near], parts).max() == 0

    if not len(widths) or not connect(widths[-1]):
        return None
    low, high = 0, len(widths) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if connect(widths[middle]) else (middle + 1, high)
    return float(widths[low])


def coverage(around: Surroundings, pairs: np.ndarray, area: np.ndarray) -> np.ndarray:
    """Area found over area that faces each other, for pairs (P, 2) with joints of area [m2] (P,); (P,) up to 1."""
    patches = facing(around, pairs, NEAR, NEAR_ANGLE)
    faced = np.bincount(patches.pair, patches.area, minlength=len(pairs))
    return np.minimum(area / np.where(faced > 0.0, np.maximum(faced, area), np.maximum(area, 1.0)), 1.0)
