"""Softening of bonds (cohesive zones): strength falls from its peak as the joint opens or slides.

Opening: linearly or exponentially from the end of the elastic branch on; the area under the curve is the fracture
energy. Sliding: the same in the plastic slip. The bond has the product of both shares left.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.laws.mohr_coulomb import PointLaw

_TINY = np.finfo(float).tiny


class Softening:
    """Softening curves of C bonds.

    Parameters
    ----------
    energy : array (C, 2)
        Fracture energies of opening and sliding, times the area [J]; nan: the bond does not soften.
    law : PointLaw
        Of the intact bonds.
    exponential : array (C,) of bool
    """

    def __init__(self, energy: np.ndarray, law: PointLaw, exponential: np.ndarray):
        self.energy, self.exponential = energy, exponential
        self.elastic = law.tension / law.stiffness[:, 0]  # [m] opening at the peak
        tension, cohesion = np.maximum(law.tension, _TINY), np.maximum(law.cohesion, _TINY)
        # [m] opening and slip at which a linear bond has nothing left; half of them is the scale of the exponential
        self.last_opening = 2.0 * energy[:, 0] / tension - self.elastic
        self.last_slip = 2.0 * energy[:, 1] / cohesion

    def softened(self, opened: np.ndarray) -> np.ndarray:
        """Which bonds have been opened [m] (C,) beyond their peak, (C,) bool."""
        return ~np.isnan(self.energy[:, 0]) & (opened > self.elastic)

    def left(self, opened: np.ndarray, slipped: np.ndarray) -> np.ndarray:
        """Share of the bond that is left [-] (C,) after openings and slips [m] (C,)."""
        return self._curve((opened - self.elastic) / self.last_opening) * self._curve(slipped / self.last_slip)

    def _curve(self, share):
        """Strength over its peak [-] at a share of the last opening or slip [-] (C,)."""
        share = np.maximum(np.where(np.isnan(self.energy[:, 0]), 0.0, share), 0.0)
        return np.where(self.exponential, np.exp(-2.0 * share), np.maximum(1.0 - share, 0.0))
