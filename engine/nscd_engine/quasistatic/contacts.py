"""Contacts with six components: a joint is one contact with the stiffness of its area, a point one of given stiffness.

docs/quasistatic.md
"""

from __future__ import annotations

from typing import NamedTuple, Tuple

import numpy as np

from nscd_engine.bodies.planar import in_plane
from nscd_engine.contacts.at_rest import Detection
from nscd_engine.contacts.soundness import warning
from nscd_engine.contacts.spheres import sphere_patches
from nscd_engine.core.law_table import COHESION, FRICTION, TENSION, TIED, law_of
from nscd_engine.core.model import Model
from nscd_engine.gate.quasistatic import QuasistaticQuestion
from nscd_engine.geometry.polyhedra import block_boxes
from nscd_engine.kernels.contacts.broad_phase import touching_pairs
from nscd_engine.kernels.quasistatic.springs import BONDED, DRY, SpringContacts
from nscd_engine.quasistatic.sections import Sections, sections

#: Distance over the size of the smaller element up to which two round elements that do not touch are watched [-].
#: Larger: more contacts that stay open. Smaller: elements that move far pass through each other.
WATCHED = 0.1
#: Radius of the friction of a circular joint against twisting, over its radius [-]: uniform pressure.
TWIST = 2.0 / 3.0


class Springs(NamedTuple):
    """Contacts of a structure with what breaks them. C contacts, of which the first I are the joints in order."""

    contacts: SpringContacts
    kind: np.ndarray  # (C,) uint8: DRY or BONDED
    strength: np.ndarray  # [N, N m] (C, 5): tension, shear, twisting, bending about t, about w; inf for dry contacts
    point: np.ndarray  # [m] (C, 3)
    warnings: list  # [{"code", "message", "blocks"}]


def spring_contacts(model: Model, detection: Detection, question: QuasistaticQuestion) -> Springs:
    """Contacts of the detected joints, and of round elements that are close to each other.

    Parameters
    ----------
    model : Model
    detection : Detection
    question : QuasistaticQuestion
    """
    joints = detection.interfaces
    frame = detection.contacts.frame[joints.contact_start[:-1]]
    shape = sections(joints, frame)
    near = _watched(model, joints.body)
    body = np.concatenate([joints.body.astype(np.int64), near.body])
    friction = np.concatenate([model.law[detection.law, FRICTION], law_of(model, near.body, FRICTION)])
    point = np.concatenate([joints.centroid, near.point])
    is_point = (model.radius[joints.body] > 0.0).any(axis=1)
    stiffness = _stiffness(question.stiffness, shape, is_point)
    contacts = SpringContacts(
        body=body,
        arm=in_plane(point[:, None] - model.bodies.centroid[body], model.planar),
        frame=np.concatenate([shape.frame, near.frame]),
        stiffness=np.concatenate([stiffness, _point_stiffness(question.stiffness, len(near.body))]),
        gap=np.concatenate([np.zeros(len(joints.body)), near.gap]),
        friction=friction,
        twist_arm=np.concatenate([_twist_arm(shape, is_point), np.full(len(near.body), np.inf)]),
        edge_start=np.append(shape.start, np.full(len(near.body), shape.start[-1])),
        edge=shape.edge,
        corner=shape.corner,
    )
    strength = np.full((len(body), 5), np.inf)
    kind = np.full(len(body), DRY, np.uint8)
    kind[: len(joints.body)], strength[: len(joints.body)] = _bonds(model, detection, question, shape, is_point)
    return Springs(contacts, kind, strength, point, _lines(model, joints, is_point))


def _stiffness(given, shape: Sections, is_point):
    """Stiffness of the joints (I, 6)."""
    normal, shear, twist, bend = given
    by_area = np.column_stack([shape.area, shape.area, shape.area, shape.polar, shape.about_t, shape.about_w])
    own = by_area * [normal, shear, shear, shear, normal, normal]
    if not np.isnan(twist):
        own[:, 3] = np.where(shape.area > 0.0, twist, 0.0)
    if not np.isnan(bend):
        own[:, 4:] = np.where(shape.area > 0.0, bend, 0.0)[:, None]
    return np.where(is_point[:, None], _point_stiffness(given, len(own)), own)


