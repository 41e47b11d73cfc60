"""Bounding boxes of moving parts, enlarged by a clearance so that they hold for many steps."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.contacts.persistent_pairs import AHEAD, angle_bound, turn_from
from nscd_engine.kernels.geometry.hull import along
from nscd_engine.kernels.jit import inner


@inner
def own_speed(velocity, b, reach):
    """Upper bound of the speed [m/s] of points at most `reach` [m] from the centroid of block b."""
    linear = spin = 0.0
    for i in range(3):
        linear += velocity[b, i] ** 2
        spin += velocity[b, 3 + i] ** 2
    return math.sqrt(linear) + math.sqrt(spin) * reach


@njit(cache=True, nogil=True, error_model="numpy")
def part_boxes(parts, poses, room, duration):
    """Boxes of the parts with a clearance: `room` [-] times the size, plus the motion of `duration` [s] at the present
    speed.

    Returns
    -------
    lower, upper : arrays (P, 3)
        Corners [m].
    rooms : array (P,)
        Clearances [m].
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
    """Whether every part stays in its box for a step of h [s].

    Parameters
    ----------
    parts : ConvexParts
    home, poses : Poses
        When the boxes were made, and now.
    rooms : array (P,)
        Clearances of the boxes [m].
    margin : float
        Height over the size [-] up to which contact points are kept; it has to fit in the box as well.
    h : float
        Time step [s].
    """
    for p in range(parts.block.shape[0]):
        b = parts.block[p]
        shifted = 0.0
        for i in range(3):
            shifted += (poses.position[b, i] - home.position[b, i]) ** 2
        _, x, y, z = turn_from(home.orientation, b, poses.orientation, b)
        displacement = math.sqrt(shifted) + angle_bound(x, y, z) * parts.reach[p]
        displacement += margin * parts.size[p] + AHEAD * h * own_speed(poses.velocity, b, parts.reach[p])
        if displacement > rooms[p]:
            return False
    return True
