"""Arrays and numbers of the reply to `quasistatic` (docs/architecture.md)."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np

from nscd_engine.contacts.at_rest import Detection
from nscd_engine.contacts.reply import interfaces
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Interfaces
from nscd_engine.kernels.quasistatic.springs import BROKEN
from nscd_engine.quasistatic.contacts import Springs
from nscd_engine.quasistatic.increments import Outcome
from nscd_engine.quasistatic.point_forces import point_forces
from nscd_engine.quasistatic.system import System
from nscd_engine.statics.reply import interface_laws, support_reaction


def quasistatic_reply(
    model: Model, detection: Detection, system: System, springs: Springs, outcome: Outcome
) -> Dict[str, Any]:
    """The reply without method, time and warnings: what `static` replies with, and six components per contact."""
    kept = _kept(system, len(detection.interfaces.area))
    joints, contact_point = _joints(detection.interfaces, detection.contacts.point, springs, kept)
    state, force = system.state, system.state.force[kept]
    at_points = point_forces(system, kept, springs.point[kept], joints.contact_start, contact_point)
    owner = np.repeat(np.arange(len(kept)), np.diff(joints.contact_start))
    free = system.free >= 0
    fall = np.zeros((len(free), 6)) if outcome.mechanism is None else outcome.mechanism
    rows = detection.contacts._replace(body=joints.body[owner])
    return {
        "verdict": outcome.verdict,
        "blocks": len(free),
        "free_blocks": int((model.bodies.free >= 0).sum()),
        "interfaces": len(kept),
        "contacts": len(contact_point),
        "iterations": outcome.iterations,
        "failures": outcome.failures,
        "steps": len(outcome.increments),
        "factor": outcome.increments[-1].factor if outcome.increments else 0.0,
        "error_max": system.error_max,
        "broken_bonds": int((state.kind == BROKEN).sum()),
        "penetration_max": float(np.maximum(-state.deformation[:, 0] - system.contacts.gap, 0.0).max(initial=0.0)),
        "support_reaction": support_reaction(model.bodies, rows, at_points),
        "weight_total": float(model.bodies.mass[model.bodies.free >= 0].sum() * np.linalg.norm(model.gravity)),
        "centroid": model.bodies.centroid,
        "mass": model.bodies.mass,
        "velocity": fall,
        "displacement": system.displacement + system.step,
        "equilibrium_error": system.error,
        "contact_vector": force,
        "contact_frame": system.contacts.frame[kept],
        "contact_deformation": state.deformation[kept],
        "joint_state": state.status[kept],
        "joint_broken": (state.kind[kept] == BROKEN).astype(np.uint8),
        "contact_point": contact_point,
        "contact_force": at_points,
        "contact_status": state.status[kept][owner],
        **interfaces(joints),
        **interface_laws(model, np.append(detection.law, np.zeros(len(kept) - len(detection.law), np.int64))),
        **_history(outcome, len(free)),
    }


def _kept(system: System, joints: int) -> np.ndarray:
    """Contacts of the reply: all joints, and those that have formed."""
    formed = joints + np.flatnonzero(system.state.force[joints:].any(axis=1))
    return np.concatenate([np.arange(joints), formed])


def _joints(found: Interfaces, points: np.ndarray, springs: Springs, kept: np.ndarray):
    """Interfaces and contact points of the contacts kept; one that has formed is a point without area."""
    new = kept[len(found.area) :]
    contacts, count = springs.contacts, len(new)
    none = np.zeros(count)
    joints = Interfaces(
        np.concatenate([found.body, contacts.body[new].astype(np.int32)]),
        np.concatenate([found.normal, contacts.frame[new, 0]]),
        np.append(found.area, none),
        np.concatenate([found.centroid, springs.point[new]]),
        np.append(found.gap, contacts.gap[new]),
        np.concatenate([found.polygon, springs.point[new]]),
        np.append(found.polygon_start, found.polygon_start[-1] + 1 + np.arange(count, dtype=np.int32)),
        np.append(found.contact_start, found.contact_start[-1] + 1 + np.arange(count, dtype=np.int32)),
    )
    return joints, np.concatenate([points, springs.point[new]])


def _history(outcome: Outcome, blocks: int) -> Dict[str, np.ndarray]:
    """Arrays of the increments (H, ...)."""
    rows = outcome.increments
    return {
        "history_stage": np.array([row.stage for row in rows], np.int32),
        "history_factor": np.array([row.factor for row in rows], float),
        "history_iterations": np.array([row.iterations for row in rows], np.int64),
        "history_error": np.array([row.error for row in rows], float),
        "history_broken": np.array([row.broken for row in rows], np.int32),
        "history_displacement": np.array([row.displacement for row in rows], float).reshape(-1, blocks, 6),
        "history_reaction": np.array([row.reaction for row in rows], float).reshape(-1, blocks, 6),
    }
