"""Orientations as unit quaternions (w, x, y, z); body axes to world axes. Angular velocities are in world axes."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner

#: Greatest angle of one Runge-Kutta step of a freely spinning body [rad]. Larger: energy drifts. Smaller: more work.
PHASE = 0.1
#: Most Runge-Kutta steps in one time step [-]. Larger: bodies that spin very fast slow the analysis down. Smaller:
#: their orientation is inaccurate.
MOST_PHASES = 1000.0


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
    """sin(angle / 2) / angle, also for angle = 0."""
    if angle < 1e-4:  # the next term of the series, angle^4/3840, is below 1e-19
        return 0.5 - angle * angle / 48.0
    return math.sin(0.5 * angle) / angle


@njit(cache=True, nogil=True, error_model="numpy")
def rotated(orientation, omega, h):
    """Orientations (B, 4) after rotation with constant angular velocity `omega` [rad/s] (B, 3) for `h` [s].

    q(h) = exp(h omega / 2) q is exact for a constant omega and any angle. The product is normalised: its norm cannot
    drift.
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


@inner
def inverse_of(J):
    """(xx, yy, zz, xy, xz, yz) of the inverse of a symmetric matrix J (3, 3)."""
    xx, yy, zz, xy, xz, yz = J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    s = 1.0 / (xx * a + xy * b + xz * c)
    return s * a, s * (xx * zz - xz * xz), s * (xx * yy - xy * xy), s * b, s * c, s * (xy * xz - xx * yz)


@inner
def spinning(q, K, L):
    """dq/dt of a body with angular momentum L in world axes and inverse inertia K in body axes."""
    (w, x, y, z), (p, r, s) = q, L
    l_x = (1.0 - 2.0 * (y * y + z * z)) * p + 2.0 * (x * y + w * z) * r + 2.0 * (x * z - w * y) * s
    l_y = 2.0 * (x * y - w * z) * p + (1.0 - 2.0 * (x * x + z * z)) * r + 2.0 * (y * z + w * x) * s
    l_z = 2.0 * (x * z + w * y) * p + 2.0 * (y * z - w * x) * r + (1.0 - 2.0 * (x * x + y * y)) * s
    a = 0.5 * (K[0] * l_x + K[3] * l_y + K[4] * l_z)
    b = 0.5 * (K[3] * l_x + K[1] * l_y + K[5] * l_z)
    c = 0.5 * (K[4] * l_x + K[5] * l_y + K[2] * l_z)
    return -x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a


@inner
def further(q, k, s):
    """q + s k."""
    return q[0] + s * k[0], q[1] + s * k[1], q[2] + s * k[2], q[3] + s * k[3]


@inner
def turned_freely(q, K, L, h):
    """Quaternion q of a body after h [s] without torque: L [N m s] is constant, K as of `inverse_of`.

    Fourth-order Runge-Kutta steps of at most PHASE.
    """
    rate = math.sqrt(L[0] * L[0] + L[1] * L[1] + L[2] * L[2]) * (K[0] + K[1] + K[2])
    steps = 1 + int(min(h * rate / PHASE, MOST_PHASES))
    s = h / steps
    for _ in range(steps):
        k_1 = spinning(q, K, L)
        k_2 = spinning(further(q, k_1, 0.5 * s), K, L)
        k_3 = spinning(further(q, k_2, 0.5 * s), K, L)
        k_4 = spinning(further(q, k_3, s), K, L)
        q = further(further(further(further(q, k_1, s / 6.0), k_2, s / 3.0), k_3, s / 3.0), k_4, s / 6.0)
        scale = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        q = scale * q[0], scale * q[1], scale * q[2], scale * q[3]
    return q
