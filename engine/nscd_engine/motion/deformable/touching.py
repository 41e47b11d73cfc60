"""Contacts of deformable blocks in motion: the nodes that move them, and the gaps between deformed faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nscd_engine.core.loads import OUT_OF_REACH
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.deformable.body import locate_all
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.moreau_jean import Drift, Scheme, gap_rules

#: Signs of the two sides of a contact: it opens where b moves along its normal, or a against it.
SIGNS = (-1.0, 1.0)


@dataclass(frozen=True)
class Touching:
    """The nodes that move contacts. k sides of contacts with deformable bodies, m nodes each."""

    contact: np.ndarray  # (k,) int64
    node: np.ndarray  # (k, m) int64: rows among the nodes of all deformable bodies
    weight: np.ndarray  # (k, m): positive on side b, negative on side a; 0 beyond the nodes of the element [-]


def touching(
    deformation: Deformation, body: np.ndarray, arm: np.ndarray, rotation: np.ndarray, free: np.ndarray
) -> Touching:
    """The nodes that move contacts.

    Parameters
    ----------
    deformation : Deformation
    body : array (C, 2)
        Free bodies of the contacts, -1 for supports.
    arm : array (C, 2, 3)
        From their centroids to the points, in world axes [m].
    rotation : array (D, 3, 3)
        Of the deformable bodies.
    free : array (D,)
        Their numbers among the free bodies.
    """
    each, row = deformation.bodies.deformable, np.full(int(max(body.max(initial=-1), free.max(initial=-1))) + 2, -1)
    row[free] = np.arange(len(free))  # the last row is that of supports
    side, contact = np.nonzero((row[body] >= 0).T)
    owner = row[body[contact, side]]
    centre = np.array([each_body.centroid for each_body in each])
    point = centre[owner] + np.einsum("kji,kj->ki", rotation[owner], arm[contact, side])
    node, weight = locate_all(each, owner, point)
    sign = np.array(SIGNS)[side]
    return Touching(contact, deformation.first[owner][:, None] + node, sign[:, None] * weight)


def opened(touch: Touching, frame: np.ndarray, values: np.ndarray) -> np.ndarray:
    """By how much vectors (n, 3) at the nodes, in world axes, move b from a: (C, 3) in the frames of the contacts."""
    moved = np.einsum("km,kmx->kx", touch.weight, values[touch.node])
    total = np.zeros((len(frame), 3))
    np.add.at(total, touch.contact, np.einsum("kij,kj->ki", frame[touch.contact], moved))
    return total


def add_gaps(
    problem: Problem, contacts: Contacts, touch: Touching, model: Model, drift: Drift, scheme: Scheme
) -> Problem:
    """The problem of a step whose contacts with deformable blocks had no gaps, with their gaps [m].

    Every gap counts, however small: what is no gap between rigid blocks is a stress between deformable ones.
    """
    mine = np.zeros(len(contacts.gap), bool)
    mine[touch.contact] = True
    gap, rules = contacts.gap, gap_rules(model, scheme)
    least = model.bodies.size[contacts.body].min(axis=1)
    depth = np.maximum(-gap, 0.0)
    bound = rules.recovery_speed * np.sqrt(2.0 * np.maximum(rules.fall, least) * depth)
    bias = np.where(gap > 0.0, gap / rules.h, -np.minimum(rules.recovery * depth / rules.h, bound))
    if scheme.level == "velocity":
        bias = np.where(gap > 0.0, OUT_OF_REACH, bias)
    problem.bias[mine, 0] += bias[mine]
    return problem
