"""Pairs of boxes that meet, by a tree over boxes sorted along the Morton curve: O(n log n) for any mix of sizes.

A slab under a whole wall would fill every cell of a grid and overlap every box of a sweep along an axis. In a tree it
only widens its own ancestors. The tree is implicit over the sorted boxes: node k has children 2k and 2k + 1, the root
is 1.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner


def touching_pairs(lower, upper, fixed):
    """Pairs a < b of boxes with a common point, not both fixed, in ascending order.

    A box with a corner that is NaN touches none.

    Parameters
    ----------
    lower, upper : arrays (B, 3)
        Corners of the boxes [m].
    fixed : array (B,) of bool

    Returns
    -------
    array (P, 2) int32
    """
    with np.errstate(invalid="ignore"):  # boxes without end have no centre
        centre = 0.5 * (lower + upper)
    order = np.argsort(morton_code(centre), kind="stable").astype(np.int32)
    lower, upper, fixed = lower[order], upper[order], np.asarray(fixed, np.bool_)[order]
    pairs = np.empty((8 * len(lower), 2), np.int32)
    found = _query(lower, upper, fixed, order, pairs)
    if found > len(pairs):
        pairs = np.empty((found, 2), np.int32)
        _query(lower, upper, fixed, order, pairs)
    pairs = pairs[:found]
    key = pairs[:, 0].astype(np.int64) * len(lower) + pairs[:, 1]
    return pairs[np.argsort(key, kind="stable")]


def morton_code(points):
    """Position (n,) int64 of points (n, 3) along the Morton curve, 21 bits an axis."""
    points = np.where(np.isfinite(points), points, 0.0)
    low = points.min(axis=0)
    extent = float((points.max(axis=0) - low).max())
    scale = (2**21 - 1) / extent if extent > 0.0 else 0.0
    code = np.zeros(len(points), np.int64)
    for axis in range(3):
        x = ((points[:, axis] - low[axis]) * scale).astype(np.int64)
        for shift, mask in (
            (32, 0x1F00000000FFFF),
            (16, 0x1F0000FF0000FF),
            (8, 0x100F00F00F00F00F),
            (4, 0x10C30C30C30C30C3),
            (2, 0x1249249249249249),
        ):
            x = (x | (x << shift)) & mask
        code |= x << axis
    return code


@inner
def is_box(lower, upper, k):
    """Whether box k has corners that are numbers, in order; False if one is NaN."""
    return lower[k, 0] <= upper[k, 0] and lower[k, 1] <= upper[k, 1] and lower[k, 2] <= upper[k, 2]


@inner
def _tree(lower, upper, leaves):
    """Boxes (2 * leaves, 6) of the nodes, lower and upper corner in a row; a leaf is an empty box if it is missing or
    not of numbers.
    """
    box = np.empty((2 * leaves, 6))
    for node in range(2 * leaves - 1, 0, -1):
        k = node - leaves
        for i in range(3):
            if node < leaves:
                box[node, i] = min(box[2 * node, i], box[2 * node + 1, i])
                box[node, 3 + i] = max(box[2 * node, 3 + i], box[2 * node + 1, 3 + i])
            elif k < lower.shape[0] and is_box(lower, upper, k):
                box[node, i] = lower[k, i]
                box[node, 3 + i] = upper[k, i]
            else:
                box[node, i] = np.inf
                box[node, 3 + i] = -np.inf
    return box


@njit(cache=True, nogil=True, error_model="numpy")
def _query(lower, upper, fixed, order, pairs):
    """Compare every leaf with the leaves after it. Returns the number of pairs; writes as many as `pairs` can hold."""
    leaves = 1
    while leaves < lower.shape[0]:
        leaves *= 2
    box = _tree(lower, upper, leaves)
    found = 0
    stack = np.empty(128, np.int64)
    for k in range(lower.shape[0]):
        if not is_box(lower, upper, k):
            continue
        # The leaves after k are below the right siblings of the nodes from leaf k up to the root.
        sibling = leaves + k
        while sibling > 1:
            top = 0
            if sibling % 2 == 0:
                stack[0] = sibling + 1
                top = 1
            sibling //= 2
            while top > 0:
                top -= 1
                node = stack[top]
                apart = False
                for i in range(3):
                    apart = apart or lower[k, i] > box[node, 3 + i] or box[node, i] > upper[k, i]
                if apart:
                    continue
                if node < leaves:
                    stack[top] = 2 * node + 1
                    stack[top + 1] = 2 * node
                    top += 2
                    continue
                # A box without end is not apart from an empty one either.
                other = node - leaves
                if other < lower.shape[0] and is_box(lower, upper, other) and not (fixed[k] and fixed[other]):
                    if found < pairs.shape[0]:
                        pairs[found, 0] = min(order[k], order[other])
                        pairs[found, 1] = max(order[k], order[other])
                    found += 1
    return found
