"""What is doubtful or wrong in the contacts of a drawing: overlaps, gaps, isolated blocks; warnings and errors."""

from __future__ import annotations

import math
from typing import List

import numpy as np

from compas_nscd.errors import IsolatedBlockError, OverlapError, SupportError
from nscd_engine.contacts.facing import OpenJoints
from nscd_engine.core.model import Model
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Interfaces

#: Area found over area facing below which a warning is due [-].
COVERED = 0.9
#: Pairs that a message names [-].
NAMED = 3


def warning(code: str, message: str, blocks: List[str]) -> dict:
    """A warning of a reply."""
    return {"code": code, "message": message, "blocks": blocks}


def length(metres: float) -> str:
    """A length in millimetres below one metre."""
    return "{:.3g} m".format(metres) if metres >= 1.0 else "{:.3g} mm".format(1e3 * metres)


def rounded_up(metres: float) -> float:
    """A length with two digits, not less than the given one [m]."""
    if metres <= 0.0:
        return 0.0
    digit = 10.0 ** (math.floor(math.log10(metres)) - 1)
    return math.ceil(metres / digit - 1e-9) * digit


def _named(names, pairs):
    """Names of the blocks of pairs, without repetition, in the order of the pairs."""
    return list(dict.fromkeys(names[i] for pair in pairs for i in pair))


def overlap_warnings(names: List[str], overlaps: list) -> list:
    """A warning about pairs (a, b, depth [m]) that overlap and are taken to touch, the deepest first."""
    if not overlaps:
        return []
    deepest = sorted(overlaps, key=lambda each: -each[2])
    shown = ", ".join("{!r} and {!r} by {}".format(names[a], names[b], length(d)) for a, b, d in deepest[:NAMED])
    text = "{} pairs of blocks overlap: {}{}; they are taken to touch on the plane in the middle.".format(
        len(deepest), shown, " and {} more".format(len(deepest) - NAMED) if len(deepest) > NAMED else ""
    )
    return [warning("overlap", text, _named(names, [each[:2] for each in deepest]))]


def gap_warnings(names: List[str], interfaces: Interfaces, usual: np.ndarray) -> list:
    """A warning about joints wider than usual [m] (I,) that were closed, the widest first."""
    wide = np.flatnonzero(interfaces.gap > usual)
    if not len(wide):
        return []
    wide = wide[np.argsort(-interfaces.gap[wide], kind="stable")]
    a, b = interfaces.body[wide[0]].tolist()
    text = "{} joints are open by {} to {}, {!r} and {!r} the most; they are taken as closed.".format(
        len(wide), length(interfaces.gap[wide[-1]]), length(interfaces.gap[wide[0]]), names[a], names[b]
    )
    return [warning("gap", text, _named(names, interfaces.body[wide].tolist()))]


def coverage_warnings(names: List[str], pairs: np.ndarray, share: np.ndarray) -> list:
    """A warning about pairs (P, 2) of whose facing area less than 90 % is in contact; share (P,)."""
    poor = np.flatnonzero(share < COVERED)
    if not len(poor):
        return []
    poor = poor[np.argsort(share[poor], kind="stable")]
    a, b = pairs[poor[0]].tolist()
    text = "{} pairs of blocks touch on part of the area on which they face each other; {!r} and {!r} on {:.0f} %."
    text = text.format(len(poor), names[a], names[b], 100 * share[poor[0]])
    return [warning("coverage", text, _named(names, pairs[poor].tolist()))]


def open_joint_warnings(names: List[str], joints: OpenJoints) -> list:
    """A warning about joints that are open, with the gap that closes them."""
    text = proposal(joints)
    return [warning("open_joints", text, _named(names, joints.pairs.tolist()))] if text else []


def proposal(joints: OpenJoints) -> str:
    """Sentence that says which gap closes the open joints; empty without any."""
    if not len(joints.gap):
        return ""
    low, high = length(joints.gap.min()), length(joints.gap.max())
    by = low if low == high else "{} to {}".format(low, high)
    text = "{} joints are open by {}".format(len(joints.gap), by)
    if joints.needed is None:
        return text + "; no gap connects all blocks."
    return text + "; gap={} closes all of them.".format(length(rounded_up(joints.gap.max())).replace(" ", ""))


