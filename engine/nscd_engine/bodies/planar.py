"""Kinematics and inertia of planar models."""

import numpy as np


def in_plane(x, axis):
    """Vectors (..., 3) without their part along the unit vector `axis`; as they are if that is None."""
    return x if axis is None else x - (x @ axis)[..., None] * axis


def planar_velocity(v, axis):
    """Velocities (n, 6) without motion out of the plane square to `axis`; as they are if that is None."""
    if axis is None:
        return v
    return np.hstack([in_plane(v[:, :3], axis), np.outer(v[:, 3:] @ axis, axis)])


def planar_inertia(inertia, axis):
    """Inertias (n, 3, 3) without products that would turn a block out of its plane."""
    if axis is None:
        return inertia
    along = np.outer(axis, axis)
    across = np.eye(3) - along
    return along @ inertia @ along + across @ inertia @ across
