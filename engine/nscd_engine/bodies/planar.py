"""Kinematics and inertia of planar models."""

from __future__ import annotations

from typing import Optional

import numpy as np


def in_plane(x: np.ndarray, axis: Optional[np.ndarray]) -> np.ndarray:
    """Vectors (..., 3) without their component along the unit vector `axis` (3,); unchanged if it is None."""
    return x if axis is None else x - (x @ axis)[..., None] * axis


def planar_velocity(v: np.ndarray, axis: Optional[np.ndarray]) -> np.ndarray:
    """Velocities (n, 6) [m/s, rad/s] without motion out of the plane with normal `axis`; unchanged if it is None."""
    if axis is None:
        return v
    return np.hstack([in_plane(v[:, :3], axis), np.outer(v[:, 3:] @ axis, axis)])


def planar_inertia(inertia: np.ndarray, axis: Optional[np.ndarray]) -> np.ndarray:
    """Inertias (n, 3, 3) [kg m2] without the products that couple rotation in the plane with rotation out of it."""
    if axis is None:
        return inertia
    along = np.outer(axis, axis)
    across = np.eye(3) - along
    return along @ inertia @ along + across @ inertia @ across


def motions(axis: Optional[np.ndarray]) -> np.ndarray:
    """Directions (6, m) in which a body can move: two displacements and a rotation in a plane, all six in space."""
    if axis is None:
        return np.eye(6)
    across = np.linalg.svd(axis[None])[2][1:]
    found = np.zeros((6, 3))
    found[:3, :2], found[3:, 2] = across.T, axis
    return found
