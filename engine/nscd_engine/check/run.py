"""The verb `check`: report on the geometry, sound or not."""

from __future__ import annotations

import time

import numpy as np

from nscd_engine.contacts.at_rest import Detection, detect
from nscd_engine.contacts.reply import interfaces
from nscd_engine.contacts.soundness import open_joint_warnings
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from nscd_engine.statics.prepare import elastic_as_rigid

#: Gap or overlap of an interface over the size of the smaller block from which it is listed [-]. Smaller: rounding of
#: coordinates is listed.
LISTED_GAP = 1e-6


def run(request: dict, monitor: Monitor) -> dict:
    """Answer the verb `check`.

    Returns
    -------
    dict
        The interface arrays of the reply and, naming blocks, the lists of `findings`.
    """
    model, settings = read_model(request), read_settings(request)
    start = time.perf_counter()
    detection = detect(model, settings, monitor, thorough=True)
    detect_s = time.perf_counter() - start
    return {
        "blocks": len(model.names),
        "free_blocks": int(np.count_nonzero(model.bodies.free >= 0)),
        "interfaces": len(detection.interfaces.area),
        "contacts": len(detection.contacts.gap),
        "area": float(detection.interfaces.area.sum()),
        **interfaces(detection.interfaces),
        "contact_point": detection.contacts.point,
        "contact_gap": detection.contacts.gap,
        **findings(model, detection),
        "gap_needed": detection.open.needed,
        "overlap_max": max((depth for _, _, depth in detection.overlaps), default=0.0),
        "warnings": detection.warnings + open_joint_warnings(model.names, detection.open) + elastic_as_rigid(model),
        "time": {"detect_s": detect_s},
    }


def findings(model: Model, detection: Detection) -> dict:
    """Lists that name blocks.

    Returns
    -------
    dict
        `overlapping` [[name, name, depth]], `isolated` [name], `gaps` [[name, name, gap]], `several`
        [[name, name, count]], `slivers` [[name, name, area, carries]], `edges` [[name, name, points]]: pairs of
        polyhedra that meet only in lines or points, `corners` [[name, name]]: corner to corner, without force,
        `coverage` [[name, name, share]]: share of the area facing each other that is in contact, `open_joints`
        [[name, name, gap]]: of blocks that are not connected. Lengths in m, areas in m2.
    """
    found, names = detection.interfaces, model.names
    body = found.body
    size = model.bodies.size[body].min(axis=1) if len(body) else np.zeros(0)
    gaping = np.flatnonzero(np.abs(found.gap) > LISTED_GAP * size)
    pairs, count = np.unique(body, axis=0, return_counts=True)
    # Spheres touch in points only, and are not listed.
    lines = np.flatnonzero((found.area == 0.0) & (model.radius[body] == 0.0).all(axis=1))
    points = np.diff(found.contact_start)

    def named(pair, *numbers):
        return [names[pair[0]], names[pair[1]]] + [number.item() for number in numbers]

    return {
        "overlapping": [[names[a], names[b], depth] for a, b, depth in detection.overlaps],
        "isolated": [names[k] for k in detection.isolated],
        "gaps": [named(body[k], found.gap[k]) for k in gaping],
        "several": [named(pairs[k], count[k]) for k in np.flatnonzero(count > 1)],
        "slivers": [[names[a], names[b], area, carries] for a, b, area, carries in detection.slivers],
        "edges": [named(body[k], points[k]) for k in lines],
        "corners": [[names[a], names[b]] for a, b in detection.corners],
        "coverage": [named(pair, share) for pair, share in zip(*detection.coverage)],
        "open_joints": [named(pair, gap) for pair, gap in zip(detection.open.pairs, detection.open.gap)],
    }
