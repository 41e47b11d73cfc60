"""Results as the arrays and numbers of a reply (docs/architecture.md)."""

import numpy as np

from nscd_engine.contacts.reply import interfaces
from nscd_engine.kernels.solvers import residuals
from nscd_engine.kernels.solvers.friction_cone import OPEN, SLIDE, STICK
from nscd_engine.solvers.problem import STATIC_STEP, free_fall

#: Normal force over the greatest one up to which a contact is open [-].
OPEN_SHARE = 1e-9
#: Friction used, over mu times the normal force, from which a contact is at its limit [-].
SLIDE_SHARE = 1.0 - 1e-6


def static(model, detection, problem, impulses, report, laws=None):
    """Everything `static` answers but the verdict, the time and the warnings; `laws` is a LawSolver, or None."""
    bodies, contacts = model.bodies, detection.contacts
    fall = free_fall(model, problem)
    force = np.einsum("ckx,ck->cx", contacts.frame, impulses) / STATIC_STEP
    free = bodies.free >= 0
    velocity = np.zeros((len(free), 6))
    velocity[free] = report.velocity / fall
    reply = {} if laws is None else with_laws(laws, free)
    in_cone = impulses if laws is None else laws.shifted
    return {
        **reply,
        "blocks": len(free),
        "free_blocks": int(free.sum()),
        "interfaces": len(detection.interfaces.area),
        "contacts": len(impulses),
        "iterations": report.iterations,
        "residual": report.residual,
        "status": report.status,
        "unbalanced_max": unbalanced_max(problem, report.velocity, fall),
        "penetration_max": float(np.maximum(-contacts.gap, 0.0).max(initial=0.0)),
        "cone_violation": report.cone_violation,
        "wrong_friction_power": report.wrong_friction_power,
        "support_reaction": support_reaction(bodies, contacts, force),
        "weight_total": float(bodies.mass[free].sum() * np.linalg.norm(model.gravity)),
        "eps": np.array(report.eps, float),
        "speed": np.array(report.speed, float) / fall,
        "centroid": bodies.centroid,
        "mass": bodies.mass,
        "velocity": velocity,
        "contact_point": contacts.point,
        "contact_force": force,
        "contact_status": contact_status(in_cone, contacts.friction if laws is None else laws.law.friction),
        **interfaces(detection.interfaces),
        **interface_laws(model, detection.law),
    }


def interface_laws(model, rows):
    """Which interfaces (I,) have a law of their own: its number, -1 for the others; nothing if none has."""
    if not len(model.interface_pair):
        return {}
    return {"interface_law": np.maximum(rows - model.first_interface_law, -1).astype(np.int32)}


def with_laws(laws, free):
    """What laws and cables add: broken contacts (C,), displacements (B, 6) [m, rad], forces of cables (K,) [N]."""
    displacement = np.zeros((len(free), 6))
    if laws.displacement is not None:
        displacement[free] = laws.displacement
    reply = {"contact_broken": laws.broken.astype(np.uint8), "displacement": displacement}
    return reply if laws.cables is None else dict(reply, cable_force=laws.cable_force)


def unbalanced_max(problem, velocity, fall):
    """Worst |sum of forces on a free block| over its weight [-]; the block starts from rest, so it is m |v+| / h."""
    return residuals.unbalanced(problem, velocity, np.zeros_like(velocity), problem.mass * fall)


def support_reaction(bodies, contacts, force):
    """Sum of the forces that the supports exert on the free blocks [N] (3,): minus weight and loads, if it stands."""
    support = bodies.free[contacts.body] < 0
    return (force[support[:, 0]].sum(axis=0) - force[support[:, 1]].sum(axis=0)).tolist()


def contact_status(impulses, friction):
    """Open, stick or slide of every contact, by its impulse (C,) uint8; slide: friction is used up."""
    normal, tangent = impulses[:, 0], np.hypot(impulses[:, 1], impulses[:, 2])
    status = np.where(tangent >= SLIDE_SHARE * friction * normal, SLIDE, STICK)
    return np.where(normal <= OPEN_SHARE * normal.max(initial=0.0), OPEN, status).astype(np.uint8)
