"""From recorded frames to the reply of a motion; also for a motion whose engine or client ended before it did.

Everything a reply needs is in the record: the head, and with every frame what could be told by then. So a motion that
was broken off loses at most what came after its last frame.
"""

import numpy as np

from compas_nscd.errors import FileError, InputError
from nscd_engine.motion import record

FRAME = ("position", "orientation", "velocity", "ground", "energies")
FORCES = ("contact_body", "contact_point", "contact_force")
PROBES = ("probe_times", "probe_displacement", "probe_ground")
CABLES = "cable_forces"


def gather(head, frames, told, checkpoint):
    """The reply of a motion.

    Parameters
    ----------
    head : dict
        Of the record: centroid, mass, probe_block, and what does not change.
    frames : list of dict
    told : dict
        Verdict and numbers.
    checkpoint : array (n,) uint8
    """
    frames = _distinct(frames)
    found = record.stack(frames, FRAME)
    found.update((key, np.concatenate([frame[key] for frame in frames])) for key in PROBES)
    if FORCES[0] in frames[0]:
        found.update(record.join(frames, FORCES, "contact_start"))
    if CABLES in frames[0]:
        found.update(record.stack(frames, [CABLES]))
    found.update(head, times=np.array([frame["time"] for frame in frames]), checkpoint=checkpoint)
    found.update(told)
    return found


def _distinct(frames):
    """Without a last frame at the time of the one before; its probes are not lost, because there are none."""
    if len(frames) > 1 and frames[-1]["time"] == frames[-2]["time"] and not len(frames[-1]["probe_times"]):
        return frames[:-1]
    return frames


def recover(request, monitor):
    """The verb `recover`: the reply of a motion from the record that it left."""
    name = request.get("record")
    if not record.is_name(name):
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


def records(request, monitor):
    """The verb `records`: what motions that did not end well have left, the latest first."""
    return {"records": [dict(entry) for entry in record.left_behind()]}
