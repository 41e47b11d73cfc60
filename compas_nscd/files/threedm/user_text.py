"""Properties of blocks in the user text of Rhino objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import MaterialError, SupportError
from compas_nscd.files.threedm.keys import SUPPORT

_TRUE = ("true", "yes", "1")
_FALSE = ("false", "no", "0")
#: Distance within which the bounding boxes of two blocks meet [largest diagonal]. Larger: needless laws of pairs.
#: Smaller: blocks across a wide joint get the usual friction.
_REACH = 0.01


def number(text: str, what: str, called: str) -> float:
    """Number in the user text `what` of the block `called`; a MaterialError otherwise."""
    try:
        return float(text)
    except ValueError:
        raise MaterialError("The user text {} of block {} is {!r:.40}.".format(what, called, text), blocks=[called])


def marked(strings: Mapping[str, str], called: str) -> bool:
    """Whether the user text of the object `called` marks it as a support."""
    text = strings.get(SUPPORT, "false").strip().lower()
    if text not in _TRUE + _FALSE:
        text = "The user text {} of block {} is {!r:.40}.".format(SUPPORT, called, text)
        raise SupportError(text, remedy="It can be true or false.", blocks=[called])
    return text in _TRUE


def on_layer(path: str, layer: str) -> bool:
    """Whether the layer with this full path is `layer` or below it; case-insensitive."""
    parts, wanted = path.lower().split("::"), layer.lower().split("::")
    return any(parts[k : k + len(wanted)] == wanted for k in range(len(parts)))


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
