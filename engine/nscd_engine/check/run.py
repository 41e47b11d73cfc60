"""The verb `check`: what was found in the geometry, sound or not, with nothing left out."""

import time

import numpy as np

from nscd_engine.contacts.at_rest import detect
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model

#: Interfaces that gape, or overlap, by more than this over the size of the smaller block are listed.
LISTED_GAP = 1e-6


def run(request, monitor):
    """Report on the geometry of a request.

    Returns
    -------
    dict
        The interface arrays of the reply and, naming blocks, the lists `overlapping` [[name, name, depth]],
        `isolated` [name], `gaps` [[name, name, gap]], `several` [[name, name, count]],
        `slivers` [[name, name, area, carries]], `edges` [[name, name, points]]: pairs of polyhedra that meet only in
        lines or points, `corners` [[name, name]]: corner to corner, without force, and `warnings`.
    """
    model, settings = read_model(request), read_settings(request)
    start = time.perf_counter()
    detection = detect(model, settings, monitor)
    detect_s = time.perf_counter() - start
    interfaces, contacts, names = detection.interfaces, detection.contacts, model.names
    body = interfaces.body
    size = model.bodies.size[body].min(axis=1) if len(body) else np.zeros(0)
    gaping = np.flatnonzero(np.abs(interfaces.gap) > LISTED_GAP * size)
    pairs, count = np.unique(body, axis=0, return_counts=True)
    lines = np.flatnonzero((interfaces.area == 0.0) & (model.radius[body] == 0.0).all(axis=1))  # spheres always do
    points = np.diff(interfaces.contact_start)

    def named(pair, *numbers):
        return [names[pair[0]], names[pair[1]]] + [number.item() for number in numbers]

    return {
        "blocks": len(names),
        "free_blocks": int(np.count_nonzero(model.bodies.free >= 0)),
        "interfaces": len(body),
        "contacts": len(contacts.gap),
        "area": float(interfaces.area.sum()),
        "interface_body": body,
        "interface_normal": interfaces.normal,
        "interface_area": interfaces.area,
        "interface_centroid": interfaces.centroid,
        "interface_gap": interfaces.gap,
        "polygon": interfaces.polygon,
        "polygon_start": interfaces.polygon_start,
        "contact_start": interfaces.contact_start,
        "contact_point": contacts.point,
        "contact_gap": contacts.gap,
        "overlapping": [[names[a], names[b], depth] for a, b, depth in detection.overlaps],
        "isolated": [names[k] for k in detection.isolated],
        "gaps": [named(body[k], interfaces.gap[k]) for k in gaping],
        "several": [named(pairs[k], count[k]) for k in np.flatnonzero(count > 1)],
        "slivers": [[names[a], names[b], area, carries] for a, b, area, carries in detection.slivers],
        "edges": [named(body[k], points[k]) for k in lines],
        "corners": [[names[a], names[b]] for a, b in detection.corners],
        "warnings": detection.warnings,
        "time": {"detect_s": detect_s},
    }
