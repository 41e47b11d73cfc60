"""Elasticity of a block, as the gate hands it on."""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple


class Elastic(NamedTuple):
    """Linear elastic, isotropic material of a deformable block, and the elements it is divided into."""

    young: float  # [Pa] Young's modulus
    poisson: float  # [-] Poisson's ratio
    elements: str = "uniform"  # uniform, t3, t4, h8
    refine: int = 1  # elements on an edge
    mass: str = "lumped"  # lumped, consistent
    damping: Tuple[float, float] = (0.0, 0.0)  # [1/s, s] Rayleigh: of the mass, of the stiffness
    plane: str = "stress"  # stress, strain: t3 and uniform in planar models
    tension: Optional[float] = None  # [Pa] strength; None: cracks are not looked for
    contacts: str = "corners"  # of the patches between element faces; middles: those of the element faces too
