"""Question of a limit analysis."""

import numpy as np

from compas_nscd.errors import NotAvailableError, ProtocolError
from nscd_engine.gate.fields import array

#: Most rounds [-]; 12 to 25 are usual.
MOST_ROUNDS = 40
KINDS = ("loads", "acceleration", "tilt", "friction", "supports", "polar")


def read_question(request, model):
    """The checked part `limit` of a request: kind, directions (D, 3), loads (L,), motion (B, 6), coulomb."""
    given = request.get("limit")
    if not isinstance(given, dict) or given.get("kind") not in KINDS:
        raise ProtocolError("The request should have 'limit' with a kind of {}.".format(", ".join(KINDS)))
    asked = {"kind": given["kind"], "coulomb": _rounds(given.get("coulomb", True))}
    if given["kind"] in ("acceleration", "tilt", "polar"):
        asked["directions"] = _directions(given, model, given["kind"] != "acceleration")
    if given["kind"] == "loads":
        asked["loads"] = array(given, "loads", np.uint8, (-1,)) != 0
    if given["kind"] == "supports":
        asked["motion"] = array(given, "motion", np.float64, (len(model.names), 6))
        if (asked["motion"][model.bodies.free >= 0] != 0.0).any() or not asked["motion"].any():
            raise ProtocolError("'motion' should move supports, and them alone.")
    return asked


def _rounds(given):
    """Most rounds of the estimate without dilatancy; 0 for none."""
    if given is True or given is False:
        return MOST_ROUNDS if given else 0
    if not isinstance(given, int) or given < 0:
        raise ProtocolError("'coulomb' should be true, false, or a number of rounds.")
    return min(given, MOST_ROUNDS)


def refuse_water(request, kind):
    if kind in ("tilt", "supports") and request["case"].get("water") is not None:
        raise NotAvailableError(
            "The limit of a {} in water is not available.".format("tilt" if kind == "tilt" else "motion of supports"),
            remedy="Vary an acceleration or loads, or leave out the water.",
        )


def _directions(given, model, level):
    """Unit vectors (D, 3), square to gravity if they should be."""
    direction = array(given, "directions", np.float64, (-1, 3))
    size = np.linalg.norm(model.gravity)
    if level and size > 0.0:
        direction = direction - np.outer(direction @ model.gravity, model.gravity) / size**2
    length = np.linalg.norm(direction, axis=1)
    if not len(direction) or not (length > 1e-6).all():
        raise ProtocolError("A direction has no length, or none across gravity.")
    return direction / length[:, None]
