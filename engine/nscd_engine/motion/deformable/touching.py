"""Contacts of deformable blocks in motion: the nodes that move them, and the gaps between deformed faces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

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
#: Keys of contacts at nodes are below those of joints and cables by so much [-].
NODE_KEYS = np.int64(1) << 41


@dataclass(frozen=True)
class Touching:
    """The nodes that move contacts. k sides of contacts with deformable bodies, m nodes each."""

    row: np.ndarray  # (C, 2) int64: row k of either side of every contact, -1 if it is not deformable
    node: np.ndarray  # (k, m) int64: rows among the nodes of all deformable bodies
    weight: np.ndarray  # (k, m): 0 beyond the nodes of the element [-]

    def moved(self, values: np.ndarray) -> np.ndarray:
        """Vectors (C, 2, 3) on both sides of the contacts, of those (n, 3) at the nodes; 0 if not deformable."""
        at = np.einsum("km,kmx->kx", self.weight, values[self.node])
        return np.concatenate([at, np.zeros((1, 3))])[self.row]

    def of(self, contacts: np.ndarray) -> Touching:
        """The same of some contacts (c,)."""
        return Touching(self.row[contacts], self.node, self.weight)

    def then_again(self, contacts: np.ndarray) -> Touching:
        """The same of these contacts and of some of them (c,) again."""
        return Touching(np.concatenate([self.row, self.row[contacts]]), self.node, self.weight)

    def then(self, other: Touching) -> Touching:
        """The same of these contacts and of others behind them."""
        row = np.where(other.row >= 0, other.row + len(self.node), -1)
        width = max(self.node.shape[1], other.node.shape[1])
        pairs = (self.node, other.node), (self.weight, other.weight)
        wide = (np.concatenate([_padded(each, width) for each in pair]) for pair in pairs)
        return Touching(np.concatenate([self.row, row]), *wide)


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

    def between_corners(
        self, contacts: Contacts, position: np.ndarray, rotation: np.ndarray
    ) -> Tuple[Contacts, np.ndarray]:
        """Contacts at nodes of element faces inside the patches of others, and one contact (k,) of its patch each.

        position (B, 3) and rotation (B, 3, 3) are those of the blocks.
        """
        if not len(self._arm):
            return Contacts(*(field[:0] for field in contacts)), np.zeros(0, np.int64)
        axis = np.zeros(3) if self.model.planar is None else self.model.planar
        poses, size = (position, rotation), self.model.bodies.size
        point, gap, key, like = nodes_between(contacts, poses, self._start, self._arm, size, axis)
        added = contacts.body[like], point, contacts.frame[like], gap, contacts.friction[like], key - NODE_KEYS
        return Contacts(*added), like

    def touching(self, contacts: Contacts, position: np.ndarray, rotation: np.ndarray) -> Touching:
        """The nodes that move contacts of blocks at positions (B, 3) and rotations (B, 3, 3)."""
        arm = contacts.point[:, None] - position[contacts.body]
        return self.moving(contacts.body, np.einsum("csji,csj->csi", rotation[contacts.body], arm))

    def moving(self, body: np.ndarray, arm: np.ndarray) -> Touching:
        """The nodes that move points of blocks (C, 2), with arms (C, 2, 3) [m] in the axes of the blocks at rest."""
        owner = self._row[self.model.bodies.free[body]]
        contact, side = np.nonzero(owner >= 0)
        row = np.full(owner.shape, -1)
        row[contact, side] = np.arange(len(contact))
        owner = owner[contact, side]
        point = self.centre[owner] + arm[contact, side]
        node, weight = self.locator.locate(owner, point)
        return Touching(row, self.deformation.first[owner][:, None] + node, weight)


def _padded(rows: np.ndarray, width: int) -> np.ndarray:
    """Rows (k, m) with zeros behind them, (k, width)."""
    return np.pad(rows, ((0, 0), (0, width - rows.shape[1])))


def opened(touch: Touching, frame: np.ndarray, values: np.ndarray) -> np.ndarray:
    """By how much vectors (n, 3) at the nodes, in world axes, move b from a: (C, 3) in the frames of the contacts."""
    moved = touch.moved(values)
    return np.einsum("cij,cj->ci", frame, moved[:, 1] - moved[:, 0])


def add_gaps(problem: Problem, contacts: Contacts, mine: np.ndarray, model: Model, scheme: Scheme) -> None:
    """Add the gaps [m] of contacts with deformable blocks, `mine` (C,) bool, to the bias of a problem without these.

    However small, they count: what is no gap between rigid blocks is a stress between deformable ones.
    """
    rules, least = gap_rules(model, scheme), model.bodies.size[contacts.body].min(axis=1)
    gap = np.where(np.abs(contacts.gap) > SLOP * least, contacts.gap, 0.0)
    depth = np.maximum(-gap, 0.0)
    bound = rules.recovery_speed * np.sqrt(2.0 * np.maximum(rules.fall, least) * depth)
    bias = np.where(gap > 0.0, gap / rules.h, -np.minimum(rules.recovery * depth / rules.h, bound))
    if scheme.level == "velocity":
        bias = np.where(gap > 0.0, OUT_OF_REACH, bias)
    problem.bias[mine, 0] += bias[mine]
