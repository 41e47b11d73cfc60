"""Mass properties of rigid blocks: polyhedra, spheres, and discs of a planar model."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from nscd_engine.core.structs import Polyhedra
from nscd_engine.geometry.mass_properties import mass_properties
from nscd_engine.geometry.polyhedra import without


def body_properties(
    poly: Polyhedra, radius: np.ndarray, depth: np.ndarray, planar: Optional[np.ndarray]
) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Volume [m3] (B,), centroid [m] (B, 3) and inertia for unit density [m5] (B, 3, 3) of blocks of any shape.

    A sphere has 2/5 m r^2 about any axis. A disc is a cylinder about the axis of the planar model: 1/2 m r^2 about it
    and m (3 r^2 + depth^2) / 12 perpendicular to it.

    Parameters
    ----------
    poly : Polyhedra
        A sphere or disc is one vertex, its centre.
    radius, depth : arrays (B,)
        Of spheres and discs [m]; `radius` is 0 for polyhedra, `depth` 0 for spheres.
    planar : array (3,), optional
        Axis of a planar model.
    """
    is_round = radius > 0.0
    if not is_round.any():
        return mass_properties(poly)
    volume, inertia = np.empty(len(radius)), np.empty((len(radius), 3, 3))
    centroid = poly.vertices[poly.vertex_start[:-1]]
    if not is_round.all():
        volume[~is_round], centroid[~is_round], inertia[~is_round] = mass_properties(without(poly, is_round))
    r, d = radius[is_round], depth[is_round]
    volume[is_round] = np.where(d > 0.0, np.pi * r**2 * d, 4.0 / 3.0 * np.pi * r**3)
    along = np.zeros((3, 3)) if planar is None else np.outer(planar, planar)
    about = np.where(d > 0.0, 0.5, 0.4) * r**2
    across = np.where(d > 0.0, (3.0 * r**2 + d**2) / 12.0, 0.4 * r**2)
    turning = about[:, None, None] * along + across[:, None, None] * (np.eye(3) - along)
    inertia[is_round] = volume[is_round, None, None] * turning
    return volume, centroid, inertia
