"""What varies while a structure moves."""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Where the blocks are and how they move. B blocks."""

    time: float  # [s]
    position: np.ndarray  # [m] (B, 3): centroids
    orientation: np.ndarray  # (B, 4): unit quaternions w, x, y, z; (1, 0, 0, 0) as the block came
    velocity: np.ndarray  # [m/s, rad/s] (B, 6): of the centroid, and angular; world axes


def rest_state(model):
    """All blocks as they came, at rest."""
    count = len(model.names)
    orientation = np.zeros((count, 4))
    orientation[:, 0] = 1.0
    return State(0.0, model.bodies.centroid.copy(), orientation, np.zeros((count, 6)))
