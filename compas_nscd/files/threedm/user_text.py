"""Properties of blocks in the user text of Rhino objects."""

from __future__ import annotations

from collections.abc import Mapping

from compas_nscd.errors import MaterialError, SupportError
from compas_nscd.files.threedm.keys import SUPPORT

_TRUE = ("true", "yes", "1")
_FALSE = ("false", "no", "0")


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
