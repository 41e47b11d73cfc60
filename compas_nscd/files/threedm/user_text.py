"""What user text of Rhino objects says of blocks."""

import numpy as np

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import MaterialError, SupportError
from compas_nscd.files.threedm.keys import SUPPORT

_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


def number(text, what, called):
    try:
        return float(text)
    except ValueError:
        raise MaterialError("The user text {} of block {} is {!r:.40}.".format(what, called, text), blocks=[called])


def marked(strings, called):
    """Whether the user text of an object says that it is a support."""
    text = strings.get(SUPPORT, "false").strip().lower()
    if text not in _TRUE + _FALSE:
        text = "The user text {} of block {} is {!r:.40}.".format(SUPPORT, called, text)
        raise SupportError(text, remedy="It can be true or false.", blocks=[called])
    return text in _TRUE


def on_layer(path, layer):
    """Whether a layer, by its full path, is the one named or lies below it; case does not count."""
    path, layer = path.lower().split("::"), layer.lower().split("::")
    return any(path[k : k + len(layer)] == layer for k in range(len(path)))


def laws_of_pairs(blocks, mu, usual):
    """Laws of the pairs of blocks whose boxes meet and whose friction, the smaller of the two, is not the usual one."""
    low = np.array([block.vertices.min(axis=0) for block in blocks])
    high = np.array([block.vertices.max(axis=0) for block in blocks])
    reach = 0.01 * np.linalg.norm(high - low, axis=1).max()
    laws = {}
    for i in range(len(mu) - 1):
        near = ((low[i + 1 :] <= high[i] + reach) & (high[i + 1 :] >= low[i] - reach)).all(axis=1)
        for j in (i + 1 + np.flatnonzero(near)).tolist():
            friction = min(mu[i], mu[j])
            if friction != usual:
                laws[i, j] = ContactLaw(float(friction))
    return laws
