"""The nodes that move points of many bodies, asked for again and again while the bodies move."""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np

from nscd_engine.deformable.body import ROUNDING, DeformableBody, locate_all
from nscd_engine.kernels.geometry.simplices import locate_in_simplices


class Locator:
    """As `body.locate_all`, with the elements of all bodies gathered once.

    Parameters
    ----------
    bodies : sequence of DeformableBody
    """

    def __init__(self, bodies: Sequence[DeformableBody]) -> None:
        self.bodies = list(bodies)
        width = {body.mesh.cell.shape[1] for body in bodies}
        #: Whether all have the same linear elements.
        self.alike = len(width) == 1 and width != {8}
        if self.alike:
            cells = [len(body.mesh.cell) for body in bodies]
            self._mesh = (
                np.concatenate([[0], np.cumsum(cells)]),
                np.concatenate([body.mesh.cell for body in bodies]).astype(np.int64),
                np.concatenate([body.gradient for body in bodies]),
                np.concatenate([body.mesh.node[body.mesh.cell].mean(axis=1) for body in bodies]),
            )

    def locate(self, owner: np.ndarray, point: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """Nodes (k, m) int64 that move points (k, 3) [m] at rest, and their weights (k, m); owner (k,) their bodies."""
        if self.alike:
            return locate_in_simplices(point, owner, self._mesh, ROUNDING)
        return locate_all(self.bodies, owner, point)
