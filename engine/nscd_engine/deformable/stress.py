"""Stress of deformable bodies: mean of every element, principal values, mean of a block."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from nscd_engine.deformable.body import DeformableBody
from nscd_engine.deformable.elements import across_axis, lame

#: Row and column of the six components xx yy zz xy yz zx.
ROW, COLUMN = np.array([0, 1, 2, 0, 1, 2]), np.array([0, 1, 2, 1, 2, 0])


def stresses(body: DeformableBody, displacement: np.ndarray) -> np.ndarray:
    """Mean stress of every element [Pa] (e, 6), xx yy zz xy yz zx, tension positive, in the axes of the displacement.

    The incompatible modes of H8 have no mean strain and do not enter.

    Parameters
    ----------
    body : DeformableBody
    displacement : array (n, 3)
        Of the nodes, without the rotation of the body [m].
    """
    u = np.asarray(displacement, float) @ across_axis(body.planar)
    slope = np.einsum("eai,eaj->eij", u[body.mesh.cell], body.gradient)
    strain = 0.5 * (slope + slope.transpose(0, 2, 1))
    constants = lame(body.elastic, body.planar)
    trace = np.trace(strain, axis1=1, axis2=2)[:, None, None]
    stress = 2.0 * constants.shear * strain + constants.bulk * trace * constants.spherical
    return stress[:, ROW, COLUMN]


def tensors(stress: np.ndarray) -> np.ndarray:
    """Tensors (e, 3, 3) of stresses (e, 6) [Pa]."""
    full = np.empty((len(stress), 3, 3))
    full[:, ROW, COLUMN] = full[:, COLUMN, ROW] = stress
    return full


def principal(stress: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Principal stresses [Pa] (e, 3), greatest tension first, and their unit directions (e, 3, 3), one a row."""
    value, axes = np.linalg.eigh(tensors(stress))
    return value[:, ::-1], axes.transpose(0, 2, 1)[:, ::-1]


def mean_stress(body: DeformableBody, stress: np.ndarray) -> np.ndarray:
    """Mean (3, 3) [Pa] over a body of the stresses (e, 6) of its elements; at rest the moment tensor of its forces."""
    volume = body.mesh.cell_volume
    return tensors((volume @ stress / volume.sum())[None])[0]
