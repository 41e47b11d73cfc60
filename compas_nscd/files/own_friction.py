"""Laws of pairs of blocks whose objects in a file have a friction of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw

#: Distance within which the bounding boxes of two blocks meet [largest diagonal]. Larger: needless laws of pairs.
#: Smaller: blocks across a wide joint get the usual friction.
_REACH = 0.01


def laws_of_pairs(
    blocks: Sequence[Block], mu: Sequence[float] | np.ndarray, usual: float
) -> dict[tuple[int, int], ContactLaw]:
    """Laws of pairs of blocks with their own friction.

    The friction of a pair is the smaller one of the two blocks. Pairs with the usual friction, and pairs whose bounding
    boxes do not meet, are left out.

    Parameters
    ----------
    blocks : list of Block
    mu : (B,) array
        Friction of each block [-].
    usual : float
        Friction of all other joints [-].
    """
    if not (np.asarray(mu) != usual).any():
        return {}
    low = np.array([block.vertices.min(axis=0) for block in blocks])
    high = np.array([block.vertices.max(axis=0) for block in blocks])
    reach = _REACH * np.linalg.norm(high - low, axis=1).max()
    laws: dict[tuple[int, int], ContactLaw] = {}
    for i in range(len(mu) - 1):
        near = ((low[i + 1 :] <= high[i] + reach) & (high[i + 1 :] >= low[i] - reach)).all(axis=1)
        for j in (i + 1 + np.flatnonzero(near)).tolist():
            friction = min(mu[i], mu[j])
            if friction != usual:
                laws[i, j] = ContactLaw(float(friction))
    return laws
