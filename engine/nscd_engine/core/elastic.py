"""Elasticity of a deformable block: plain data, checked by the gate."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Elastic(NamedTuple):
    """Linear elastic, isotropic; small strains in axes that turn with the block."""

    young: float  # [Pa] Young's modulus
    poisson: float  # [-] Poisson's ratio, above -1 and below 0.5
    elements: str  # uniform, t3, t4 or h8
    refine: int  # elements along an edge of the block
    mass: str  # lumped or consistent
    damping: tuple  # (2,) Rayleigh: in proportion to the mass [1/s], to the stiffness [s]
    plane: str  # stress or strain, of t3
    tension: Optional[float]  # [Pa] tensile strength; None: cracks are not looked for
