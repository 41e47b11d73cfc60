"""Contacts in world axes from material points of moving blocks."""

import math

import numpy as np
from numba import njit

from nscd_engine.core.structs import Contacts
from nscd_engine.kernels.geometry.hull import along
from nscd_engine.kernels.geometry.separating_axis import FACE_A, FACE_B
from nscd_engine.kernels.jit import inner


@inner
def tangent(x, y, z, axis):
    """Unit vector perpendicular to n = (x, y, z): axis x n in a planar model, else e x n.

    e is the coordinate axis that is farthest from n.
    """
    ax, ay, az = axis[0], axis[1], axis[2]
    if ax * ax + ay * ay + az * az == 0.0:
        if abs(x) <= abs(y) and abs(x) <= abs(z):
            ax = 1.0
        elif abs(y) <= abs(z):
            ay = 1.0
        else:
            az = 1.0
    tx, ty, tz = ay * z - az * y, az * x - ax * z, ax * y - ay * x
    scale = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz)
    return tx * scale, ty * scale, tz * scale


@inner
def fill_frame(R, b, normal, k, axis, frame, c):
    """Frame c with rows n, t1, t2 from normal k in the axes of block b.

    t1 is chosen in the axes of the block, so that it turns with the block.
    """
    x, y, z = normal[k, 0], normal[k, 1], normal[k, 2]
    u, v, w = tangent(x, y, z, axis)
    for i in range(3):
        frame[c, 0, i] = R[b, i, 0] * x + R[b, i, 1] * y + R[b, i, 2] * z
        frame[c, 1, i] = R[b, i, 0] * u + R[b, i, 1] * v + R[b, i, 2] * w
    for i in range(3):
        j, m = (i + 1) % 3, (i + 2) % 3
        frame[c, 2, i] = frame[c, 0, j] * frame[c, 1, m] - frame[c, 0, m] * frame[c, 1, j]


@njit(cache=True, nogil=True, error_model="numpy")
def place(parts, poses, pairs, mu, axis):
    """Contacts in the order of the pairs.

    Parameters
    ----------
    parts : ConvexParts
    poses : Poses
    pairs : Pairs
    mu : array (K,)
        Friction coefficients of the pairs [-].
    axis : array (3,)
        Axis of a planar model, zero in space.
    """
    count = pairs.key.shape[0]
    body, point, frame = np.empty((count, 2), np.int32), np.empty((count, 3)), np.empty((count, 3, 3))
    gap, friction = np.empty(count), np.empty(count)
    R, position = poses.rotation, poses.position
    for k in range(pairs.part.shape[0]):
        a, b = parts.block[pairs.part[k, 0]], parts.block[pairs.part[k, 1]]
        begin, end = pairs.begin[k], pairs.begin[k] + pairs.count[k]
        for c in range(begin, end):
            body[c, 0], body[c, 1] = a, b
            friction[c] = mu[k]
            if c == begin:
                fill_frame(R, b if pairs.kind[k] == FACE_B else a, pairs.normal, k, axis, frame, c)
            # The contact point is on the incident block; its projection slides over the reference face.
            share = 1.0 if pairs.kind[k] == FACE_A else 0.0 if pairs.kind[k] == FACE_B else 0.5
            g = 0.0
            for i in range(3):
                for j in range(3):
                    frame[c, i, j] = frame[begin, i, j]
                on_a = along(pairs.on_a, c, R[a, i, 0], R[a, i, 1], R[a, i, 2])
                on_b = along(pairs.on_b, c, R[b, i, 0], R[b, i, 1], R[b, i, 2])
                g += frame[begin, 0, i] * ((position[b, i] - position[a, i]) + (on_b - on_a))
                point[c, i] = (1.0 - share) * (position[a, i] + on_a) + share * (position[b, i] + on_b)
            for i in range(3):
                point[c, i] -= (share - 0.5) * g * frame[begin, 0, i]
            # Initial overlap of the model is not corrected; only penetration beyond it is.
            gap[c] = min(g + pairs.slack[k], 0.0) if g < 0.0 else g
    return Contacts(body, point, frame, gap, friction, pairs.key)
