"""A motion as arrays of a reply."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.settings import Settings
from nscd_engine.motion.records import record

#: Arrays of every frame, stacked in the reply.
FRAME = ("position", "orientation", "velocity", "ground", "energies")
#: Arrays of every frame with forces, joined end to end.
FORCES = ("contact_body", "contact_point", "contact_force")
#: Arrays with a row a step, joined end to end.
PROBES = ("probe_times", "probe_displacement", "probe_ground")
CABLES = "cable_forces"
#: Energy of deformable blocks [J].
ELASTIC = "elastic_energy"


def head_of(
    model: Model, settings: Settings, time_step: float, probes: np.ndarray, cable_body: Optional[np.ndarray]
) -> Dict[str, Any]:
    """What all frames share.

    Parameters
    ----------
    model : Model
    settings : Settings
    time_step : float
        Step asked for [s].
    probes : array (p,) int32
        Blocks.
    cable_body : array (K, 2), optional
        Blocks of the cables.
    """
    head = {
        "solver": settings.solver,
        "friction": settings.friction,
        "blocks": len(model.names),
        "free_blocks": int((model.bodies.free >= 0).sum()),
        "time_step": time_step,
        "centroid": model.bodies.centroid,
        "mass": model.bodies.mass,
        "probe_block": np.asarray(probes, np.int32),
    }
    return head if cable_body is None else dict(head, cable_body=cable_body)


def gather(
    head: Dict[str, Any], frames: List[Dict[str, Any]], summary: Dict[str, Any], checkpoint: np.ndarray
) -> Dict[str, Any]:
    """The reply of a motion.

    Parameters
    ----------
    head : dict
        Of the record.
    frames : list of dict
    summary : dict
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
    if ELASTIC in frames[0]:
        found.update(record.stack(frames, [ELASTIC]))
    found.update(head, times=np.array([frame["time"] for frame in frames]), checkpoint=checkpoint)
    found.update(summary, warnings=head["warnings"] + summary.get("warnings", []))
    return found


def _distinct(frames):
    """The frames without a last one at the time of the one before, which has no probes then."""
    if len(frames) > 1 and frames[-1]["time"] == frames[-2]["time"] and not len(frames[-1]["probe_times"]):
        return frames[:-1]
    return frames
