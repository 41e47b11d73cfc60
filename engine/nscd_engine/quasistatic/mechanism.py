"""Motions that no contact resists."""

from __future__ import annotations

from typing import Optional

import numpy as np

from nscd_engine.quasistatic.stiffness import Stiffness
from nscd_engine.quasistatic.system import System

#: Regularisation over the mean stiffness [-] in the search. Larger: soft structures count as mechanisms. Smaller:
#: rounding decides.
SEARCH = 1e-9
#: Share of the errors that the stiffness cannot take, from which there is a mechanism [-].
UNRESISTED = 0.5


def mechanism(system: System, threads: int = 1) -> Optional[np.ndarray]:
    """Motion (B, 6) of the current contacts on which the errors do work and that deforms none of them, or None.

    A singular stiffness matrix is not enough: a column of discs that do not resist rolling is singular, and in balance.
    """
    stiffness = Stiffness(system, SEARCH, threads)
    stiffness.factorise()
    error = system.residual()
    motion = stiffness.solve(error)
    left = error - stiffness.times(motion)
    if not _size(system, left) > UNRESISTED * _size(system, error) > 0.0:
        return None
    found = np.zeros_like(system.error)
    found[system.moving] = motion
    return found / np.abs(_at_reach(system, found)).max()


def _at_reach(system, motion):
    """Motion (B, 6) with rotations as displacements at the reach of the elements [m]."""
    scaled = motion.copy()
    scaled[:, 3:] *= system.reach[:, None]
    return scaled


def _size(system, error):
    """Norm of errors (N, 6), moments over the reach."""
    scaled = error.copy()
    scaled[:, 3:] /= system.reach[system.moving, None]
    return float(np.linalg.norm(scaled))
