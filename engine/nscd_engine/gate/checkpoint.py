"""A checkpoint of a motion: shapes, types and indices of its arrays, checked against the model.

A checkpoint comes out of a file that people share, and its seal shows damage, not intent. Kernels do not check indices:
whatever could send one out of its arrays is refused here.
"""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional

import numpy as np

from compas_nscd.errors import InputError
from nscd_engine.core.state import DetectorState, Snapshot, State, StepMemory
from nscd_engine.gate.fields import array, is_number, part
from nscd_engine.kernels.contacts.narrow_phase import CORNERS
from nscd_engine.kernels.contacts.persistent_pairs import Pairs, Poses

#: Greatest difference of the length of a quaternion from 1 [-]. Larger: blocks that are scaled pass. Smaller: rounding
#: of long motions is refused.
UNIT = 1e-6
#: Greatest count of steps of a checkpoint [-]: more than a motion may have.
MAX_STEPS = 10**9
#: Greatest number of a checkpoint, of whatever unit. Larger: products of several overflow. Smaller: what is far away or
#: heavy is refused.
MOST = 1e30

#: Arrays of all pairs of parts: type, shape of a row.
_OF_PAIRS: Dict[str, tuple] = {
    "part": (np.int32, (2,)),
    "shift": (np.float64, (3,)),
    "turn": (np.float64, (4,)),
    "clear": (np.float64, ()),
    "kind": (np.int64, ()),
    "normal": (np.float64, (3,)),
    "slack": (np.float64, ()),
    "begin": (np.int64, ()),
    "count": (np.int64, ()),
}
#: Arrays of all contacts.
_OF_CONTACTS: Dict[str, tuple] = {"on_a": (np.float64, (3,)), "on_b": (np.float64, (3,)), "key": (np.int64, ())}
#: Arrays of the poses of all blocks: shape of a row.
_OF_POSES = {"position": (3,), "orientation": (4,), "rotation": (3, 3), "velocity": (6,)}


class Owner(NamedTuple):
    """The motion that a checkpoint is for."""

    free: np.ndarray  # (B,) int32: index among the free bodies, -1 for a support
    part_block: np.ndarray  # (P,): block of each convex part
    joints: Optional[dict]  # snapshot of its joints, whose arrays the checkpoint should have; None without joints
    deformation: Optional[dict] = None  # snapshot of its deformable blocks; None without any

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return len(self.free)

    @property
    def bodies(self) -> int:
        """Number of free bodies."""
        return int((self.free >= 0).sum())


def read_snapshot(body: Dict[str, Any], owner: Owner) -> Snapshot:
    """The checked snapshot of a checkpoint, with arrays of its own: those of a message are read-only.

    Raises
    ------
    InputError, ProtocolError
        If a field is missing, has another type or shape, or refers to something that the model does not have.
    """
    steps, length = _counts(body, "hard", 2)
    methods = {"method_hold_steps": steps, "method_hold_length": length, "bonded": _retries(body.get("bonded"))}
    return Snapshot(
        _state(part(body, "state"), owner),
        _last(body, owner),
        _detector(body, owner),
        methods,
        _joints(body.get("joints"), owner.joints),
        _deformation(body, owner.deformation),
    )


def read_followed(extra: Any, blocks: int) -> Dict[str, Any]:
    """The checked quantities that are followed beside the state: energies, displacements, rest, step length."""
    given = part({"extra": extra}, "extra")
    found: Dict[str, Any] = {key: _number(given, key) for key in ("most", "settled", "asked", "time_step")}
    if not 0.0 < found["time_step"] <= found["asked"]:
        raise InputError("'time_step' should be above 0 and at most 'asked'.")
    found.update((key, _times(given, key, blocks)) for key in ("moved_at", "fallen_at"))
    found.update(energies=_array(given, "energies", np.float64, (5,)), quiet=_quiet(given))
    if "down_at" in given:  # not in checkpoints of version 0.1.0
        found["down_at"] = _times(given, "down_at", blocks)
    if "energy_measure" in given:
        found["energy_measure"] = _number(given, "energy_measure")
    return dict(found, phase=_count("phase", given.get("phase")))


def _quiet(given):
    """Time since which all blocks are at rest [s], None if they move, and two speeds [-]."""
    since, early, late = _list(given, "quiet", 3)
    if not all(is_number(value) for value in (early, late, 0.0 if since is None else since)):
        raise InputError("'quiet' should be numbers.")
    return [since, early, late]


# -- state of the blocks -----------------------------------------------------------------------------------------------


def _state(given, owner):
    fields = {key: _array(given, key, np.float64, (owner.blocks,) + _OF_POSES[key]) for key in State._fields[1:]}
    _require_unit(fields["orientation"])
    return State(_number(given, "time"), **fields)


def _poses(given, owner):
    """Poses when the boxes were drawn; None before the first step."""
    if given is None:
        return None
    given = part({"home": given}, "home")
    fields = {key: _array(given, key, np.float64, (owner.blocks,) + row) for key, row in _OF_POSES.items()}
    _require_unit(fields["orientation"])
    return Poses(**fields)