def _point_stiffness(given, count):
    """Stiffness of contacts of round elements (count, 6): no moments unless they are given."""
    normal, shear, twist, bend = np.nan_to_num(given)
    return np.tile([normal, shear, shear, twist, bend, bend], (count, 1))


def _twist_arm(shape: Sections, is_point):
    """Radius of friction against twisting [m] (I,): that of the circle with the same area and polar moment."""
    radius = np.sqrt(2.0 * shape.polar / np.where(shape.area > 0.0, shape.area, 1.0))
    return np.where(is_point, np.inf, TWIST * radius)


def _bonds(model, detection, question, shape: Sections, is_point):
    """Kinds (I,) and strengths (I, 5) of the joints: the given bond, else that of laws with cohesion."""
    law = model.law[detection.law]
    cohesion, tension = np.nan_to_num(law[:, COHESION]), np.nan_to_num(law[:, TENSION])
    tied = np.nan_to_num(law[:, TIED]) > 0.0
    stress = np.column_stack([tension, cohesion, cohesion, tension])
    stress[tied] = np.inf
    bonded = ((cohesion > 0.0) | (tension > 0.0) | tied) & ~is_point
    if question.strength is not None:
        stress[:], bonded = question.strength, np.ones(len(law), bool)
    modulus = np.column_stack([shape.area, shape.area, shape.twist_modulus, shape.modulus_t, shape.modulus_w])
    modulus[is_point] = 1.0
    strength = stress[:, [0, 1, 2, 3, 3]] * np.where(modulus > 0.0, modulus, 1.0)
    return np.where(bonded, BONDED, DRY), np.where(bonded[:, None], strength, np.inf)


def _lines(model, joints, is_point):
    """A warning about joints of polyhedra without an area, which have no stiffness."""
    rows = np.flatnonzero(~is_point & (joints.area <= 0.0))
    if not len(rows):
        return []
    names = [model.names[i] for i in np.unique(joints.body[rows])]
    text = "{} joints are lines or points without area: they have no stiffness and carry nothing.".format(len(rows))
    return [warning("line_joints", text, names)]


class _Near(NamedTuple):
    """Pairs with a round element that do not touch yet."""

    body: np.ndarray  # (K, 2) int64
    frame: np.ndarray  # (K, 3, 3)
    point: np.ndarray  # [m] (K, 3)
    gap: np.ndarray  # [m] (K,)


def _watched(model: Model, touching: np.ndarray) -> _Near:
    """Pairs with a round element that are close to each other and not among those that touch (I, 2)."""
    pairs, reach = _close_pairs(model)
    key = pairs[:, 0] * len(model.names) + pairs[:, 1]
    known = touching[:, 0].astype(np.int64) * len(model.names) + touching[:, 1]
    rows = np.flatnonzero(~np.isin(key, known))
    if not len(rows):
        return _Near(np.zeros((0, 2), np.int64), np.zeros((0, 3, 3)), np.zeros((0, 3)), np.zeros(0))
    found, _ = sphere_patches(model, pairs[rows], reach[rows], reach[rows])
    return _Near(pairs[rows][found.pair], found.frame, found.centroid, np.maximum(found.gap, 0.0))


def _close_pairs(model: Model) -> Tuple[np.ndarray, np.ndarray]:
    """Pairs (P, 2) with a round element whose boxes are close, and how close they may be [m] (P,)."""
    far = WATCHED * model.bodies.size[:, None]
    if not (model.radius > 0.0).any():
        return np.zeros((0, 2), np.int64), np.zeros(0)
    lower, upper = block_boxes(model.polyhedra, model.radius)
    pairs = touching_pairs(lower - far, upper + far, model.bodies.free < 0).astype(np.int64)
    pairs = pairs[(model.radius[pairs] > 0.0).any(axis=1)]
    return pairs, WATCHED * model.bodies.size[pairs].min(axis=1)
