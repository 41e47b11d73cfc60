"""Friction of patches that twist in motion takes the power of uniform pressure (docs/methods.md, section 9.1)."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.motion.moreau_jean import relative_between

#: Parts of the sides of a triangle over which speeds are summed [-]: 8 sum |x| over a square to 0.3 %.
PARTS = 8
#: Twice the area of a corner and its neighbours over the square of its distance from the centre, up to which they are
#: in line [-]: 2e-2 of a circle of 24 corners.
FLAT = 1e-6


def _places():
    """Shares (PARTS^2,) of two corners in the centres of equal parts of a triangle; the third is the origin."""
    near, far = [], []
    for a in range(PARTS):
        for b in range(2 * a + 1):  # parts of a strip at equal distance from the origin, pointing either way
            row, along = a + (1.0 / 3.0 if b % 2 else 2.0 / 3.0), b // 2 + (2.0 / 3.0 if b % 2 else 1.0 / 3.0)
            near.append((row - along) / PARTS)
            far.append(along / PARTS)
    return np.array(near), np.array(far)


NEAR, FAR = _places()


@inner
def patch_end(contacts, begin):
    """End of the contacts of one patch, from its first on: the same blocks and the same normal."""
    end = begin + 1
    body, n = contacts.body, contacts.frame
    while end < body.shape[0] and body[end, 0] == body[begin, 0] and body[end, 1] == body[begin, 1]:
        if n[end, 0, 0] != n[begin, 0, 0] or n[end, 0, 1] != n[begin, 0, 1] or n[end, 0, 2] != n[begin, 0, 2]:
            break
        end += 1
    return end


@inner
def mean_speed(x, y, u, v, w):
    """Mean over a polygon about the origin, with corners x, y (n,) in order, of the speed (u, v) + w times (-y, x).

    Sums are kept apart by places in a triangle, so that processors take several roots at once.
    """
    total, area, n = np.zeros(PARTS * PARTS), 0.0, x.shape[0]
    for k in range(n):
        j = (k + 1) % n
        x_0, y_0, x_1, y_1 = x[k], y[k], x[j], y[j]
        size = abs(x_0 * y_1 - x_1 * y_0)
        for i in range(PARTS * PARTS):
            p = u - w * (NEAR[i] * y_0 + FAR[i] * y_1)
            q = v + w * (NEAR[i] * x_0 + FAR[i] * x_1)
            total[i] += size * math.sqrt(p * p + q * q)
        area += size
    return total.sum() / (area * PARTS * PARTS) if area > 0.0 else 0.0


@inner
def is_convex(x, y):
    """Whether the points x, y (n,), in order about the origin, are the corners of one convex polygon.

    Feet of a block are patches of their own: their corners lie inside the hull of all, or in line with others.
    """
    n = x.shape[0]
    for k in range(n):
        i, j = (k + n - 1) % n, (k + 1) % n
        turn = (x[k] - x[i]) * (y[j] - y[k]) - (y[k] - y[i]) * (x[j] - x[k])
        if turn <= FLAT * (x[k] * x[k] + y[k] * y[k]):
            return False
    return True


@inner
def patch_factor(contacts, relative, begin, end, slow):
    """Mean speed of a patch under uniform pressure over that of its corners [-]; 1 if it is slower than `slow`, and
    for several patches in a plane.
    """
    n = end - begin
    x, y, fastest = np.zeros(n), np.zeros(n), 0.0
    u, v, at_corners = 0.0, 0.0, 0.0
    for c in range(begin, end):
        for i in range(3):
            d = contacts.point[c, i] - contacts.point[begin, i]
            x[c - begin] += contacts.frame[c, 1, i] * d
            y[c - begin] += contacts.frame[c, 2, i] * d
        speed = math.sqrt(relative[c, 1] * relative[c, 1] + relative[c, 2] * relative[c, 2])
        u, v = u + relative[c, 1] / n, v + relative[c, 2] / n
        at_corners, fastest = at_corners + speed / n, max(fastest, speed)
    if fastest < slow:
        return 1.0
    x -= x.mean()
    y -= y.mean()
    spin = around = 0.0
    for k in range(n):
        spin += x[k] * relative[begin + k, 2] - y[k] * relative[begin + k, 1]
        around += x[k] * x[k] + y[k] * y[k]
    order = np.argsort(np.arctan2(y, x))
    x, y = x[order], y[order]
    if not (around > 0.0 and is_convex(x, y)):
        return 1.0
    return min(mean_speed(x, y, u, v, spin / around) / at_corners, 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def reduce_friction(contacts, arm, velocity, free, least, slow, friction):
    """Multiply the friction (C,) of patches that twist by a factor.

    Parameters
    ----------
    contacts : Contacts
        Points of lasting joints and cables, with keys below 0, are left as they are.
    arm : array (C, 2, 3)
        [m]
    velocity : array (B, 6)
        As the step begins [m/s, rad/s].
    free : array (B,)
    least : int
        Corners from which a patch is treated so [-].
    slow : float
        Greatest speed of its corners up to which a patch sticks [m/s].
    friction : array (C,)
        Changed in place.
    """
    begin, count, relative = 0, friction.shape[0], np.empty((friction.shape[0], 3))
    while begin < count:
        end = patch_end(contacts, begin)
        if end - begin >= least and contacts.key[begin] >= 0:
            relative_between(contacts, arm, velocity, False, free, begin, end, relative)
            factor = patch_factor(contacts, relative, begin, end, slow)
            for c in range(begin, end):
                friction[c] *= factor
        begin = end
