"""The reply of a motion whose engine or client ended before it did, from its record.

The record has the head and, with every frame, the summary up to then: a motion that is broken off loses at most what
came after its last frame.
"""

from __future__ import annotations

from typing import Any, Dict

from compas_nscd.errors import FileError, InputError
from nscd_engine.core.monitor import Monitor
from nscd_engine.motion.records import record
from nscd_engine.motion.reply import gather


def recover(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """The verb `recover`: the reply of a motion from the record that it left."""
    name = request.get("record")
    if not isinstance(name, str) or not record.is_name(name):
        raise InputError("{!r:.60} does not name a record.".format(name), remedy="`records` lists those there are.")
    path = record.find(name)
    if path is None:
        raise FileError(
            "There is no record {}.".format(name),
            remedy="A motion that ended well leaves none; others are kept for a week.",
        )
    head, frames = record.read(path)
    if not frames:
        raise FileError("The record {} holds no frame.".format(name))
    return gather(head, frames, frames[-1]["told"], record.read_checkpoint(path))


def records(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """The verb `records`: the records of motions that did not end well, the latest first."""
    return {"records": [dict(entry) for entry in record.left_behind()]}
