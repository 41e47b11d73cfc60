"""Contacts at the nodes of element faces, between the corners of the patches that detection finds."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.motion.torsion import patch_end

#: Distance of a node from a corner of the patch or from another node, over the size of the block, up to which they are
#: one point [-]. Larger: nodes of fine meshes are lost. Smaller: equal meshes have every contact twice.
NEAR = 1e-5
#: Distance of the node of a face from the plane of the patch, over the size, beyond the gaps of its corners [-].
FLAT = 1e-5


@inner
def affine(x, y, gap, plane):
    """Write mean place, mean gap and slopes of the gaps (n,) at x, y (n,) into plane (5,); False if they are in line.

    If y is 0 throughout, the points are those of a planar model.
    """
    n = x.shape[0]
    plane[0], plane[1], plane[2] = x.mean(), y.mean(), gap.mean()
    xx = xy = yy = xg = yg = 0.0
    for k in range(n):
        a, b, g = x[k] - plane[0], y[k] - plane[1], gap[k] - plane[2]
        xx, xy, yy, xg, yg = xx + a * a, xy + a * b, yy + b * b, xg + a * g, yg + b * g
    if yy == 0.0:
        plane[3], plane[4] = (xg / xx if xx > 0.0 else 0.0), 0.0
        return xx > 0.0
    det = xx * yy - xy * xy
    if det <= 1e-12 * (xx + yy) ** 2:
        return False
    plane[3], plane[4] = (yy * xg - xy * yg) / det, (xx * yg - xy * xg) / det
    return True


@inner
def by_angle(x, y, plane):
    """Order (n,) of the points x, y (n,) about their mean."""
    angle = np.empty(x.shape[0])
    for k in range(x.shape[0]):
        angle[k] = math.atan2(y[k] - plane[1], x[k] - plane[0])
    return np.argsort(angle)


@inner
def is_inside(a, b, x, y, order, near):
    """Whether the point a, b is in the convex polygon of corners x, y (n,), or no further out than `near` [m]."""
    n = order.shape[0]
    for k in range(n):
        i, j = order[k], order[(k + 1) % n]
        dx, dy = x[j] - x[i], y[j] - y[i]
        length = math.hypot(dx, dy)
        if dx * (b - y[i]) - dy * (a - x[i]) < -near * length:
            return False
    return True


@njit(cache=True, nogil=True)
def nodes_between(contacts, poses, start, arm, size, axis):
    """Points (k, 3) [m], gaps (k,) [m] and keys (k,) of contacts at nodes, and the contact (k,) of their patch each.

    Parameters
    ----------
    contacts : Contacts
        Detected between blocks as rigid ones, patch by patch.
    poses : tuple
        Positions (B, 3) [m] and rotations (B, 3, 3) of the blocks.
    start : array (B + 1,)
        Nodes of the faces of block b are start[b]:start[b + 1], without the vertices of the block.
    arm : array (n, 3)
        Of these nodes from the centroids, in the axes of the blocks [m].
    size : array (B,)
        [m]
    axis : array (3,)
        Of a planar model; 0 in space.
    """
    position, rotation = poses
    total, blocks = arm.shape[0], start.shape[0] - 1
    point, gap = np.empty((16, 3)), np.empty(16)
    key, like = np.empty(16, np.int64), np.empty(16, np.int64)
    count, begin, plane = 0, 0, np.empty(5)
    planar = axis[0] != 0.0 or axis[1] != 0.0 or axis[2] != 0.0
    while begin < contacts.gap.shape[0]:
        end = patch_end(contacts, begin)
        a, b = contacts.body[begin, 0], contacts.body[begin, 1]
        nodes = start[a + 1] - start[a] + start[b + 1] - start[b]
        if nodes == 0 or end - begin < (2 if planar else 3):
            begin = end
            continue
        frame, origin = contacts.frame[begin], contacts.point[begin]
        t, s = frame[1], frame[2]
        if planar and abs(t[0] * axis[0] + t[1] * axis[1] + t[2] * axis[2]) > 0.5:
            t, s = frame[2], frame[1]
        x, y = np.zeros(end - begin), np.zeros(end - begin)
        reach = 0.0
        for c in range(begin, end):
            for k in range(3):
                x[c - begin] += t[k] * (contacts.point[c, k] - origin[k])
                y[c - begin] += 0.0 if planar else s[k] * (contacts.point[c, k] - origin[k])
            reach = max(reach, abs(contacts.gap[c]))
        first, least = count, min(size[a], size[b])
        if not affine(x, y, contacts.gap[begin:end], plane):
            begin = end
            continue
        order = by_angle(x, y, plane)
        for i in (a, b):
            for n in range(start[i], start[i + 1]):
                place = position[i] + rotation[i] @ arm[n]
                off = along = across = 0.0
                for k in range(3):
                    off += frame[0, k] * (place[k] - origin[k])
                    along += t[k] * (place[k] - origin[k])
                    across += 0.0 if planar else s[k] * (place[k] - origin[k])
                if abs(off) > reach + FLAT * least:
                    continue
                if planar:
                    inside = x.min() < along < x.max()
                else:
                    inside = is_inside(along, across, x, y, order, NEAR * least)
                twin = not inside
                for c in range(x.shape[0]):
                    twin = twin or math.hypot(along - x[c], across - y[c]) < NEAR * least
                for c in range(first, count):
                    d = point[c] - place
                    d = d - (d[0] * frame[0, 0] + d[1] * frame[0, 1] + d[2] * frame[0, 2]) * frame[0]
                    twin = twin or math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2) < NEAR * least
                if twin:
                    continue
                if count == gap.shape[0]:
                    point, gap = np.concatenate((point, point)), np.concatenate((gap, gap))
                    key, like = np.concatenate((key, key)), np.concatenate((like, like))
                point[count], like[count] = place, begin
                gap[count] = plane[2] + plane[3] * (along - plane[0]) + plane[4] * (across - plane[1])
                key[count] = -1 - ((a * blocks + b) * total + n)
                count += 1
        begin = end
    return point[:count], gap[:count], key[:count], like[:count]