def floating_warnings(model: Model, part: np.ndarray, isolated: list) -> list:
    """A warning for blocks that touch each other but are not connected to a support; `part` (B,) of `parts_of`."""
    if not part.any():  # all are connected
        return []
    held = np.unique(part[model.bodies.free < 0])
    loose = ~np.isin(part, held)
    loose[isolated] = False
    if not loose.any() or len(held) == 0:
        return []
    names = [model.names[i] for i in np.flatnonzero(loose)]
    message = "{} blocks touch each other but no support, directly or through others: they fall.".format(len(names))
    return [warning("floating", message, names)]


def connection_warnings(model: Model, interfaces: Interfaces, part: np.ndarray) -> list:
    """Warnings for supports that touch no block, and for several parts (B,) that are held but not connected."""
    out, names = [], model.names
    idle_block = model.bodies.free < 0
    held = np.flatnonzero(idle_block)
    idle_block[interfaces.body.ravel()] = False
    idle = [names[i] for i in np.flatnonzero(idle_block)]
    if idle and len(interfaces.body):
        out.append(warning("idle_support", "{} supports carry nothing.".format(len(idle)), idle))
    free = np.flatnonzero(model.bodies.free >= 0)
    parts = np.intersect1d(part[free], part[held]) if part.any() else ()
    if len(parts) > 1:
        smallest = min((np.flatnonzero(part == k) for k in parts), key=len)
        text = "The structure is in {} parts that do not touch each other.".format(len(parts))
        out.append(warning("parts", text, [names[i] for i in smallest]))
    return out


def require_sound(model: Model, detection, settings: Settings) -> None:
    """Raise an error if the structure cannot be analysed.

    Parameters
    ----------
    model : Model
    detection : Detection
    settings : Settings

    Raises
    ------
    OverlapError
        If blocks overlap by more than a tenth of their thickness.
    IsolatedBlockError
        If free blocks have no contact.
    SupportError
        If there is no support, or no free block.
    """
    if detection.refused:
        _refuse_overlaps(model.names, detection.refused)
    if detection.isolated:
        _refuse_isolated(model.names, detection)
    free = model.bodies.free >= 0
    if not free.any():
        raise SupportError("Every block is a support.", remedy="Leave at least one block free.")
    if free.all() and not settings.unsupported:
        raise SupportError(
            "No block is a support.", remedy="Name the blocks that stand on the ground, or set unsupported."
        )


def _refuse_overlaps(names, overlaps):
    deepest = sorted(overlaps, key=lambda each: -each[2])
    depth = deepest[0][2]
    shown = "; ".join("{!r} and {!r} by {:.3g} m".format(names[a], names[b], d) for a, b, d in deepest[:NAMED])
    accept = length(rounded_up(depth)).replace(" ", "")
    raise OverlapError(
        "{} pairs of blocks share volume, more than a tenth of their thickness: {}.".format(len(deepest), shown),
        remedy="Move them apart; gap={} (--gap {}) accepts overlaps up to half the thickness.".format(accept, accept),
        blocks=sorted(_named(names, [each[:2] for each in deepest]), key=names.index),
        depth=float(depth),
        pairs=[[names[a], names[b], d] for a, b, d in deepest[:100]],
    )


def _refuse_isolated(names, detection):
    blocks = [names[i] for i in detection.isolated]
    proposed = proposal(detection.open)
    needed = detection.open.needed
    remedy = "Move them until they touch, or remove them."
    if needed is not None:
        gap = length(rounded_up(needed)).replace(" ", "")
        remedy = 'Give Settings(gap="{}") or --gap {}; or move the blocks until they touch.'.format(gap, gap)
    raise IsolatedBlockError(
        "{} blocks touch nothing. {}".format(len(blocks), proposed).strip(),
        remedy=remedy,
        blocks=blocks,
        gap_needed=needed,
    )
