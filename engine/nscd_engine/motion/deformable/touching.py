"""Contacts of deformable blocks in motion: the nodes that move them, and the gaps between deformed faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nscd_engine.core.loads import OUT_OF_REACH
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.deformable.locator import Locator
from nscd_engine.kernels.motion.element_nodes import nodes_between
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.moreau_jean import Scheme, gap_rules

#: Gap or overlap over the size that counts as none [-]. Larger: stresses of more than a pascal in stone are left out.
#: Smaller: the rounding of positions is taken for motion, and blocks are never quite at rest.
SLOP = 1e-12
#: Distance of a node from a vertex of its block, over the size, up to which they are one point [-].
SAME = 1e-9


@dataclass(frozen=True)
class Touching:
    """The nodes that move contacts. k sides of contacts with deformable bodies, m nodes each."""

    row: np.ndarray  # (C, 2) int64: row k of either side of every contact, -1 if it is not deformable
    contact: np.ndarray  # (k,) int64
    node: np.ndarray  # (k, m) int64: rows among the nodes of all deformable bodies
    weight: np.ndarray  # (k, m): 0 beyond the nodes of the element [-]
    sign: np.ndarray  # (k,): 1 on side b, whose motion along the normal opens the contact, -1 on side a


class Faces:
    """Element faces of the deformable blocks of a model.

    Parameters
    ----------
    model : Model
    deformation : Deformation
    """

    def __init__(self, model: Model, deformation: Deformation) -> None:
        self.model, self.deformation = model, deformation
        self.locator = Locator(deformation.bodies.deformable)
        self.centre = np.array([body.centroid for body in deformation.bodies.deformable])
        free = int((model.bodies.free >= 0).sum())
        self._row = np.full(free + 1, -1)  # deformable body of every free one; the last is that of supports
        self._row[deformation.bodies.free] = np.arange(len(self.centre))
        self._set_nodes()

    def _set_nodes(self) -> None:
        """Nodes of faces, without the vertices of the blocks: where detection finds no contacts."""
        poly, blocks = self.model.polyhedra, len(self.model.names)
        each = [np.zeros((0, 3))] * blocks
        for body in self.deformation.bodies.deformable:
            first, last = poly.vertex_start[body.block : body.block + 2]
            face = np.unique(body.mesh.face[body.mesh.face >= 0])
            node, axis = body.mesh.node[face], body.planar
            away = node[:, None] - poly.vertices[None, first:last]
            if axis is not None:
                away -= (away @ axis)[..., None] * axis
            near = np.linalg.norm(away, axis=2).min(axis=1, initial=np.inf) <= SAME * self.model.bodies.size[body.block]
            each[body.block] = node[~near] - body.centroid
        self._start = np.concatenate([[0], np.cumsum([len(arm) for arm in each])])
        self._arm = np.concatenate(each)

    def between_corners(self, contacts: Contacts, position: np.ndarray, rotation: np.ndarray) -> tuple:
        """Contacts with those at nodes of element faces behind them, and whose patch these are part of (k,).

        position (B, 3) and rotation (B, 3, 3) are those of the blocks.
        """
        if not len(self._arm):
            return contacts, np.zeros(0, np.int64)
        axis = np.zeros(3) if self.model.planar is None else self.model.planar
        poses, size = (position, rotation), self.model.bodies.size
        point, gap, key, like = nodes_between(contacts, poses, self._start, self._arm, size, axis)
        added = contacts.body[like], point, contacts.frame[like], gap, contacts.friction[like], key
        return Contacts(*map(np.concatenate, zip(contacts, added))), like

    def touching(self, contacts: Contacts, position: np.ndarray, rotation: np.ndarray) -> Touching:
        """The nodes that move contacts of blocks at positions (B, 3) and rotations (B, 3, 3)."""
        owner = self._row[self.model.bodies.free[contacts.body]]
        contact, side = np.nonzero(owner >= 0)
        row = np.full(owner.shape, -1)
        row[contact, side] = np.arange(len(contact))
        owner, block = owner[contact, side], contacts.body[contact, side]
        arm = contacts.point[contact] - position[block]
        point = self.centre[owner] + np.einsum("kji,kj->ki", rotation[block], arm)
        node, weight = self.locator.locate(owner, point)
        return Touching(row, contact, self.deformation.first[owner][:, None] + node, weight, 2.0 * side - 1.0)


def opened(touch: Touching, frame: np.ndarray, values: np.ndarray) -> np.ndarray:
    """By how much vectors (n, 3) at the nodes, in world axes, move b from a: (C, 3) in the frames of the contacts."""
    moved = np.einsum("km,kmx->kx", touch.weight, values[touch.node]) * touch.sign[:, None]
    by_side = np.concatenate([moved, np.zeros((1, 3))])[touch.row].sum(axis=1)  # the last is that of rigid bodies
    return np.einsum("cij,cj->ci", frame, by_side)


def add_gaps(problem: Problem, contacts: Contacts, touch: Touching, model: Model, scheme: Scheme) -> None:
    """Add the gaps [m] of contacts with deformable blocks to the bias of a problem that has none of these.

    However small, they count: what is no gap between rigid blocks is a stress between deformable ones.
    """
    mine = (touch.row >= 0).any(axis=1)
    rules, least = gap_rules(model, scheme), model.bodies.size[contacts.body].min(axis=1)
    gap = np.where(np.abs(contacts.gap) > SLOP * least, contacts.gap, 0.0)
    depth = np.maximum(-gap, 0.0)
    bound = rules.recovery_speed * np.sqrt(2.0 * np.maximum(rules.fall, least) * depth)
    bias = np.where(gap > 0.0, gap / rules.h, -np.minimum(rules.recovery * depth / rules.h, bound))
    if scheme.level == "velocity":
        bias = np.where(gap > 0.0, OUT_OF_REACH, bias)
    problem.bias[mine, 0] += bias[mine]
