"""Numbers that rounds of a solver look for, each from those of the round before, with Anderson acceleration.

De Saxce's opening mu |u_t| (docs/methods.md, section 3.2), and bounds of friction mu gamma_n.
"""

from __future__ import annotations

from typing import List

import numpy as np

#: Rounds that Anderson acceleration looks back [-]. More: their differences are nearly dependent. Fewer: slower.
MEMORY = 3
#: Share of the change that is adopted where the plain iteration is slow [-]. Larger: it may diverge.
DAMPING = 0.5


class FixedPoint:
    """Numbers (C,) that are not negative, as the rounds take them.

    Parameters
    ----------
    first : array (C,)
        Those of the first round.
    """

    def __init__(self, first: np.ndarray) -> None:
        self.now, self.share = first, 1.0
        self.tried: List[np.ndarray] = []
        self.residuals: List[np.ndarray] = []

    def update(self, found: np.ndarray) -> float:
        """Take the next numbers, from those `found` with the last; greatest difference of the two."""
        residual = found - self.now
        size = np.abs(residual).max(initial=0.0)
        if self.share == 1.0 and self.residuals and size > 0.5 * np.abs(self.residuals[-1]).max(initial=0.0):
            self.share, self.tried, self.residuals = DAMPING, [], []
        self.tried, self.residuals = self.tried[-MEMORY:] + [self.now], self.residuals[-MEMORY:] + [residual]
        step = self.share * residual
        if len(self.residuals) > 1 and np.isfinite(size):
            d_residual = np.array([residual - other for other in self.residuals[:-1]])
            d_tried = np.array([self.now - other for other in self.tried[:-1]])
            weight = np.linalg.lstsq(d_residual @ d_residual.T, d_residual @ residual, rcond=1e-14)[0]
            step -= weight @ (d_tried + self.share * d_residual)
        self.now = np.maximum(self.now + step, 0.0)
        return size