def _last(body, owner):
    """What the last step left; None before the first."""
    if body.get("impulses") is None:
        return None
    key = _array(body, "key", np.int64, (-1,))
    impulses = _array(body, "impulses", np.float64, (len(key), 3))
    relative = _array(body, "relative", np.float64, (owner.bodies, 6))
    known = body.get("earlier") is not None
    earlier = _array(body, "earlier", np.float64, (owner.bodies, 6)) if known else None
    duration = _number(body, "impulse_step")
    if not duration > 0.0:
        raise InputError("'impulse_step' should be above 0.")
    return StepMemory(key, impulses, duration, relative, earlier)


# -- contacts ----------------------------------------------------------------------------------------------------------


def _detector(body, owner):
    given = part(body, "pairs")
    pairs = _pairs(given)
    _check_pairs(pairs, owner.part_block)
    friction = _array(body, "friction", np.float64, (len(pairs.part),))
    room = _array(body, "room", np.float64, (len(owner.part_block),))
    first = body.get("first")
    if not isinstance(first, bool) or (friction < 0.0).any():
        raise InputError("'first' should be true or false, and 'friction' 0 or more.")
    return DetectorState(pairs, _poses(body.get("home"), owner), room, friction, first)


def _pairs(given):
    count = len(_array(given, "part", np.int32, (-1, 2)))
    contacts = len(_array(given, "key", np.int64, (-1,)))
    fields = {key: _array(given, key, kind, (count,) + row) for key, (kind, row) in _OF_PAIRS.items()}
    fields.update((key, _array(given, key, kind, (contacts,) + row)) for key, (kind, row) in _OF_CONTACTS.items())
    return Pairs(**fields)


def _check_pairs(pairs, part_block):
    """Parts that exist, of two blocks, and contacts that exist, each of one pair."""
    a, b = pairs.part.T
    if ((a < 0) | (b <= a) | (b >= len(part_block))).any():
        raise InputError("'part' refers to a part of a block that is not there.")
    if (part_block[a] == part_block[b]).any() or ((pairs.kind < 0) | (pairs.kind > CORNERS)).any():
        raise InputError("'part' has a pair of one block, or 'kind' is unknown.")
    used = np.flatnonzero(pairs.count)
    begin, count, contacts = pairs.begin[used], pairs.count[used], len(pairs.key)
    if (count < 0).any() or (begin < 0).any() or (begin > contacts).any() or (count > contacts - begin).any():
        raise InputError("'begin' and 'count' refer to a contact that is not there.")
    order = np.argsort(begin)
    ends = np.cumsum(count[order])
    if (begin[order] != ends - count[order]).any() or (ends[-1] if len(ends) else 0) != contacts:
        raise InputError("'begin' and 'count' give a contact to two pairs, or to none.")


# -- joints, methods ---------------------------------------------------------------------------------------------------


def _joints(saved, own):
    """Arrays with the types and shapes of `own`."""
    if own is None or saved is None:
        return None
    given = part({"joints": saved}, "joints")
    if len(_array(given, "active", np.bool_, (-1,))) != len(own["active"]) or not set(own) - {"cables"} <= set(given):
        raise InputError(
            "The motion was saved by a version whose joints had other points, and cannot go on.",
            remedy="Run it again from its start.",
        )
    found = {key: _array(given, key, like.dtype, like.shape) for key, like in own.items() if key != "cables"}
    if "cables" in own:
        cables = part(given, "cables")
        found["cables"] = {key: _array(cables, key, like.dtype, like.shape) for key, like in own["cables"].items()}
    return found


def _deformation(body, own):
    """Displacements and rates of nodes with the shapes of `own`."""
    if own is None:
        return None
    given = part(body, "deformation")
    return {key: _array(given, key, np.float64, like.shape) for key, like in own.items()}


def _retries(given):
    """Waits of the methods for steps with bonds; None if there were no such steps."""
    if given is None:
        return None
    both = _list({"bonded": given}, "bonded", 2)
    return [_counts({"bonded": each}, "bonded", 2, least=-1) for each in both]


# -- numbers -----------------------------------------------------------------------------------------------------------


def _array(given, key, dtype, shape):
    found = array(given, key, dtype, shape)
    if found.dtype.kind == "f" and (np.abs(found) > MOST).any():
        raise InputError("{!r} has a number beyond {:g}.".format(key, MOST))
    return found


def _number(given, key):
    value = given.get(key)
    if not is_number(value):
        raise InputError("{!r} should be a number, not {!r:.40}.".format(key, value))
    return float(value)


def _list(given, key, length):
    value = given.get(key)
    if not isinstance(value, list) or len(value) != length:
        raise InputError("{!r} should be a list of {}.".format(key, length))
    return value


def _count(key, value, least=0):
    if type(value) is not int or not least <= value <= MAX_STEPS:
        raise InputError("{!r} should be a whole number, not {!r:.40}.".format(key, value))
    return value


def _counts(given, key, length, least=0):
    return [_count(key, value, least) for value in _list(given, key, length)]


def _times(given, key, blocks):
    """Times [s] (B,), infinite for what has not happened."""
    never = np.asarray(given[key]) == np.inf
    found = _array({key: np.where(never, 0.0, given[key])}, key, np.float64, (blocks,))
    return np.where(never, np.inf, found)


def _require_unit(orientation):
    if (np.abs(np.linalg.norm(orientation, axis=1) - 1.0) > UNIT).any():
        raise InputError("'orientation' should be unit quaternions.")
