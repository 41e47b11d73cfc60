"""What every method for the balance of deformable bodies takes and returns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: Residual at which forces are exact enough [-]. Smaller: where more contacts are closed than forces can be told apart,
#: iterations go on for little.
EXACT = 1e-9
#: Residual up to which a solution counts as found [-].
FOUND = 1e-6
#: Speed over the free one up to which inertia has died out [-].
AT_REST = 1e-9


class Balance(NamedTuple):
    """Solution of the elastic problem. T tiles, C contacts."""

    displacement: np.ndarray  # [m] (T, 6): of nodes, or of rigid bodies [m, rad]
    impulses: np.ndarray  # [N s] (C, 3)
    residual: float  # natural map over the free impulse [-]
    drift: float  # speed that is left over the free one [-]: large if the structure does not come to rest
    iterations: int
    factorizations: int
    status: str  # converged, stalled; associated: Coulomb friction was asked for, and its rounds did not settle


def status_of(residual: float, drift: float) -> str:
    """Whether a balance is found."""
    return "converged" if residual <= FOUND and drift <= AT_REST else "stalled"


def momentum(mass: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    """M v (T, 6) of blocks of M (T, 6, 6) and a velocity (T, 6)."""
    return np.einsum("tij,tj->ti", mass, velocity)
