"""The verb `submodel`: one block of a rigid structure, refined and elastic, under the forces of its joints."""

from __future__ import annotations

import time

import numpy as np

from compas_nscd.errors import InputError
from nscd_engine.core.loads import wrenches
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.deformable.body import DeformableBody, deformable_body, locate
from nscd_engine.deformable.submodel import submodel
from nscd_engine.gate.elastic import read_submodel
from nscd_engine.gate.scene import read_scene
from nscd_engine.geometry.polyhedra import polyhedron
from nscd_engine.solvers.deformables import spread
from nscd_engine.statics.elastic_reply import elastic_reply
from nscd_engine.statics.prepare import prepare
from nscd_engine.statics.reply import static_reply
from nscd_engine.statics.torsion import solve_with_torsion
from nscd_engine.statics.verdict import judge


def run(request: dict, monitor: Monitor) -> dict:
    """Answer the verb `submodel`.

    Returns
    -------
    dict
        `elastic` and the arrays of deformable blocks for this block; `tension` and `tension_smooth` [Pa]: greatest
        principal tension of an element with the rough faces, and with smooth ones; `point` [m] (P, 3) and `force`
        [N] (P, 3): where its joints press.
    """
    monitor.report("reading")
    scene = read_scene(request)
    asked = read_submodel(request, scene.model)
    model, detection, warnings, detect_s = prepare(scene, monitor)
    detection, found, twisted = solve_with_torsion(scene, model, detection, monitor)
    verdict, doubts = judge(model, found.problem, found.report, scene.settings)
    name = model.names[asked.block]
    if verdict != "stable":
        text = "The structure does not stand: block '{}' has no forces in balance.".format(name)
        raise InputError(text, remedy="Ask for a block of a structure that stands.", blocks=[name])
    monitor.report("solving the refined block")
    start = time.perf_counter()
    density = model.bodies.mass[asked.block] / model.bodies.volume[asked.block]
    shape = polyhedron(model.polyhedra, asked.block)
    body = deformable_body(asked.block, *shape, density, asked.elastic, model.planar, name)
    force = static_reply(model, detection, found)["contact_force"]
    made, smooth = (
        submodel(body, detection.interfaces, detection.contacts, force, loads_of(model, body), rough, asked.seed)
        for rough in (asked.roughness, 0.0)
    )
    return {
        **elastic_reply(model, [body], [made.displacement]),
        "tension": made.tension,
        "tension_smooth": smooth.tension,
        "point": made.point,
        "force": made.force,
        "warnings": warnings + twisted + doubts,
        "time": {"detect_s": detect_s, "solve_s": found.solve_s + time.perf_counter() - start},
    }


def loads_of(model: Model, body: DeformableBody) -> np.ndarray:
    """Forces (n, 3) [N] on the nodes of a body: its weight, point loads where they act, other loads as masses are."""
    k, loads = body.block, model.point_loads
    wrench = model.load[k] - wrenches(loads, model.bodies)[k]
    wrench[:3] += model.bodies.mass[k] * model.gravity
    nodal = spread(body, wrench)
    on_body = np.flatnonzero(loads.block == k)
    if len(on_body):
        node, weight = locate(body, loads.point[on_body])
        np.add.at(nodal, node, weight[:, :, None] * loads.force[on_body, None, :])
    return nodal
