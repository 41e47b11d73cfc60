"""Deformation of blocks in motion: displacements of their nodes, beside the rigid state of the blocks.

    x = c + R (X - C + d),   sum of M d over rigid motions = 0

c and R are position and rotation of the rigid state, d the displacement in axes that turn with the block. Rigid motion
and deformation are told apart by the mass: neither has momentum of the other, and the kinetic energy is their sum. A
block that turns by any angle has no strain from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List

import numpy as np
from scipy.sparse import block_diag

from nscd_engine.deformable.mass_in_motion import mass_in_motion
from nscd_engine.solvers.deformables import Deformables


@dataclass(frozen=True)
class Parts:
    """Velocities or small displacements of D bodies with n nodes in all, in the axes of the bodies."""

    linear: np.ndarray  # [m/s] (D, 3)
    spin: np.ndarray  # [rad/s] (D, 3)
    rate: np.ndarray  # [m/s] (n, 3): what is left, of the nodes


class Deformation:
    """Displacements of the nodes of all deformable bodies, and their rates, in axes that turn with the bodies.

    Parameters
    ----------
    bodies : Deformables

    Attributes
    ----------
    owner : array (n,)
        Body of each node.
    arm : array (n, 3)
        From the centroid of the body at rest [m].
    stiffness, mass : csr_matrix (3n, 3n)
        [N/m], [kg]
    displacement, rate : array (n, 3)
        [m], [m/s]
    """

    def __init__(self, bodies: Deformables) -> None:
        each = bodies.deformable
        self.bodies = bodies
        count = np.array([len(body.mesh.node) for body in each])
        self.first = np.concatenate([[0], np.cumsum(count)])
        self.owner = np.repeat(np.arange(len(each)), count)
        self.arm = np.concatenate([body.mesh.node - body.centroid for body in each])
        self.stiffness = block_diag([body.stiffness for body in each], "csr")
        self.mass = block_diag([mass_in_motion(body) for body in each], "csr")
        self.node_mass = np.concatenate([body.node_mass for body in each])
        self.damping = np.array([body.damping for body in each])[self.owner]  # (n, 2) [1/s, s]
        self.displacement, self.rate = np.zeros_like(self.arm), np.zeros_like(self.arm)
        self._axes = np.eye(3) if bodies.planar is None else bodies.planar[None]
        self._set_modes()

    def _set_modes(self) -> None:
        """Momenta of unit rotations (n, 3, s) and the inverse inertia (D, s, s) in the axes of the bodies."""
        self._turn = turn = np.cross(self._axes[None], self.arm[:, None])  # (n, s, 3)
        flat = turn.transpose(1, 0, 2).reshape(len(self._axes), -1).T
        self._momentum = (self.mass @ flat).reshape(-1, 3, len(self._axes))
        inertia = np.add.reduceat(np.einsum("nis,nri->nsr", self._momentum, turn), self.first[:-1])
        self._inverse = np.linalg.inv(inertia)
        self._total = np.add.reduceat(self.node_mass, self.first[:-1])[:, None]

    # -- rigid motion and deformation ----------------------------------------------------------------------------------

    def split(self, motion: np.ndarray) -> Parts:
        """The parts of a velocity, or of a small displacement, (n, 3) of the nodes in the axes of the bodies."""
        begin = self.first[:-1]
        linear = np.add.reduceat(self.node_mass[:, None] * motion, begin) / self._total
        turning = np.add.reduceat(np.einsum("nis,ni->ns", self._momentum, motion), begin)
        spin = np.einsum("dsr,dr->ds", self._inverse, turning) @ self._axes
        return Parts(linear, spin, motion - self.field(linear, spin))

    def field(self, linear: np.ndarray, spin: np.ndarray) -> np.ndarray:
        """Velocities (n, 3) of the nodes of bodies that move as rigid ones; both (D, 3) in the axes of the bodies."""
        turning = (spin @ self._axes.T)[self.owner]
        return linear[self.owner] + np.einsum("nsi,ns->ni", self._turn, turning)

    def without_resultant(self, force: np.ndarray) -> np.ndarray:
        """Forces (n, 3) [N] on the nodes, less those that move the bodies as rigid ones; in the axes of the bodies."""
        begin = self.first[:-1]
        linear = np.add.reduceat(force, begin) / self._total
        turning = np.add.reduceat(np.einsum("nsi,ni->ns", self._turn, force), begin)
        spin = np.einsum("dsr,dr->ds", self._inverse, turning) @ self._axes
        return force - self.momentum(self.field(linear, spin))

    def turned(self, rotation: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """Vectors (n, 3) of the nodes in world axes; rotation (D, 3, 3) of the bodies."""
        return np.einsum("nij,nj->ni", rotation[self.owner], vectors)

    def turned_back(self, rotation: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """Vectors (n, 3) of the nodes in the axes of the bodies, from world axes."""
        return np.einsum("nji,nj->ni", rotation[self.owner], vectors)

    def elastic_force(self, displacement: np.ndarray) -> np.ndarray:
        """K d [N] (n, 3) of displacements (n, 3) [m] in the axes of the bodies."""
        return (self.stiffness @ displacement.ravel()).reshape(-1, 3)

    def momentum(self, velocity: np.ndarray) -> np.ndarray:
        """M v [N s] (n, 3) of velocities (n, 3) [m/s] in the axes of the bodies."""
        return (self.mass @ velocity.ravel()).reshape(-1, 3)

    # -- results -------------------------------------------------------------------------------------------------------

    def energy(self) -> float:
        """Elastic energy, and kinetic energy of the rate [J]."""
        kinetic = np.vdot(self.rate, self.momentum(self.rate))
        return 0.5 * float(kinetic + np.vdot(self.displacement, self.elastic_force(self.displacement)))

    def by_body(self, values: np.ndarray) -> List[np.ndarray]:
        """Values (n, 3) of the nodes of each body."""
        return np.split(values, self.first[1:-1])

    # -- going on later ------------------------------------------------------------------------------------------------

    def snapshot(self) -> Dict[str, np.ndarray]:
        """State for a checkpoint."""
        return {"displacement": self.displacement.copy(), "rate": self.rate.copy()}

    def restore(self, saved: Dict[str, np.ndarray]) -> None:
        """Go on from a snapshot."""
        self.displacement, self.rate = saved["displacement"].copy(), saved["rate"].copy()
