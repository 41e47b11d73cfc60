"""The parts of a time step around its contact problem (docs/methods.md, section 5), by bodies and by contacts."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.core.structs import Problem
from nscd_engine.kernels.geometry.rotations import inverse_of, rotated, rotation_matrices, turned_freely
from nscd_engine.kernels.jit import inner

#: Rotation in a step below which a constant angular velocity is exact enough [rad]. Larger: the energy of slender
#: bodies grows. Smaller: more work for bodies that hardly turn.
SLOW = 1e-5


class GapRules(NamedTuple):
    """How gaps and overlaps enter the bias of a step."""

    fall: float  # [m/s2] gravity
    h: float  # [s] part of the step that follows the detection of contacts
    recovery: float  # [-] share of an overlap that is removed in one step
    recovery_speed: float  # [-] bound of its speed over that of a fall from the depth of the overlap
    slop: float  # [-] gap or overlap over the size that counts as none


@njit(cache=True, nogil=True)
def world_inertia(orientation, inertia, free):
    """Inertia [kg m2] (N, 3, 3) of the free bodies in world axes."""
    count = 0
    for b in range(free.shape[0]):
        count = max(count, free[b] + 1)
    turned, R, half = np.zeros((count, 3, 3)), rotation_matrices(orientation), np.empty((3, 3))
    for b in range(free.shape[0]):
        if free[b] < 0:
            continue
        J = inertia[b]
        for i in range(3):
            for k in range(3):
                half[i, k] = R[b, i, 0] * J[0, k] + R[b, i, 1] * J[1, k] + R[b, i, 2] * J[2, k]
        for i in range(3):
            for k in range(i + 1):
                value = half[i, 0] * R[b, k, 0] + half[i, 1] * R[b, k, 1] + half[i, 2] * R[b, k, 2]
                turned[free[b], i, k] = turned[free[b], k, i] = value
    return turned


@njit(cache=True, nogil=True)
def solve_spd(A, x, y):
    """y = A^-1 x for a symmetric 3x3 matrix."""
    c00 = A[1, 1] * A[2, 2] - A[1, 2] * A[1, 2]
    c01 = A[0, 2] * A[1, 2] - A[0, 1] * A[2, 2]
    c02 = A[0, 1] * A[1, 2] - A[0, 2] * A[1, 1]
    c11 = A[0, 0] * A[2, 2] - A[0, 2] * A[0, 2]
    c22 = A[0, 0] * A[1, 1] - A[0, 1] * A[0, 1]
    c12 = A[0, 1] * A[0, 2] - A[0, 0] * A[1, 2]
    scale = 1.0 / (A[0, 0] * c00 + A[0, 1] * c01 + A[0, 2] * c02)
    a, b, c = x[0], x[1], x[2]
    y[0] = scale * (c00 * a + c01 * b + c02 * c)
    y[1] = scale * (c01 * a + c11 * b + c12 * c)
    y[2] = scale * (c02 * a + c12 * b + c22 * c)


@njit(cache=True, nogil=True)
def free_velocities(velocity, mass, inertia, free, gravity, load, h):
    """Velocity [m/s, rad/s] (B, 6) at the end of the step without contacts; 0 for supports."""
    out, spin = np.zeros_like(velocity), np.empty(3)
    for b in range(free.shape[0]):
        if free[b] < 0:
            continue
        solve_spd(inertia[free[b]], load[b, 3:], spin)
        for k in range(3):
            out[b, k] = velocity[b, k] + h * (gravity[k] + load[b, k] / mass[b])
            out[b, 3 + k] = velocity[b, 3 + k] + h * spin[k]
    return out


@inner
def point_velocity(v, arm):
    """v + w x arm of a body with velocity v (6,)."""
    return (
        v[0] + v[4] * arm[2] - v[5] * arm[1],
        v[1] + v[5] * arm[0] - v[3] * arm[2],
        v[2] + v[3] * arm[1] - v[4] * arm[0],
    )


@njit(cache=True, nogil=True)
def pose(bodies, contacts, position, axis, moving, inertia, gaps):
    """The Problem of a step of rigid joints, with the friction of the contacts.

    Arms are from the centroids to the points, in the plane normal to `axis` unless that is 0. The bias is the velocity
    of the supports at the contacts and the velocity that gaps allow. `moving` (B, 6) are the velocities without
    contacts, of supports as prescribed; `inertia` (N, 3, 3) is in world axes; `gaps` are the GapRules.
    """
    count, free, size = contacts.gap.shape[0], bodies.free, bodies.size
    body, arm, bias = np.empty((count, 2), np.int32), np.empty((count, 2, 3)), np.zeros((count, 3))
    mass, v_free = np.empty(inertia.shape[0]), np.empty((inertia.shape[0], 6))
    for b in range(free.shape[0]):
        if free[b] >= 0:
            mass[free[b]], v_free[free[b]] = bodies.mass[b], moving[b]
    blocks, point, frame, gap = contacts.body, contacts.point, contacts.frame, contacts.gap
    planar = axis[0] != 0.0 or axis[1] != 0.0 or axis[2] != 0.0
    for c in range(count):
        for side in range(2):
            i = blocks[c, side]
            body[c, side] = free[i]
            p, q, r = point[c, 0] - position[i, 0], point[c, 1] - position[i, 1], point[c, 2] - position[i, 2]
            if planar:
                along = p * axis[0] + q * axis[1] + r * axis[2]
                p, q, r = p - along * axis[0], q - along * axis[1], r - along * axis[2]
            arm[c, side, 0], arm[c, side, 1], arm[c, side, 2] = p, q, r
            if free[i] < 0:
                sign = 2.0 * side - 1.0
                x, y, z = point_velocity(moving[i], arm[c, side])
                for k in range(3):
                    bias[c, k] += sign * (frame[c, k, 0] * x + frame[c, k, 1] * y + frame[c, k, 2] * z)
        bias[c, 0] += gap_bias(gap[c], min(size[blocks[c, 0]], size[blocks[c, 1]]), gaps)
    rigid = np.zeros((count, 2))
    return Problem(mass, inertia, v_free, body, arm, contacts.frame, bias, contacts.friction, rigid)


@inner
def gap_bias(gap, least, gaps):
    """Bias [m/s] of a gap, u_n >= -bias: gap / h, or minus the bounded velocity that removes an overlap.

    Gaps and overlaps below `slop` times the size `least` count as none; `gaps` are the GapRules.
    """
    fall, h, recovery, recovery_speed, slop = gaps
    if gap > slop * least:
        return gap / h
    if gap < -slop * least:
        gap += slop * least
        return -min(-recovery * gap / h, recovery_speed * math.sqrt(-2.0 * max(fall, least) * gap))
    return 0.0


@inner
def relative_between(contacts, arm, velocity, only_supports, free, first, last, u):
    """`relative_to` of contacts first to last - 1."""
    for c in range(first, last):
        x = y = z = 0.0
        for side in range(2):
            i, sign = contacts.body[c, side], 2.0 * side - 1.0
            if not only_supports or free[i] < 0:
                p, q, r = point_velocity(velocity[i], arm[c, side])
                x, y, z = x + sign * p, y + sign * q, z + sign * r
        for k in range(3):
            f = contacts.frame[c, k]
            u[c, k] = f[0] * x + f[1] * y + f[2] * z


@njit(cache=True, nogil=True)
def relative_to(contacts, arm, velocity, only_supports, free, u):
    """Write the velocity of b relative to a at the contacts, in their frames, into u [m/s] (C, 3).

    With `only_supports` free bodies count as at rest.
    """
    relative_between(contacts, arm, velocity, only_supports, free, 0, u.shape[0], u)


@njit(cache=True, nogil=True, error_model="numpy")
def end_of_step(position, orientation, velocity, h, inertia, own, free):
    """Positions and orientations after moving with a constant velocity (B, 6) for h [s].

    Bodies that turn by more than SLOW keep their angular momentum I w instead of w: with a constant w the energy of
    slender ones would grow from step to step. `inertia` (N, 3, 3) is I in world axes, `own` (B, 3, 3) in body axes,
    `free` (B,) the row of a body in `inertia`, -1 if it turns with w.
    """
    moved = np.empty_like(position)
    turned = rotated(orientation, np.ascontiguousarray(velocity[:, 3:]), h)
    for b in range(position.shape[0]):
        for k in range(3):
            moved[b, k] = position[b, k] + h * velocity[b, k]
        x, y, z = velocity[b, 3], velocity[b, 4], velocity[b, 5]
        if free[b] >= 0 and h * h * (x * x + y * y + z * z) > SLOW * SLOW:
            row, J = orientation[b], inertia[free[b]]
            p = J[0, 0] * x + J[0, 1] * y + J[0, 2] * z
            r = J[1, 0] * x + J[1, 1] * y + J[1, 2] * z
            s = J[2, 0] * x + J[2, 1] * y + J[2, 2] * z
            q = turned_freely((row[0], row[1], row[2], row[3]), inverse_of(own[b]), (p, r, s), h)
            for k in range(4):
                turned[b, k] = q[k]
    return moved, turned


@njit(cache=True, nogil=True)
def conserve_spin(velocity, before, orientation, inertia, free):
    """Update the angular velocities for the new `orientation`, with constant I w; `before` (N, 3, 3) is the old I.

    Returns the new I in world axes (N, 3, 3), and the loss of kinetic energy [J].
    """
    after = world_inertia(orientation, inertia, free)
    momentum, loss = np.empty(3), 0.0
    for b in range(free.shape[0]):
        i = free[b]
        if i < 0:
            continue
        w = velocity[b, 3:]
        for k in range(3):
            momentum[k] = before[i, k, 0] * w[0] + before[i, k, 1] * w[1] + before[i, k, 2] * w[2]
        loss += 0.5 * (momentum[0] * w[0] + momentum[1] * w[1] + momentum[2] * w[2])
        solve_spd(after[i], momentum, w)
        loss -= 0.5 * (momentum[0] * w[0] + momentum[1] * w[1] + momentum[2] * w[2])
    return after, loss


@njit(cache=True, nogil=True)
def kinetic_energy(velocity, mass, inertia, free):
    """[J] of the free bodies; `inertia` (N, 3, 3) in world axes."""
    total = 0.0
    for b in range(free.shape[0]):
        if free[b] < 0:
            continue
        v, w, J = velocity[b, :3], velocity[b, 3:], inertia[free[b]]
        total += 0.5 * mass[b] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        for k in range(3):
            total += 0.5 * w[k] * (J[k, 0] * w[0] + J[k, 1] * w[1] + J[k, 2] * w[2])
    return total
