"""Bonds break where a contact carries more than their strength."""

from __future__ import annotations

import numpy as np

from nscd_engine.kernels.quasistatic.springs import BONDED, BROKEN
from nscd_engine.quasistatic.system import System

#: Utilisation over the greatest one from which bonds break together [-]. Smaller: bonds break that would be unloaded by
#: the first. Larger: bonds that are loaded alike, by symmetry, break one after the other.
TOGETHER = 1.0 - 1e-6


def utilisation(system: System) -> np.ndarray:
    """Load of the bonds over their strength [-] (C,), 0 for other contacts.

    Tension and bending together: N / Nt + |Mt| / Mb + |Mw| / Mb, the stress at the edge of a joint over its strength,
    which compression relieves. Shear has the help of friction. Twisting stands alone.
    """
    force, strength = system.state.force, np.maximum(system.strength, np.finfo(float).tiny)
    tension, shear, twisting, bend_t, bend_w = strength.T
    pulled = force[:, 0] / tension + np.abs(force[:, 4]) / bend_t + np.abs(force[:, 5]) / bend_w
    help_of_friction = system.contacts.friction * np.maximum(-force[:, 0], 0.0)
    sheared = np.hypot(force[:, 1], force[:, 2]) / (shear + help_of_friction)
    used = np.maximum(np.maximum(pulled, sheared), np.abs(force[:, 3]) / twisting)
    return np.where(system.state.kind == BONDED, used, 0.0)


def break_bonds(system: System) -> int:
    """Break the bonds that are overloaded the most; their number."""
    used = utilisation(system)
    worst = used.max(initial=0.0)
    if not worst > 1.0:
        return 0
    broken = used >= TOGETHER * worst
    system.state.kind[broken] = BROKEN
    return int(broken.sum())
