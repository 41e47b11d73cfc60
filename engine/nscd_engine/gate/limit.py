"""Questions of a limit analysis: which load is varied; which joint forces are bounded."""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from compas_nscd.errors import NotAvailableError, ProtocolError
from nscd_engine.core.loads import WaterProperties
from nscd_engine.core.model import Model
from nscd_engine.gate.fields import array, is_word, part

#: Most rounds of the estimate without dilatancy [-]; 12 to 25 are usual. More: minutes for an estimate that swings.
MOST_ROUNDS = 40
KINDS = ("loads", "acceleration", "tilt", "friction", "supports", "polar")


class LimitQuestion(NamedTuple):
    """What is varied until the structure collapses. B blocks, L point loads, D directions."""

    kind: str  # one of KINDS
    rounds: int  # most rounds of the estimate without dilatancy; 0: none
    directions: Optional[np.ndarray] = None  # (D, 3) unit vectors: acceleration, tilt, polar
    loads: Optional[np.ndarray] = None  # (L,) bool: point loads that are scaled
    motion: Optional[np.ndarray] = None  # [m, rad] (B, 6): displacement of the supports, 0 for free blocks


class ForceRangeQuestion(NamedTuple):
    """Joints whose least and greatest force is asked for."""

    pairs: np.ndarray  # (K, 2) int32: blocks; none: all joints
    direction: Optional[np.ndarray]  # (3,); None: the normal of each joint


def read_limit_question(request: dict, model: Model, water: Optional[WaterProperties]) -> LimitQuestion:
    """The checked part `limit` of a request."""
    given = request.get("limit")
    if not isinstance(given, dict) or not is_word(given.get("kind"), KINDS):
        raise ProtocolError("The request should have 'limit' with a kind of {}.".format(", ".join(KINDS)))
    kind, rounds = given["kind"], _rounds(given.get("coulomb", True))
    if water is not None:
        _refuse_water(kind)
    if kind in ("acceleration", "tilt", "polar"):
        return LimitQuestion(kind, rounds, directions=_directions(given, model, kind != "acceleration"))
    if kind == "loads":
        return LimitQuestion(kind, rounds, loads=_chosen(given, model))
    if kind == "supports":
        return LimitQuestion(kind, rounds, motion=_support_motion(given, model))
    return LimitQuestion(kind, rounds)


def read_force_range_question(request: dict) -> ForceRangeQuestion:
    """The checked part `force_range` of a request."""
    given = part(request, "force_range")
    pairs = array(given, "pairs", np.int32, (-1, 2))
    direction = None if given.get("direction") is None else array(given, "direction", np.float64, (3,))
    return ForceRangeQuestion(pairs, direction)


def _rounds(given):
    """Most rounds of the estimate without dilatancy; 0 for none."""
    if given is True or given is False:
        return MOST_ROUNDS if given else 0
    if not isinstance(given, int) or given < 0:
        raise ProtocolError("'coulomb' should be true, false, or a number of rounds.")
    return min(given, MOST_ROUNDS)


def _refuse_water(kind):
    if kind in ("tilt", "supports"):
        raise NotAvailableError(
            "The limit of a {} in water is not available.".format("tilt" if kind == "tilt" else "motion of supports"),
            remedy="Vary an acceleration or loads, or leave out the water.",
        )


def _chosen(given, model):
    """Point loads (L,) bool that are scaled."""
    chosen = array(given, "loads", np.uint8, (-1,)) != 0
    if len(chosen) != len(model.point_loads.block):
        raise ProtocolError("'loads' should have one entry per point load.")
    return chosen


def _support_motion(given, model):
    motion = array(given, "motion", np.float64, (len(model.names), 6))
    if (motion[model.bodies.free >= 0] != 0.0).any() or not motion.any():
        raise ProtocolError("'motion' should move supports, and them alone.")
    return motion


def _directions(given, model, horizontal):
    """Unit vectors (D, 3); their part along gravity is removed where `horizontal` is true."""
    direction = array(given, "directions", np.float64, (-1, 3))
    size = np.linalg.norm(model.gravity)
    if horizontal and size > 0.0:
        direction = direction - np.outer(direction @ model.gravity, model.gravity) / size**2
    length = np.linalg.norm(direction, axis=1)
    if not len(direction) or not (length > 1e-6).all():
        raise ProtocolError("A direction has no length, or none across gravity.")
    return direction / length[:, None]
