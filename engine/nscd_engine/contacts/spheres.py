"""Point contacts of spheres with spheres and polyhedra at rest."""

from __future__ import annotations

from typing import List, Tuple

import numpy as np

from nscd_engine.contacts.line_point import as_patches
from nscd_engine.contacts.patches import Patches
from nscd_engine.core.model import Model
from nscd_engine.geometry.decomposition import convex_parts
from nscd_engine.kernels.contacts.line_point import Touches
from nscd_engine.kernels.contacts.spheres_at_rest import SphereTouches, find_shadowed, separations

#: Difference of two distances, over the tolerance of a gap, below which a sphere is equally near to two blocks [-].
#: Larger: contacts on the rim of a joint count twice. Smaller: rounding removes one of two contacts.
AS_NEAR = 1e-3


def no_patches() -> Patches:
    """Patches without rows."""
    none = np.zeros(0, np.int64)
    return as_patches(Touches(none, none, np.zeros((0, 3)), np.zeros((0, 2, 3)), np.zeros((0, 2))))


def sphere_patches(
    model: Model, pairs: np.ndarray, eps: np.ndarray, margin: np.ndarray
) -> Tuple[Patches, List[Tuple[int, int, float]]]:
    """Contacts of spheres, and pairs that share volume.

    Parameters
    ----------
    model : Model
    pairs : array (P, 2)
        Blocks a < b, one or both of them spheres.
    eps, margin : arrays (P,)
        Distance up to which they touch, and penetration from which they share volume [m].

    Returns
    -------
    Patches
        `pair` is the row of `pairs`. A sphere in a groove of one block touches it more than once.
    list of (a, b, depth [m])
    """
    bodies = model.bodies
    parts = convex_parts(model.polyhedra, bodies.centroid, model.radius, model.names)
    row, pair = _pairs_of_parts(parts, pairs)
    count = len(row)
    separation, normal = np.empty(count), np.empty((count, 3))
    on_a, on_b = np.empty((count, 3)), np.empty((count, 3))
    separations(parts, bodies.centroid, pair, separation, normal, on_a, on_b)

    deepest = np.full(len(pairs), np.inf)
    np.minimum.at(deepest, row, separation)
    overlaps = [(*pairs[k].tolist(), float(-deepest[k])) for k in np.flatnonzero(deepest < -margin)]
    kept = np.flatnonzero((separation <= eps[row]) & (deepest[row] >= -margin[row]))
    place = np.where((parts.radius[pair[:, 0]] > 0.0)[:, None], on_b, on_a)
    kept = kept[~_shadowed(parts, bodies.centroid, pair[kept], place[kept], separation[kept], eps[row[kept]])]
    middle, gap = 0.5 * (on_a + on_b)[kept], separation[kept]
    point, gaps = np.stack([middle, middle], axis=1), np.stack([gap, gap], axis=1)
    return as_patches(Touches(row[kept], np.zeros(len(kept), np.int64), normal[kept], point, gaps)), overlaps


def _pairs_of_parts(parts, pairs):
    """Row of `pairs` (K,) and parts (K, 2) for all parts of the blocks of every pair, in the order of the pairs."""
    order = np.argsort(parts.block, kind="stable")
    blocks = int(parts.block.max()) + 1
    first = np.searchsorted(parts.block[order], np.arange(blocks + 1))
    number = np.diff(first)[pairs]
    each = number.prod(axis=1)
    row = np.repeat(np.arange(len(pairs)), each)
    within = np.arange(len(row)) - np.repeat(np.cumsum(each) - each, each)
    a, b = within // number[row, 1], within % number[row, 1]
    chosen = np.stack([first[pairs[row, 0]] + a, first[pairs[row, 1]] + b], axis=1)
    return row, order[chosen]


def _shadowed(parts, centroid, pair, place, separation, eps):
    """Which contacts another part shadows (see `find_shadowed`); (n,) bool. Contacts of two spheres never are."""
    result = np.zeros(len(pair), np.bool_)
    is_sphere = parts.radius[pair] > 0.0
    rows = np.flatnonzero(~is_sphere.all(axis=1))
    sphere = np.where(is_sphere[rows, 0], pair[rows, 0], pair[rows, 1])
    rows = rows[np.argsort(sphere, kind="stable")]
    sphere = np.sort(sphere)
    part = np.where(is_sphere[rows, 0], pair[rows, 1], pair[rows, 0])
    start = np.append(np.flatnonzero(np.diff(sphere, prepend=-1)), len(rows))
    found = np.zeros(len(rows), np.bool_)
    noise = AS_NEAR * eps[rows]
    touches = SphereTouches(start, part, place[rows], separation[rows], eps[rows], noise)
    find_shadowed(parts, centroid, touches, found)
    result[rows] = found
    return result
