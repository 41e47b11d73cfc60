"""Pairs of boxes that meet: a tree over boxes sorted along Morton's curve, cost O(n log n) for any mix of sizes.

One slab under a whole wall fills every cell of a grid and spoils every sweep along an axis; in a tree it only widens
its own ancestors. The tree is implicit: over the sorted boxes, node k has children 2k and 2k + 1, the root is 1.
"""

import numpy as np
from numba import njit


def touching_pairs(lower, upper, fixed):
    """Pairs a < b of boxes with a common point, not both fixed, in ascending order.

    Parameters
    ----------
    lower, upper : array (B, 3)
    fixed : array (B,) of bool

    Returns
    -------
    array (P, 2) int32
    """
    order = np.argsort(morton_code(0.5 * (lower + upper)), kind="stable").astype(np.int32)
    pairs = _query(lower[order], upper[order], np.asarray(fixed, np.bool_)[order], order)
    key = pairs[:, 0].astype(np.int64) * len(lower) + pairs[:, 1]
    return pairs[np.argsort(key, kind="stable")]


def morton_code(points):
    """Position along Morton's curve of points (n, 3), 21 bits an axis; int64 (n,)."""
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


@njit(cache=True, nogil=True)
def _meet(lower_a, upper_a, lower_b, upper_b):
    for i in range(3):
        if lower_a[i] > upper_b[i] or lower_b[i] > upper_a[i]:
            return False
    return True


@njit(cache=True, nogil=True)
def _tree(lower, upper, leaves):
    """Boxes of the nodes (2 * leaves, 3) each; a missing leaf is an empty box."""
    low = np.full((2 * leaves, 3), np.inf)
    high = np.full((2 * leaves, 3), -np.inf)
    low[leaves : leaves + lower.shape[0]] = lower
    high[leaves : leaves + lower.shape[0]] = upper
    for node in range(leaves - 1, 0, -1):
        for i in range(3):
            low[node, i] = min(low[2 * node, i], low[2 * node + 1, i])
            high[node, i] = max(high[2 * node, i], high[2 * node + 1, i])
    return low, high


@njit(cache=True, nogil=True)
def _query(lower, upper, fixed, order):
    """Every leaf against the leaves after it."""
    count = lower.shape[0]
    leaves = 1
    while leaves < count:
        leaves *= 2
    low, high = _tree(lower, upper, leaves)
    pairs = np.empty((8 * count + 8, 2), np.int32)
    found = 0
    stack = np.empty(128, np.int32)
    for k in range(count):
        # The leaves after k are the right siblings on the way from leaf k up to the root.
        node = leaves + k
        while node > 1:
            if node % 2 == 0:
                stack[0] = node + 1
                top = 1
                while top > 0:
                    top -= 1
                    other = stack[top]
                    if not _meet(lower[k], upper[k], low[other], high[other]):
                        continue
                    if other < leaves:
                        stack[top] = 2 * other + 1
                        stack[top + 1] = 2 * other
                        top += 2
                    elif not (fixed[k] and fixed[other - leaves]):
                        if found == pairs.shape[0]:
                            longer = np.empty((2 * found, 2), np.int32)
                            longer[:found] = pairs
                            pairs = longer
                        pairs[found, 0] = min(order[k], order[other - leaves])
                        pairs[found, 1] = max(order[k], order[other - leaves])
                        found += 1
            node //= 2
    return pairs[:found].copy()
