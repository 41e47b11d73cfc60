"""Mass of deformable bodies in motion: a body that turns as if it were rigid has the inertia of its block.

Masses gathered at the nodes of an element give it too much rotational inertia: three times that of a cuboid of one H8.
What is too much is taken off the rotation of every element, and nothing else: its translation, its strain, and the
coupling of nodes stay as they are.
"""

from __future__ import annotations

import numpy as np
import scipy  # and its matrices where they are used: rigid blocks do without

from nscd_engine.deformable.assembly import assembled
from nscd_engine.deformable.body import DeformableBody
from nscd_engine.deformable.elements import h8_mass, simplex_mass


def mass_in_motion(body: DeformableBody) -> scipy.sparse.csr_matrix:
    """Mass (3n, 3n) [kg] of a body: as it was chosen, with the inertia of the block in rotation."""
    if body.elastic.mass == "consistent" or body.mesh.kind == "uniform":
        return body.mass  # exact already
    mesh = body.mesh
    corner, nodes = mesh.node[mesh.cell], mesh.cell.shape[1]
    consistent = h8_mass(corner) if nodes == 8 else simplex_mass(mesh.cell_volume, nodes)
    consistent = consistent * (body.node_mass.sum() / mesh.cell_volume.sum())
    axes = np.eye(3) if body.planar is None else body.planar[None]
    return assembled(_with_rotation(corner, consistent, axes)[None], mesh.cell, len(mesh.node), 3)[0]


def _with_rotation(corner: np.ndarray, consistent: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Masses (E, 3k, 3k) [kg] at the nodes, but with the consistent inertia about axes (s, 3).

    Parameters
    ----------
    corner : array (E, k, 3)
        [m]
    consistent : array (E, k, k)
        Mass of the elements [kg].
    axes : array (s, 3)
        Three in space, the normal of the plane in planar models.
    """
    elements, nodes, _ = corner.shape
    lumped = consistent.sum(axis=2)
    arm = corner - (np.einsum("ek,ekx->ex", lumped, corner) / lumped.sum(axis=1)[:, None])[:, None]
    turn = np.cross(axes[None, None], arm[:, :, None])  # (E, k, s, 3)
    exact = np.einsum("eksx,ekl,elrx->esr", turn, consistent, turn, optimize=True)
    turn = turn.transpose(0, 1, 3, 2).reshape(elements, 3 * nodes, -1)
    momentum = np.repeat(lumped, 3, axis=1)[:, :, None] * turn
    too_large = turn.transpose(0, 2, 1) @ momentum
    inverse = np.linalg.inv(too_large)
    excess = inverse @ (too_large - exact) @ inverse
    mass = np.zeros((elements, 3 * nodes, 3 * nodes))
    diagonal = np.arange(3 * nodes)
    mass[:, diagonal, diagonal] = np.repeat(lumped, 3, axis=1)
    return mass - momentum @ excess @ momentum.transpose(0, 2, 1)
