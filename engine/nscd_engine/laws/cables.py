"""Cables and tie rods as contacts without friction: the normal is along the cable, and stretching closes the contact.

The force acts along the line through both ends, so any point of that line serves for arms and velocities. A cable that
yields is a constant force instead, and its contact stays open.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from nscd_engine.core.loads import Cables
from nscd_engine.core.model import Model
from nscd_engine.core.state import State
from nscd_engine.core.structs import POINT_BITS, Contacts
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.laws.mohr_coulomb import PointLaw


def without_hanging(detection, cables: Optional[Cables]):
    """The detection without blocks on cables among the isolated ones: they need not touch another block."""
    if cables is None:
        return detection
    return detection._replace(isolated=[i for i in detection.isolated if i not in cables.body])


def placed(cables: Cables, position: np.ndarray, rotation: np.ndarray, arm: np.ndarray) -> tuple[Contacts, np.ndarray]:
    """The cables as contacts, and their lengths [m] (K,), with blocks at positions [m] (B, 3), rotated (B, 3, 3); arms
    (K, 2, 3) to their ends in the axes of the blocks [m].
    """
    ends = position[cables.body] + np.einsum("ksij,ksj->ksi", rotation[cables.body], arm)
    along = ends[:, 0] - ends[:, 1]
    length = np.linalg.norm(along, axis=1)
    n = along / length[:, None]
    axis = np.eye(3)[np.argmin(np.abs(n), axis=1)]
    t1 = np.cross(axis, n)
    t1 /= np.linalg.norm(t1, axis=1)[:, None]
    frame = np.stack([n, t1, np.cross(n, t1)], axis=1)
    count = len(length)
    key = -(np.int64(1) << 40) - (np.arange(count, dtype=np.int64) << POINT_BITS)
    return Contacts(cables.body, ends.mean(axis=1), frame, np.zeros(count), np.zeros(count), key), length


def at_rest(cables: Cables, model: Model) -> Contacts:
    """The cables as contacts in the initial geometry."""
    rotation = np.broadcast_to(np.eye(3), (len(model.names), 3, 3))
    return placed(cables, model.bodies.centroid, rotation, cables.arm)[0]


def extended(law: PointLaw, cables: Cables, yielding: np.ndarray) -> PointLaw:
    """Laws of contacts (C,) and, behind them, of cables (K,); those that yield (K,) bool pull with their strength."""
    count = len(cables.length)
    none = np.zeros(count)
    stiffness = np.stack([np.where(yielding, np.inf, cables.stiffness), np.full(count, np.inf)], axis=1)
    return PointLaw(
        friction=np.append(law.friction, none),
        cohesion=np.append(law.cohesion, none),
        tension=np.append(law.tension, -np.where(yielding, cables.strength, 0.0)),
        compression=np.append(law.compression, np.full(count, np.inf)),
        stiffness=np.concatenate([law.stiffness, stiffness]),
        viscosity=np.append(law.viscosity, np.full(count, np.inf)),
        brittle=np.append(law.brittle, np.zeros(count, bool)),
    )


class MovingCables:
    """Cables in motion: their lengths, forces and plastic elongations."""

    _STATE = ("plastic", "yielding", "now", "force")

    def __init__(self, cables: Cables):
        count = len(cables.length)
        self.cables = cables
        self.plastic = np.zeros(count)  # [m] (K,): plastic elongation
        self.yielding = np.zeros(count, bool)
        self.now = cables.length * (1.0 + cables.prestress / (cables.stiffness * cables.length))  # [m] (K,): length
        self.force = cables.prestress.copy()  # [N] (K,)
        #: Elongation at which each begins to yield [m]; 0 of those that never do.
        self.stretch = np.where(np.isfinite(cables.strength), cables.strength, 0.0) / cables.stiffness

    def snapshot(self) -> dict:
        """State for a checkpoint."""
        return {key: getattr(self, key).copy() for key in self._STATE}

    def restore(self, saved: dict) -> None:
        """Take over the state of a snapshot."""
        for key in self._STATE:
            setattr(self, key, np.array(saved[key]))

    def update(self, state: State, arm: np.ndarray) -> Contacts:
        """Contacts of a step, arms (K, 2, 3) [m]; cables that yield and have begun to shorten are elastic again."""
        contacts, length = placed(self.cables, state.position, rotation_matrices(state.orientation), arm)
        back = self.yielding & (length < self.now)
        self.plastic[back] = (self.now - self.cables.length - self.stretch)[back]
        self.yielding &= ~back
        self.now = length
        return contacts

    def gap(self) -> np.ndarray:
        """Slack of each cable [m] (K,), negative where it is stretched."""
        return self.cables.length + self.plastic - self.now

    def plastic_by_now(self) -> np.ndarray:
        """Plastic elongation [m] (K,), also of cables that are yielding."""
        return np.where(self.yielding, self.now - self.cables.length - self.stretch, self.plastic)

    def keep(self, force: np.ndarray) -> None:
        """Store the forces [N] (K,) of a step, and which cables yield."""
        self.force = force
        self.yielding |= force > self.cables.strength
