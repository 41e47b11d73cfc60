"""Boxes around moving parts, drawn with room so that they last for many steps."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.contacts.persistent_pairs import angle_bound, turn_from
from nscd_engine.kernels.geometry.hull import along
from nscd_engine.kernels.jit import inner


@inner
def own_speed(velocity, b, reach):
    """Bound of the speed [m/s] of a point at most `reach` from the centroid of block b."""
    linear = spin = 0.0
    for i in range(3):
        linear += velocity[b, i] ** 2
        spin += velocity[b, 3 + i] ** 2
    return math.sqrt(linear) + math.sqrt(spin) * reach


@njit(cache=True, nogil=True, error_model="numpy")
def part_boxes(parts, poses, room, duration):
    """Lower and upper corners (P, 3) of boxes with room [-] of the size and for `duration` [s] at the present speed.

    Returns the room [m] (P,) of each as well.
    """
    count = parts.block.shape[0]
    lower, upper, rooms = np.empty((count, 3)), np.empty((count, 3)), np.empty(count)
    for p in range(count):
        b = parts.block[p]
        rooms[p] = room * parts.size[p] + duration * own_speed(poses.velocity, b, parts.reach[p])
        beyond = rooms[p] + parts.radius[p]
        for i in range(3):
            x, y, z = poses.rotation[b, i, 0], poses.rotation[b, i, 1], poses.rotation[b, i, 2]
            low, high = np.inf, -np.inf
            for k in range(parts.vertex_start[p], parts.vertex_start[p + 1]):
                d = along(parts.vertices, k, x, y, z)
                low, high = min(low, d), max(high, d)
            lower[p, i] = poses.position[b, i] + low - beyond
            upper[p, i] = poses.position[b, i] + high + beyond
    return lower, upper, rooms


@njit(cache=True, nogil=True, error_model="numpy")
def room_left(parts, home, poses, rooms, margin, h):
    """Whether every part stays in its box, with its margin and the way of a step of h [s], since the poses `home`."""
    for p in range(parts.block.shape[0]):
        b = parts.block[p]
        shifted = 0.0
        for i in range(3):
            shifted += (poses.position[b, i] - home.position[b, i]) ** 2
        _, x, y, z = turn_from(home.orientation, b, poses.orientation, b)
        way = math.sqrt(shifted) + angle_bound(x, y, z) * parts.reach[p]
        way += margin * parts.size[p] + 1.5 * h * own_speed(poses.velocity, b, parts.reach[p])
        if way > rooms[p]:
            return False
    return True
