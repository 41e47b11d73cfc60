"""A motion as arrays of a reply."""

import numpy as np

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
