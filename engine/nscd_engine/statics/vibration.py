"""The verb `modes`: the lowest vibration modes of a structure whose joints stay closed, or of one free block."""

from __future__ import annotations

import time

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.deformable.body import deformable_bodies, locate
from nscd_engine.deformable.modes import Modes, assembly_modes, block_modes
from nscd_engine.deformable.patches import element_contacts
from nscd_engine.gate.elastic import read_modes
from nscd_engine.gate.scene import read_scene
from nscd_engine.statics.prepare import prepare


def run(request: dict, monitor: Monitor) -> dict:
    """Answer the verb `modes`.

    Returns
    -------
    dict
        `frequency` [Hz] (K,), lowest first; `shape` (K, V, 3): displacement of the vertices of all blocks, 1 at the
        greatest; `modal_mass` [kg] (K, 3): mass that follows a motion of the ground along x, y, z.
    """
    monitor.report("reading")
    scene = read_scene(request)
    count, block = read_modes(request, scene.model)
    model, detection, warnings, detect_s = prepare(scene, monitor)
    monitor.report("solving modes")
    start = time.perf_counter()
    density = model.bodies.mass / model.bodies.volume
    elastic = model.elastic or (None,) * len(model.names)
    bodies = deformable_bodies(model.polyhedra, density, elastic, model.planar, model.names)
    if block is None:
        _, contacts = element_contacts(detection.interfaces, detection.contacts, bodies)
        modes = assembly_modes(model.bodies, bodies, contacts, model.planar, count)
    else:
        modes = _alone(bodies, block, count)
    shape = vertex_shapes(model, bodies, modes)
    greatest = np.linalg.norm(shape, axis=2).max(axis=1)
    return {
        "frequency": modes.frequency,
        "shape": shape / greatest[:, None, None],
        "modal_mass": modal_masses(model, bodies, modes),
        "warnings": warnings,
        "time": {"detect_s": detect_s, "solve_s": time.perf_counter() - start},
    }


def _alone(bodies: list, block: int, count: int) -> Modes:
    """Modes of one free block; the others do not move."""
    frequency, [own] = block_modes(bodies[block], count)
    still = [np.zeros((len(frequency), 2 if body is None else len(body.mesh.node), 3)) for body in bodies]
    return Modes(frequency, [own if k == block else shape for k, shape in enumerate(still)])


def vertex_shapes(model: Model, bodies: list, modes: Modes) -> np.ndarray:
    """Displacements (K, V, 3) of the vertices of all blocks in each mode."""
    poly, shapes = model.polyhedra, []
    for k, body in enumerate(bodies):
        vertices = poly.vertices[poly.vertex_start[k] : poly.vertex_start[k + 1]]
        own = modes.shape[k]
        if body is None:
            shapes.append(own[:, :1] + np.cross(own[:, 1:], vertices - model.bodies.centroid[k]))
        else:
            node, weight = locate(body, vertices)
            shapes.append(np.einsum("vm,kvmi->kvi", weight, own[:, node]))
    return np.concatenate(shapes, axis=1)


def modal_masses(model: Model, bodies: list, modes: Modes) -> np.ndarray:
    """Effective masses [kg] (K, 3) along x, y, z: squares of the momenta of the modes, which have unit mass."""
    momentum = np.zeros((len(modes.frequency), 3))
    for k, (body, own) in enumerate(zip(bodies, modes.shape)):
        momentum += model.bodies.mass[k] * own[:, 0] if body is None else np.einsum("n,kni->ki", body.node_mass, own)
    return momentum**2
