"""Mean stress of every block.

The moment tensor sigma = 1/V sum (p - c) (x) f over the contact forces and point loads f at p, with c the centroid, is
the mean of the stress field over the block (Acary & Jean 1998); gravity acts at the centroid and does not contribute.
Tension is positive. At equilibrium the tensor is symmetric, because its skew part is the moment of the forces about c.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.results.joint_table import sums

#: Principal stress below which a segment is not drawn [greatest principal stress].
SHOWN = 1e-2


class Stresses(NamedTuple):
    """One row per block; NaN for supports, whose reactions from the ground are unknown."""

    tensor: np.ndarray  # [Pa] (B, 3, 3): symmetric part, world axes
    principal: np.ndarray  # [Pa] (B, 3): ascending, so the greatest compression first
    directions: np.ndarray  # [-] (B, 3, 3): directions[b, k] is the unit vector of principal[b, k]
    skew: np.ndarray  # [-] (B,): norm of the skew part over that of the tensor; 0 at equilibrium
    centroid: np.ndarray  # [m] (B, 3)

    def crosses(self, size: float) -> tuple[np.ndarray, np.ndarray]:
        """Principal stresses as segments through the centroids.

        Parameters
        ----------
        size : float
            Length of the segment of the greatest stress [m].

        Returns
        -------
        (n, 2, 3) array
            End points [m].
        (n,) array
            Stress of each segment [Pa], tension positive.
        """
        greatest = np.nanmax(np.abs(self.principal), initial=0.0)
        if not greatest > 0.0:
            return np.zeros((0, 2, 3)), np.zeros(0)
        arm = 0.5 * size * (np.abs(self.principal) / greatest)[:, :, None] * self.directions
        ends = np.stack([self.centroid[:, None] - arm, self.centroid[:, None] + arm], axis=2)
        shown = np.nan_to_num(np.abs(self.principal)) > SHOWN * greatest
        return ends[shown], self.principal[shown]


def stresses(result: Any) -> Stresses:
    """Mean stress of every block of a StaticResult.

    In a collapsing structure the blocks are not in equilibrium: the tensor contains the contact forces without the
    inertia of the blocks, and `skew` is not 0.

    Returns
    -------
    Stresses
    """
    centroid = result.centroid
    moment = np.zeros((len(centroid), 3, 3))
    joint = np.repeat(np.arange(len(result.interface_body)), np.diff(result.contact_start))
    for block, force in zip(result.interface_body[joint].T, (-result.contact_force, result.contact_force)):
        arm = result.contact_point - centroid[block]
        product = (arm[:, :, None] * force[:, None, :]).reshape(-1, 9)
        moment += sums(product, block, len(centroid)).reshape(-1, 3, 3)
    if result.case is not None:
        loads = result.case.loads
        for block, load in zip(result.structure.indices([load.block for load in loads], LoadError), loads):
            moment[block] += np.outer(np.array(load.point) - centroid[block], load.force)
    blocks = result.structure.blocks
    density = np.array([block.density for block in blocks])
    free = ~np.array([block.support for block in blocks], bool)
    tensor = moment[free] * (density[free] / result.mass[free])[:, None, None]
    symmetric = 0.5 * (tensor + tensor.transpose(0, 2, 1))
    principal, columns = np.linalg.eigh(symmetric)
    size = np.linalg.norm(tensor, axis=(1, 2))
    skew = np.linalg.norm(tensor - symmetric, axis=(1, 2)) / np.where(size > 0.0, size, 1.0)
    return Stresses(
        _with_supports(symmetric, free),
        _with_supports(principal, free),
        _with_supports(columns.transpose(0, 2, 1), free),
        _with_supports(skew, free),
        centroid,
    )


def _with_supports(values: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Rows of the free blocks, with NaN for the others."""
    out = np.full((len(free),) + values.shape[1:], np.nan)
    out[free] = values
    return out
