"""The parts of a time step around its contact problem (METHODS M5), body by body and contact by contact."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.rotations import rotated, rotation_matrices


@njit(cache=True, nogil=True)
def world_inertia(orientation, inertia, free):
    """Inertias [kg m2] (N, 3, 3) of the free bodies in world axes."""
    count = 0
    for b in range(free.shape[0]):
        count = max(count, free[b] + 1)
    turned, R = np.empty((count, 3, 3)), rotation_matrices(orientation)
    for b in range(free.shape[0]):
        if free[b] >= 0:
            turned[free[b]] = R[b] @ inertia[b] @ R[b].T
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


@njit(cache=True, nogil=True)
def point_velocity(v, arm, out):
    """v + w x arm of a body with velocity v (6,)."""
    out[0] = v[0] + v[4] * arm[2] - v[5] * arm[1]
    out[1] = v[1] + v[5] * arm[0] - v[3] * arm[2]
    out[2] = v[2] + v[3] * arm[1] - v[4] * arm[0]


@njit(cache=True, nogil=True)
def arms(contacts, position, axis):
    """From the centroids to the contact points [m] (C, 2, 3); in the plane square to `axis` unless that is 0."""
    arm = np.empty((contacts.gap.shape[0], 2, 3))
    for c in range(arm.shape[0]):
        for side in range(2):
            along = 0.0
            for k in range(3):
                arm[c, side, k] = contacts.point[c, k] - position[contacts.body[c, side], k]
                along += arm[c, side, k] * axis[k]
            for k in range(3):
                arm[c, side, k] -= along * axis[k]
    return arm


@njit(cache=True, nogil=True)
def relative_to(contacts, arm, velocity, only_supports, free, u):
    """Velocity of b against a at the contacts [m/s] (C, 3) in their frames; of supports alone if asked."""
    a, b = np.empty(3), np.empty(3)
    for c in range(u.shape[0]):
        i, j = contacts.body[c]
        a[:], b[:] = 0.0, 0.0
        if not only_supports or free[i] < 0:
            point_velocity(velocity[i], arm[c, 0], a)
        if not only_supports or free[j] < 0:
            point_velocity(velocity[j], arm[c, 1], b)
        for k in range(3):
            f = contacts.frame[c, k]
            u[c, k] = f[0] * (b[0] - a[0]) + f[1] * (b[1] - a[1]) + f[2] * (b[2] - a[2])


@njit(cache=True, nogil=True)
def add_gaps(contacts, size, fall, h, recovery, recovery_speed, slop, bias):
    """Add to the bias what gaps allow, gap / h, and what pushes overlaps out, bounded: u_n >= -bias.

    Gaps and overlaps below `slop` times the size count as none.
    """
    for c in range(bias.shape[0]):
        least = min(size[contacts.body[c, 0]], size[contacts.body[c, 1]])
        gap = contacts.gap[c]
        if gap > slop * least:
            bias[c, 0] += gap / h
        elif gap < -slop * least:
            gap += slop * least
            most = recovery_speed * math.sqrt(-2.0 * max(fall, least) * gap)
            bias[c, 0] -= min(-recovery * gap / h, most)


@njit(cache=True, nogil=True)
def end_of_step(position, orientation, velocity, h):
    """Positions and orientations after moving with a constant velocity (B, 6) for h [s]."""
    moved = np.empty_like(position)
    for b in range(position.shape[0]):
        for k in range(3):
            moved[b, k] = position[b, k] + h * velocity[b, k]
    return moved, rotated(orientation, np.ascontiguousarray(velocity[:, 3:]), h)


@njit(cache=True, nogil=True)
def conserve_spin(velocity, before, after, free):
    """Turn angular velocities with the bodies: I w is the same `before` and `after`. Loss of kinetic energy [J]."""
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
    return loss


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


@njit(cache=True, nogil=True)
def contact_losses(contacts, arm, before, after, impulses, free):
    """What impulses take from the motion [J]: friction, impact, and what they bring in from moving supports.

    The kinetic energy changes by gamma . J (v- + v+)/2 exactly; J v is the relative velocity without that of supports.
    """
    mean = 0.5 * (before + after)
    u, driven = np.empty_like(impulses), np.empty_like(impulses)
    relative_to(contacts, arm, mean, False, free, u)
    relative_to(contacts, arm, mean, True, free, driven)
    friction = impact = work = 0.0
    for c in range(impulses.shape[0]):
        impact -= impulses[c, 0] * u[c, 0]
        friction -= impulses[c, 1] * u[c, 1] + impulses[c, 2] * u[c, 2]
        for k in range(3):
            work -= impulses[c, k] * driven[c, k]
    return friction, impact, work
