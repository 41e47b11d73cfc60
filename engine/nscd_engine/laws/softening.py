"""Bonds that are lost little by little."""

import numpy as np

_TINY = np.finfo(float).tiny


class Softening:
    """Bonds that are lost little by little (cohesive zones): strength falls from its peak as the joint opens or slides.

    Opening: along a line, or an exponential, from the end of the elastic branch on; the area under the curve is the
    fracture energy. Sliding: the same in the lasting part of the slip. Both losses act on the whole bond.

    Parameters
    ----------
    energy : array (C, 2)
        Fracture energies of opening and sliding, times the area [J]; nan: the bond does not soften.
    law : PointLaw
        Of the bonds as they were.
    exponential : array (C,) of bool
    """

    def __init__(self, energy, law, exponential):
        self.energy, self.exponential = energy, exponential
        self.elastic = law.tension / law.stiffness[:, 0]  # [m] opening at the peak
        tension, cohesion = np.maximum(law.tension, _TINY), np.maximum(law.cohesion, _TINY)
        # [m] way over which nothing is left (line), half of which is the scale of the exponential
        self.open_way = 2.0 * energy[:, 0] / tension - self.elastic
        self.slip_way = 2.0 * energy[:, 1] / cohesion

    def softened(self, opened):
        """Which bonds have been opened beyond their peak (C,)."""
        return ~np.isnan(self.energy[:, 0]) & (opened > self.elastic)

    def left(self, opened, slipped):
        """Share of the bond that is left [-] (C,)."""
        return self._curve((opened - self.elastic) / self.open_way) * self._curve(slipped / self.slip_way)

    def _curve(self, way):
        way = np.maximum(np.where(np.isnan(self.energy[:, 0]), 0.0, way), 0.0)
        return np.where(self.exponential, np.exp(-2.0 * way), np.maximum(1.0 - way, 0.0))
