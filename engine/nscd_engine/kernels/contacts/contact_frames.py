"""Contacts in world axes from material points of moving blocks."""

import math

import numpy as np
from numba import njit

from nscd_engine.core.structs import Contacts
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


@inner
def rotation_rows(R, b):
    """The nine numbers of rotation b of R (B, 3, 3), by rows."""
    return R[b, 0, 0], R[b, 0, 1], R[b, 0, 2], R[b, 1, 0], R[b, 1, 1], R[b, 1, 2], R[b, 2, 0], R[b, 2, 1], R[b, 2, 2]


@inner
def turned(R, x, c):
    """Vector c of x (C, 3), turned by the rotation R, nine numbers."""
    u, v, w = x[c, 0], x[c, 1], x[c, 2]
    return R[0] * u + R[1] * v + R[2] * w, R[3] * u + R[4] * v + R[5] * w, R[6] * u + R[7] * v + R[8] * w


@inner
def place_patch(poses, pairs, k, blocks, frame, point, gap):
    """Points and gaps of the contacts of pair k, whose blocks are given, in the frame of the first of them.

    What they share is read once: a compiler does not know that the arrays do not overlap.
    """
    (a, b), at, kind = blocks, pairs.begin[k], pairs.kind[k]
    R, x, on_a, on_b = poses.rotation, poses.position, pairs.on_a, pairs.on_b
    A, B = rotation_rows(R, a), rotation_rows(R, b)
    p, q, r, u, v, w = x[a, 0], x[a, 1], x[a, 2], x[b, 0], x[b, 1], x[b, 2]
    n_0, n_1, n_2, slack = frame[at, 0, 0], frame[at, 0, 1], frame[at, 0, 2], pairs.slack[k]
    # The contact point is on the incident block; its projection slides over the reference face.
    share = 1.0 if kind == FACE_A else 0.0 if kind == FACE_B else 0.5
    for c in range(at, at + pairs.count[k]):
        a_0, a_1, a_2 = turned(A, on_a, c)
        b_0, b_1, b_2 = turned(B, on_b, c)
        g = n_0 * ((u - p) + (b_0 - a_0)) + n_1 * ((v - q) + (b_1 - a_1)) + n_2 * ((w - r) + (b_2 - a_2))
        back = (share - 0.5) * g
        point[c, 0] = (1.0 - share) * (p + a_0) + share * (u + b_0) - back * n_0
        point[c, 1] = (1.0 - share) * (q + a_1) + share * (v + b_1) - back * n_1
        point[c, 2] = (1.0 - share) * (r + a_2) + share * (w + b_2) - back * n_2
        # Initial overlap of the model is not corrected; only penetration beyond it is.
        gap[c] = min(g + slack, 0.0) if g < 0.0 else g


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
    for k in range(pairs.part.shape[0]):
        if pairs.count[k] > 0:
            a, b = parts.block[pairs.part[k, 0]], parts.block[pairs.part[k, 1]]
            begin, end = pairs.begin[k], pairs.begin[k] + pairs.count[k]
            fill_frame(poses.rotation, b if pairs.kind[k] == FACE_B else a, pairs.normal, k, axis, frame, begin)
            place_patch(poses, pairs, k, (a, b), frame, point, gap)
            for c in range(begin, end):
                body[c, 0], body[c, 1], friction[c] = a, b, mu[k]
                for i in range(3):
                    for j in range(3):
                        frame[c, i, j] = frame[begin, i, j]
    return Contacts(body, point, frame, gap, friction, pairs.key)
