"""Cables and tie rods as contacts without friction: the normal looks along the cable, which closes as it stretches.

The force acts along the line through both ends, so that any of its points will do for arms and velocities. One that
yields is a constant force instead, and its contact is out of reach.
"""

import numpy as np

from nscd_engine.core.structs import POINT_BITS, Contacts
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.laws.point_laws import PointLaw

#: Velocity that no contact has [m/s]: with it as bias a contact is out of play.
OUT_OF_REACH = 1e6


def without_hanging(detection, cables):
    """The detection in which blocks on cables are not isolated: what hangs on a cable need touch nothing."""
    if cables is None:
        return detection
    return detection._replace(isolated=[i for i in detection.isolated if i not in cables.body])


def placed(cables, position, rotation):
    """The cables as contacts, and their lengths [m] (K,); positions (B, 3), rotations (B, 3, 3)."""
    ends = position[cables.body] + np.einsum("ksij,ksj->ksi", rotation[cables.body], cables.arm)
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


def at_rest(cables, model):
    """The cables as contacts in the geometry that was given."""
    rotation = np.broadcast_to(np.eye(3), (len(model.names), 3, 3))
    return placed(cables, model.bodies.centroid, rotation)[0]


def extended(law, cables, yielding):
    """Laws of contacts (C,) and, behind them, of cables; those that yield pull with their strength."""
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
    """Cables in motion: their lengths, and what has yielded."""

    memory = ("plastic", "yielding", "now", "force")

    def __init__(self, cables):
        count = len(cables.length)
        self.cables = cables
        self.plastic = np.zeros(count)  # [m] lasting elongation
        self.yielding = np.zeros(count, bool)
        self.now = cables.length * (1.0 + cables.prestress / (cables.stiffness * cables.length))  # [m]
        self.force = cables.prestress.copy()  # [N]
        #: Elongation at which each begins to yield [m]; 0 of those that never do.
        self.stretch = np.where(np.isfinite(cables.strength), cables.strength, 0.0) / cables.stiffness

    def update(self, state):
        """Contacts of a step; those that yield and have begun to shorten are elastic again."""
        contacts, length = placed(self.cables, state.position, rotation_matrices(state.orientation))
        back = self.yielding & (length < self.now)
        self.plastic[back] = (self.now - self.cables.length - self.stretch)[back]
        self.yielding &= ~back
        self.now = length
        return contacts

    def gap(self):
        """By how much each is too long to pull [m] (K,)."""
        return self.cables.length + self.plastic - self.now

    def plastic_by_now(self):
        """Lasting elongation [m] (K,), of those that yield too."""
        return np.where(self.yielding, self.now - self.cables.length - self.stretch, self.plastic)

    def keep(self, force):
        """Remember the forces [N] (K,), and which yield."""
        self.force = force
        self.yielding |= force > self.cables.strength
