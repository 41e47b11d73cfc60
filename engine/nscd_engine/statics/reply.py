"""Arrays and numbers of the reply to `static` (docs/architecture.md)."""

from __future__ import annotations

import numpy as np

from nscd_engine.contacts.at_rest import Detection
from nscd_engine.contacts.reply import interfaces
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Bodies, Contacts, Problem
from nscd_engine.kernels.solvers import residuals
from nscd_engine.kernels.solvers.friction_cone import OPEN, SLIDE, STICK
from nscd_engine.solvers.problem import STATIC_STEP, free_fall
from nscd_engine.statics.elastic_brittle import LawState
from nscd_engine.statics.solve import Solution

#: Normal force over the greatest one up to which a contact is open [-]. Smaller: rounding shows as contact.
OPEN_SHARE = 1e-9
#: Friction over mu times the normal force from which a contact slides [-]. Larger: rounding shows as sticking.
SLIDE_SHARE = 1.0 - 1e-6


def static_reply(model: Model, detection: Detection, solution: Solution) -> dict:
    """The reply to `static` without verdict, time and warnings."""
    problem, impulses, report, laws, _ = solution
    bodies, contacts = model.bodies, detection.contacts
    fall = free_fall(model, problem)
    force = np.einsum("ckx,ck->cx", contacts.frame, impulses) / STATIC_STEP
    free = bodies.free >= 0
    in_cone, friction = (impulses, contacts.friction) if laws is None else (laws.cone_impulses, laws.friction)
    return {
        **({} if laws is None else law_arrays(laws, bodies)),
        "blocks": len(free),
        "free_blocks": int(free.sum()),
        "interfaces": len(detection.interfaces.area),
        "contacts": len(impulses),
        "iterations": report.iterations,
        "linear_solver": "conjugate_gradients" if report.products else "factor",
        "factorizations": report.factorizations,
        "products": report.products,
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
        "velocity": of_blocks(model.bodies, report.velocity / fall),
        "contact_point": contacts.point,
        "contact_force": force,
        "contact_status": contact_status(in_cone, friction),
        **interfaces(detection.interfaces),
        **interface_laws(model, detection.law),
    }


def interface_laws(model: Model, rows: np.ndarray) -> dict:
    """Number of the law of each interface (I,) that has one of its own, -1 for the others; empty if none has."""
    if not len(model.interface_pair):
        return {}
    return {"interface_law": np.maximum(rows - model.first_interface_law, -1).astype(np.int32)}


def law_arrays(laws: LawState, bodies: Bodies) -> dict:
    """Broken contacts (C,), displacements [m, rad] (B, 6) and forces of cables [N] (K,)."""
    displacement = of_blocks(bodies, 0.0 if laws.displacement is None else laws.displacement)
    reply = {"contact_broken": laws.broken.astype(np.uint8), "displacement": displacement}
    return reply if laws.cable_force is None else dict(reply, cable_force=laws.cable_force)


def of_blocks(bodies: Bodies, values) -> np.ndarray:
    """Values (N, 6) of the free bodies as those of all blocks (B, 6), 0 for supports."""
    blocks = np.zeros((len(bodies.free), 6))
    blocks[bodies.free >= 0] = values
    return blocks


def unbalanced_max(problem: Problem, velocity: np.ndarray, fall: float) -> float:
    """Greatest |sum of forces on a free block| over its weight [-]; from rest this sum is m |v+| / h."""
    return residuals.unbalanced(problem, velocity, np.zeros_like(velocity), problem.mass * fall)


def support_reaction(bodies: Bodies, contacts: Contacts, force: np.ndarray) -> list:
    """Sum of the forces of the supports on the free blocks [N] (3,); if it stands, minus weights and loads."""
    support = bodies.free[contacts.body] < 0
    return (force[support[:, 0]].sum(axis=0) - force[support[:, 1]].sum(axis=0)).tolist()


def contact_status(impulses: np.ndarray, friction: np.ndarray) -> np.ndarray:
    """OPEN, STICK or SLIDE of every contact (C,) uint8, from impulses (C, 3); slide: friction is fully used."""
    normal, tangent = impulses[:, 0], np.hypot(impulses[:, 1], impulses[:, 2])
    status = np.where(tangent >= SLIDE_SHARE * friction * normal, SLIDE, STICK)
    return np.where(normal <= OPEN_SHARE * normal.max(initial=0.0), OPEN, status).astype(np.uint8)
