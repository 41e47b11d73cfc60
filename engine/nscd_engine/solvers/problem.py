"""The contact problem of a static analysis (docs/methods.md, section 1.2)."""

from __future__ import annotations

import numpy as np

from nscd_engine.bodies.planar import planar_inertia, planar_velocity
from nscd_engine.contacts.planar_section import section_arms
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Contacts, Problem

#: Step of the static problem [s]: impulses are then forces, number by number. The answer does not depend on it.
STATIC_STEP = 1.0
#: Speed of free fall over that of the loads below which blocks count as without weight [-]: rounding leaves them 1e-12
#: of the speed of the loads. Larger: a slow collapse under great loads counts as standing. Smaller: light blocks under
#: great loads seem to move.
LIGHT = 1e-5


def static_problem(model: Model, contacts: Contacts, step: float = STATIC_STEP) -> Problem:
    """The step from rest under weight and loads; every contact counts as closed, whatever its gap."""
    bodies = model.bodies
    free = bodies.free >= 0
    inertia = np.ascontiguousarray(planar_inertia(bodies.inertia[free], model.planar))
    mass = bodies.mass[free]
    v_free, load = np.zeros((len(mass), 6)), model.load[free]
    v_free[:, :3] = step * (model.gravity + load[:, :3] / mass[:, None])
    if load[:, 3:].any():
        v_free[:, 3:] = step * np.linalg.solve(inertia, load[:, 3:, None])[:, :, 0]
    arm = contacts.point[:, None, :] - bodies.centroid.take(contacts.body, axis=0)
    count = len(contacts.gap)
    return Problem(
        mass=mass,
        inertia=inertia,
        v_free=planar_velocity(v_free, model.planar),
        body=bodies.free[contacts.body],
        arm=section_arms(arm, contacts, model.planar),
        frame=contacts.frame,
        bias=np.zeros((count, 3)),
        friction=contacts.friction,
        compliance=np.zeros((count, 2)),
    )


def free_fall(model: Model, problem: Problem) -> float:
    """Speed that others are measured by [m/s]: of free fall, or that of the loads if next to nothing has weight."""
    fall = STATIC_STEP * float(np.linalg.norm(model.gravity))
    loads = float(np.linalg.norm(problem.v_free[:, :3], axis=1).max(initial=0.0))
    return max(fall, LIGHT * loads) or 1.0
