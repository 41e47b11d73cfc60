"""Orientations as unit quaternions (w, x, y, z); body axes to world axes. Angular velocities are in world axes."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.inner import inner


@njit(cache=True, nogil=True, error_model="numpy")
def rotation_matrices(orientation):
    """Matrices (B, 3, 3) of unit quaternions (B, 4)."""
    R = np.empty((orientation.shape[0], 3, 3))
    for k in range(orientation.shape[0]):
        w, x, y, z = orientation[k, 0], orientation[k, 1], orientation[k, 2], orientation[k, 3]
        R[k, 0, 0] = 1.0 - 2.0 * (y * y + z * z)
        R[k, 0, 1] = 2.0 * (x * y - w * z)
        R[k, 0, 2] = 2.0 * (x * z + w * y)
        R[k, 1, 0] = 2.0 * (x * y + w * z)
        R[k, 1, 1] = 1.0 - 2.0 * (x * x + z * z)
        R[k, 1, 2] = 2.0 * (y * z - w * x)
        R[k, 2, 0] = 2.0 * (x * z - w * y)
        R[k, 2, 1] = 2.0 * (y * z + w * x)
        R[k, 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    return R


@inner
def half_sinc(angle):
    """sin(angle / 2) / angle, without the 0/0 at rest."""
    if angle < 1e-4:  # the next term of the series, angle^4/3840, is below 1e-19
        return 0.5 - angle * angle / 48.0
    return math.sin(0.5 * angle) / angle


@njit(cache=True, nogil=True, error_model="numpy")
def rotated(orientation, omega, h):
    """Orientations after turning with constant angular velocity `omega` [rad/s] (B, 3) for `h` [s].

    q(h) = exp(h omega / 2) q: exact for a constant omega, whatever the angle. The product is normalised, so that the
    norm cannot drift over many steps.
    """
    turned = np.empty_like(orientation)
    for k in range(orientation.shape[0]):
        x, y, z = omega[k, 0] * h, omega[k, 1] * h, omega[k, 2] * h
        angle = math.sqrt(x * x + y * y + z * z)
        s = half_sinc(angle)
        w, x, y, z = math.cos(0.5 * angle), s * x, s * y, s * z
        a, b, c, d = orientation[k, 0], orientation[k, 1], orientation[k, 2], orientation[k, 3]
        q0 = w * a - x * b - y * c - z * d
        q1 = w * b + x * a + y * d - z * c
        q2 = w * c - x * d + y * a + z * b
        q3 = w * d + x * c - y * b + z * a
        scale = 1.0 / math.sqrt(q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3)
        turned[k, 0], turned[k, 1], turned[k, 2], turned[k, 3] = q0 * scale, q1 * scale, q2 * scale, q3 * scale
    return turned
