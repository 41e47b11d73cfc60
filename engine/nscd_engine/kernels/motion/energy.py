"""What a step of the motion did: energies, and who has moved how far."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.motion.moreau_jean import point_velocity

#: Place of what the time step swallows among the energies of a step.
SCHEME = 4


@njit(cache=True, nogil=True)
def energies_of_step(contacts, arm, before, after, impulses, free, way, mass, gravity, load, h):
    """[friction, impact, work, potential, scheme] (5,) [J] of a step in which the bodies went by `way` (B, 3).

    The kinetic energy changes by gamma . J (v- + v+)/2 exactly. J v is the relative velocity without that of supports,
    whose part is work that they bring in.
    """
    total, mean = np.zeros(5), 0.5 * (before + after)
    for c in range(impulses.shape[0]):
        g_n, g_1, g_2, f = impulses[c, 0], impulses[c, 1], impulses[c, 2], contacts.frame[c]
        if g_n == 0.0 and g_1 == 0.0 and g_2 == 0.0:
            continue
        x = g_n * f[0, 0] + g_1 * f[1, 0] + g_2 * f[2, 0]
        y = g_n * f[0, 1] + g_1 * f[1, 1] + g_2 * f[2, 1]
        z = g_n * f[0, 2] + g_1 * f[1, 2] + g_2 * f[2, 2]
        done = pressed = 0.0  # by the impulse, and by its part along the normal
        for side in range(2):
            sign, i = 2.0 * side - 1.0, contacts.body[c, side]
            u, v, w = point_velocity(mean[i], arm[c, side])
            power = sign * (x * u + y * v + z * w)
            done += power
            pressed += sign * g_n * (f[0, 0] * u + f[0, 1] * v + f[0, 2] * w)
            if free[i] < 0:
                total[2] -= power
        total[0] -= done - pressed
        total[1] -= pressed
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
