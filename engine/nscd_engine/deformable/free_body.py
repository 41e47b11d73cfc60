"""Elastic balance of one free block under loads that balance each other."""

from __future__ import annotations

import numpy as np
import scipy  # and its matrices where they are used: rigid blocks do without

from nscd_engine.deformable.body import DeformableBody
from nscd_engine.deformable.condense import symmetric_factor
from nscd_engine.geometry.polygons import plane_axes


class FreeBody:
    """A deformable block held as little as possible, so that balanced loads cause no reactions.

    Parameters
    ----------
    body : DeformableBody
    """

    def __init__(self, body: DeformableBody) -> None:
        self.body = body
        self._basis = _free_numbers(body)
        self._factor = symmetric_factor(self._basis @ body.stiffness @ self._basis.T)

    def displacement(self, force: np.ndarray) -> np.ndarray:
        """Displacement [m] (n, 3, ...) of the nodes under forces [N] (n, 3, ...), up to a rigid motion."""
        flat = np.ascontiguousarray(force.reshape(force.shape[0] * 3, -1))
        return (self._basis.T @ self._factor.solve(self._basis @ flat)).reshape(force.shape)

    def imbalance(self, force: np.ndarray) -> float:
        """Resultant of forces [N] (n, 3) over the sum of their sizes, moments over the size of the block [-]."""
        arm = self.body.mesh.node - self.body.centroid
        resultant, moment = force.sum(axis=0), np.cross(arm, force).sum(axis=0)
        if self.body.planar is not None:
            resultant = plane_axes(self.body.planar) @ resultant
            moment = self.body.planar @ moment
        total = np.abs(force).sum()
        reach = np.linalg.norm(arm, axis=1).max()
        return float(max(np.abs(resultant).max(), np.abs(moment).max() / reach) / total) if total > 0.0 else 0.0


def without_rigid_motion(body: DeformableBody, displacement: np.ndarray) -> np.ndarray:
    """Displacement (n, 3) [m] of the nodes less the mean translation and rotation, weighted by the masses."""
    mass, arm = body.node_mass, body.mesh.node - body.centroid
    rest = displacement - mass @ displacement / mass.sum()
    square = np.einsum("n,ni,nj->ij", mass, arm, arm)
    inertia = np.trace(square) * np.eye(3) - square
    return rest - np.cross(np.linalg.solve(inertia, mass @ np.cross(arm, rest)), arm)


def _free_numbers(body):
    """Rows of the numbers that may change (m, 3 n): all but those that hold three nodes far apart.

    One node is held in all directions, a second across the line between them, a third across their plane. In planar
    models all are held along the axis.
    """
    first, second, third = _three_nodes(body)
    node = body.mesh.node
    along = _unit(node[second] - node[first])
    if body.planar is not None:
        frames = {first: np.zeros((0, 3)), second: along[None]}
        usual = plane_axes(body.planar)
    else:
        normal = _unit(np.cross(along, node[third] - node[first]))
        frames = {first: np.zeros((0, 3)), second: along[None], third: np.stack([along, np.cross(normal, along)])}
        usual = np.eye(3)
    return scipy.sparse.block_diag([frames.get(k, usual) for k in range(len(node))], format="csr")


def _three_nodes(body):
    """A node far from the centroid, the node farthest from it, and the node farthest from the line through both."""
    node = body.mesh.node
    first = int(np.argmax(np.linalg.norm(node - body.centroid, axis=1)))
    second = int(np.argmax(np.linalg.norm(node - node[first], axis=1)))
    line = _unit(node[second] - node[first])
    return first, second, int(np.argmax(np.linalg.norm(np.cross(node - node[first], line), axis=1)))


def _unit(vector):
    return vector / np.linalg.norm(vector)
