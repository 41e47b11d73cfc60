"""What a step of the motion did: energies, and who has moved how far."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.inner import inner
from nscd_engine.kernels.stepping import point_velocity


@inner
def add_moved(contacts, c, side, arm, mean, point, u):
    """Add the velocity of a contact point of one body, in the frame of the contact, to u (3,); `point` is scratch."""
    sign = 2.0 * side - 1.0
    point_velocity(mean[contacts.body[c, side]], arm[c, side], point)
    for k in range(3):
        f = contacts.frame[c, k]
        u[k] += sign * (f[0] * point[0] + f[1] * point[1] + f[2] * point[2])


@njit(cache=True, nogil=True)
def energies_of_step(contacts, arm, before, after, impulses, free, way, mass, gravity, load, h):
    """[friction, impact, work, potential, scheme] (5,) [J] of a step in which the bodies went by `way` (B, 3).

    The kinetic energy changes by gamma . J (v- + v+)/2 exactly. J v is the relative velocity without that of supports,
    whose part is work that they bring in.
    """
    total = np.zeros(5)
    mean, point, u, driven = 0.5 * (before + after), np.empty(3), np.empty(3), np.empty(3)
    for c in range(impulses.shape[0]):
        g = impulses[c]
        if g[0] == 0.0 and g[1] == 0.0 and g[2] == 0.0:
            continue
        u[:], driven[:] = 0.0, 0.0
        for side in range(2):
            add_moved(contacts, c, side, arm, mean, point, u)
            if free[contacts.body[c, side]] < 0:
                add_moved(contacts, c, side, arm, mean, point, driven)
        total[0] -= g[1] * u[1] + g[2] * u[2]
        total[1] -= g[0] * u[0]
        total[2] -= g[0] * driven[0] + g[1] * driven[1] + g[2] * driven[2]
    for b in range(free.shape[0]):
        if free[b] < 0:
            continue
        for k in range(6):
            total[2] += h * load[b, k] * mean[b, k]
        for k in range(3):
            total[3] -= mass[b] * gravity[k] * way[b, k]
            total[4] += mass[b] * gravity[k] * (way[b, k] - h * mean[b, k])
    return total


@njit(cache=True, nogil=True)
def ways(position, orientation, centroid, ground, free, size, way, reach):
    """Way of every centroid against the ground [m] (B,), and the same with what its corners turn by, for the free."""
    for b in range(position.shape[0]):
        square = turn = 0.0
        for k in range(3):
            square += (position[b, k] - centroid[b, k] - ground[k]) ** 2
            turn += orientation[b, 1 + k] ** 2
        way[b] = math.sqrt(square)
        reach[b] = way[b] + size[b] * math.asin(min(math.sqrt(turn), 1.0)) if free[b] >= 0 else 0.0


@njit(cache=True, nogil=True)
def note_movements(position, orientation, centroid, ground, free, size, time, shares, settled, moved_at, fallen_at):
    """Write the time into `moved_at`, `fallen_at` (B,) where a block has first gone so far.

    `shares` = (moved, fallen) over the size, in addition to twice what supports moved, of which `settled` [m] is the
    greatest so far. Returns the greatest ways [m] of a support, and of a free block.
    """
    count = free.shape[0]
    way, reach, most = np.empty(count), np.empty(count), 0.0
    ways(position, orientation, centroid, ground, free, size, way, reach)
    for b in range(count):
        if free[b] < 0:
            settled = max(settled, way[b])
        else:
            most = max(most, way[b])
    for b in range(count):
        if reach[b] > shares[0] * size[b] + 2.0 * settled and moved_at[b] == np.inf:
            moved_at[b] = time
        if reach[b] > shares[1] * size[b] + 2.0 * settled and fallen_at[b] == np.inf:
            fallen_at[b] = time
    return settled, most
