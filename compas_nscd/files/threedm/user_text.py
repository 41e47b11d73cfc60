"""Properties of blocks in the user text of Rhino objects."""

from __future__ import annotations

import json
from collections.abc import Mapping

from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import MaterialError, SupportError
from compas_nscd.files.threedm.keys import ELASTIC, SUPPORT

_TRUE = ("true", "yes", "1")
_FALSE = ("false", "no", "0")


def number(text: str, what: str, called: str) -> float:
    """Number in the user text `what` of the block `called`; a MaterialError otherwise."""
    try:
        return float(text)
    except ValueError:
        raise MaterialError("The user text {} of block {} is {!r:.40}.".format(what, called, text), blocks=[called])


def elastic(strings: Mapping[str, str], called: str) -> Elastic | None:
    """Elasticity in the user text of the object `called`; None if it is rigid."""
    text = strings.get(ELASTIC)
    if not text:
        return None
    try:
        given = json.loads(text)
    except ValueError:
        remedy = 'For example {"young": 6e10, "poisson": 0.27, "elements": "h8"}.'
        text = "The user text {} of block {} is {!r:.40}.".format(ELASTIC, called, text)
        raise MaterialError(text, remedy=remedy, blocks=[called])
    return Elastic.of(given, "block {}".format(called))


def marked(strings: Mapping[str, str], called: str) -> bool:
    """Whether the user text of the object `called` marks it as a support."""
    text = strings.get(SUPPORT, "false").strip().lower()
    if text not in _TRUE + _FALSE:
        text = "The user text {} of block {} is {!r:.40}.".format(SUPPORT, called, text)
        raise SupportError(text, remedy="It can be true or false.", blocks=[called])
    return text in _TRUE
