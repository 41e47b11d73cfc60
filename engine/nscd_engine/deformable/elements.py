"""Stiffness and mass of elements, many at once.

With gradients g_a of the shape functions, isotropic elasticity couples nodes a and b by

    K_ab = int lambda g_a g_b^T + G (g_b g_a^T + (g_a . g_b) 1)

T3, T4 and the affine cell of a block of uniform strain have constant gradients. H8 has eight Gauss points and three
incompatible modes 1 - x_i^2 (Wilson, Taylor, Doherty & Ghaboussi 1973) without which it locks in bending. Their
gradients use the Jacobian of the centroid and their integral over the element vanishes (Taylor, Beresford & Wilson
1976), so that constant strain is exact; they are condensed in each element.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Optional, Tuple

import numpy as np

from nscd_engine.core.elastic import Elastic
from nscd_engine.deformable.shapes import simplex_gradients, trilinear
from nscd_engine.deformable.topology import HEXAHEDRON


class Lame(NamedTuple):
    """Isotropic elasticity: stress = 2 G strain + lambda tr(strain) Q."""

    bulk: float  # [Pa] lambda; that of plane stress where it holds
    shear: float  # [Pa] G
    spherical: np.ndarray  # (3, 3): Q, the identity, in plane stress without the axis


class Integration(NamedTuple):
    """E elements of k nodes with q integration points each."""

    gradient: np.ndarray  # [1/m] (E, q, k, 3)
    weight: np.ndarray  # [m3] (E, q)

    @property
    def volume(self) -> np.ndarray:
        """Volumes of the elements [m3] (E,)."""
        return self.weight.sum(axis=1)

    @property
    def mean_gradient(self) -> np.ndarray:
        """Mean gradients over the elements [1/m] (E, k, 3)."""
        return np.einsum("eq,eqai->eai", self.weight, self.gradient) / self.volume[:, None, None]


def lame(elastic: Elastic, axis: Optional[np.ndarray]) -> Lame:
    """Constants of a material; `axis` (3,) is that of a planar model, or None."""
    shear = 0.5 * elastic.young / (1.0 + elastic.poisson)
    bulk = 2.0 * shear * elastic.poisson / (1.0 - 2.0 * elastic.poisson)
    if axis is None or elastic.plane == "strain" or elastic.elements in ("t4", "h8"):
        return Lame(bulk, shear, np.eye(3))
    return Lame(2.0 * bulk * shear / (bulk + 2.0 * shear), shear, across_axis(axis))


def across_axis(axis: Optional[np.ndarray]) -> np.ndarray:
    """Projection (3, 3) to the plane of a planar model; the identity in space."""
    return np.eye(3) if axis is None else np.eye(3) - np.outer(axis, axis)


def constant_strain(node: np.ndarray, axis: Optional[np.ndarray]) -> Integration:
    """Integration of T4, or of T3 of unit thickness; node (E, k, 3)."""
    gradient, size = simplex_gradients(node, axis)
    return Integration(gradient[:, None], size[:, None])


def hexahedral(node: np.ndarray, points: int = 2) -> Tuple[Integration, np.ndarray]:
    """Integration of H8 with points^3 Gauss points, and shape functions (q, 8) at these; node (E, 8, 3)."""
    at, factor = _gauss(points)
    shape, slope = trilinear(at)
    jacobian = np.einsum("eai,qaj->eqij", node, slope)
    gradient = np.einsum("qaj,eqji->eqai", slope, np.linalg.inv(jacobian))
    return Integration(gradient, np.linalg.det(jacobian) * factor), shape


def stiffness(integration: Integration, constants: Lame) -> np.ndarray:
    """Stiffness [N/m] (E, 3 k, 3 k) of elements with compatible shape functions only."""
    g = integration.gradient
    elements, points, nodes, _ = g.shape
    flat = (g * integration.weight[..., None, None]).reshape(elements, points, -1)
    # products (e, a, i, b, j) = int g_ai g_bj
    product = np.matmul(flat.transpose(0, 2, 1), g.reshape(elements, points, -1)).reshape(elements, nodes, 3, nodes, 3)
    dots = np.einsum("eaibi->eab", product)
    total = constants.bulk * product + constants.shear * product.transpose(0, 1, 4, 3, 2)
    total += constants.shear * np.einsum("eab,ij->eaibj", dots, np.eye(3))
    return total.reshape(elements, 3 * nodes, 3 * nodes)


def h8_stiffness(node: np.ndarray, constants: Lame) -> np.ndarray:
    """Stiffness [N/m] (E, 24, 24) of H8 with incompatible modes; node (E, 8, 3) [m]."""
    integration, _ = hexahedral(node)
    modes = _incompatible_gradients(node, integration)
    gradient = np.concatenate([integration.gradient, modes], axis=2)
    full = stiffness(integration._replace(gradient=gradient), constants)
    inner = np.linalg.solve(full[:, 24:, 24:], full[:, 24:, :24])
    return full[:, :24, :24] - full[:, :24, 24:] @ inner


def simplex_mass(volume: np.ndarray, nodes: int) -> np.ndarray:
    """Consistent mass per density [m3] (E, k, k) of T3 (k = 3) and T4 (k = 4); volume (E,) [m3]."""
    pattern = (1.0 + np.eye(nodes)) / (nodes * (nodes + 1))
    return volume[:, None, None] * pattern


def h8_mass(node: np.ndarray) -> np.ndarray:
    """Consistent mass per density [m3] (E, 8, 8) of H8, exact also if distorted; node (E, 8, 3) [m]."""
    integration, shape = hexahedral(node, 3)
    return np.einsum("eq,qa,qb->eab", integration.weight, shape, shape)


def in_plane_only(matrix: np.ndarray, axis: Optional[np.ndarray]) -> np.ndarray:
    """Matrices (E, 3 k, 3 k) without the components along the axis (3,) of a planar model."""
    if axis is None:
        return matrix
    across = np.kron(np.eye(matrix.shape[1] // 3), across_axis(axis))
    return across @ matrix @ across


@lru_cache(maxsize=4)
def _gauss(points):
    """Gauss points (q, 3) of the hexahedron [-1, 1]^3 and their weights (q,)."""
    x, w = np.polynomial.legendre.leggauss(points)
    at = np.stack(np.meshgrid(x, x, x, indexing="ij"), axis=-1).reshape(-1, 3)
    return at, np.einsum("i,j,k->ijk", w, w, w).ravel()


def _incompatible_gradients(node, integration):
    """Gradients (E, 8, 3, 3) of the modes 1 - x_i^2 at the Gauss points."""
    at, factor = _gauss(2)
    jacobian = np.einsum("eai,aj->eij", node, HEXAHEDRON / 8.0)
    ratio = np.linalg.det(jacobian)[:, None] * factor / integration.weight
    return np.einsum("eq,qi,eij->eqij", ratio, -2.0 * at, np.linalg.inv(jacobian))
