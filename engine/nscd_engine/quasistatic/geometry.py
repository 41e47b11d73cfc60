"""Second-order terms: contact points and directions follow the displacements of the elements."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from nscd_engine.core.model import Model
from nscd_engine.kernels.quasistatic.springs import SpringContacts
from nscd_engine.quasistatic.system import System


class MovingGeometry:
    """Arms and frames of the contacts at the current displacements.

    Contacts of two round elements stay on the line between the centres. All others turn with the mean rotation of
    their elements, and their points are in the middle of the points of both.

    Parameters
    ----------
    model : Model
    contacts : SpringContacts
        Before loading.
    """

    def __init__(self, model: Model, contacts: SpringContacts) -> None:
        self.model, self.first = model, contacts
        self.round = (model.radius[contacts.body] > 0.0).all(axis=1)

    def update(self, system: System) -> float:
        """Let the contacts follow; greatest change of an arm, over the reach of its element [-]."""
        moved = system.displacement + system.step
        turn = Rotation.from_rotvec(moved[:, 3:])
        body = self.first.body
        arm = np.stack([turn[body[:, k]].apply(self.first.arm[:, k]) for k in range(2)], axis=1)
        middle = Rotation.from_rotvec(0.5 * (moved[body[:, 0], 3:] + moved[body[:, 1], 3:]))
        frame = np.einsum("cij,ckj->cki", middle.as_matrix(), self.first.frame)
        if self.round.any():
            self._follow_centres(moved, arm, frame)
        change = np.linalg.norm(arm - system.contacts.arm, axis=2) / system.reach[body]
        system.replace_contacts(system.contacts._replace(arm=arm, frame=np.ascontiguousarray(frame)))
        return float(change.max(initial=0.0))

    def _follow_centres(self, moved, arm, frame):
        """Arms and frames of contacts of two round elements, in place."""
        rows = np.flatnonzero(self.round)
        p, q = self.first.body[rows].T
        centre = self.model.bodies.centroid + moved[:, :3]
        n = centre[q] - centre[p]
        n /= np.linalg.norm(n, axis=1)[:, None]
        t = frame[rows, 1] - np.einsum("ci,ci->c", frame[rows, 1], n)[:, None] * n
        t /= np.linalg.norm(t, axis=1)[:, None]
        frame[rows] = np.stack([n, t, np.cross(n, t)], axis=1)
        first = np.linalg.norm(self.first.arm[rows], axis=2)
        arm[rows, 0], arm[rows, 1] = first[:, :1] * n, -first[:, 1:] * n
