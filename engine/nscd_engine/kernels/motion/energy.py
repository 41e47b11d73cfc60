"""Energies of a step."""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.core.structs import Contacts
from nscd_engine.kernels.motion.moreau_jean import point_velocity

#: Rows of the energies of a step.
FRICTION, IMPACT, WORK, POTENTIAL, SCHEME = range(5)


class External(NamedTuple):
    """External forces of a step."""

    gravity: np.ndarray  # [m/s2] (3,)
    load: np.ndarray  # [N, N m] (B, 6)
    h: float  # [s] length of the step


class Exchange(NamedTuple):
    """Contact impulses of a step and the motion that they go with. B blocks, C contacts."""

    contacts: Contacts
    arm: np.ndarray  # [m] (C, 2, 3)
    impulses: np.ndarray  # [N s] (C, 3): in the contact frames
    before: np.ndarray  # [m/s, rad/s] (B, 6): velocities before the impulses, of supports as they move in the step
    after: np.ndarray  # [m/s, rad/s] (B, 6): velocities after them
    displacement: np.ndarray  # [m] (B, 3): of the centroids in the step


@njit(cache=True, nogil=True)
def energies_of_step(bodies, exchange, external):
    """Friction loss, impact loss, work, change of potential energy, loss of the scheme (5,) [J] of a step.

    The kinetic energy changes by gamma . J (v- + v+)/2 exactly. J v is the relative velocity of the free bodies alone:
    the part of moving supports is work.
    """
    contacts, impulses, free, h = exchange.contacts, exchange.impulses, bodies.free, external.h
    total, mean = np.zeros(5), 0.5 * (exchange.before + exchange.after)
    for c in range(impulses.shape[0]):
        g_n, g_1, g_2, f = impulses[c, 0], impulses[c, 1], impulses[c, 2], contacts.frame[c]
        if g_n == 0.0 and g_1 == 0.0 and g_2 == 0.0:
            continue
        x = g_n * f[0, 0] + g_1 * f[1, 0] + g_2 * f[2, 0]
        y = g_n * f[0, 1] + g_1 * f[1, 1] + g_2 * f[2, 1]
        z = g_n * f[0, 2] + g_1 * f[1, 2] + g_2 * f[2, 2]
        done = pressed = 0.0  # work of the impulse, and of its normal component
        for side in range(2):
            sign, i = 2.0 * side - 1.0, contacts.body[c, side]
            u, v, w = point_velocity(mean[i], exchange.arm[c, side])
            power = sign * (x * u + y * v + z * w)
            done += power
            pressed += sign * g_n * (f[0, 0] * u + f[0, 1] * v + f[0, 2] * w)
            if free[i] < 0:
                total[WORK] -= power
        total[FRICTION] -= done - pressed
        total[IMPACT] -= pressed
    for b in range(free.shape[0]):
        if free[b] < 0:
            continue
        for k in range(6):
            total[WORK] += h * external.load[b, k] * mean[b, k]
        for k in range(3):
            weight, moved = bodies.mass[b] * external.gravity[k], exchange.displacement[b, k]
            total[POTENTIAL] -= weight * moved
            total[SCHEME] += weight * (moved - h * mean[b, k])
    return total
