"""Contacts at the nodes of element faces, between the corners of the patches that detection finds."""

import math

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.motion.torsion import patch_end

#: Distance of a node from a corner of the patch or from another node, over the size of the block, up to which they are
#: one point [-]. Larger: nodes of fine meshes are lost. Smaller: where equal meshes have slid a little, every contact
#: is there twice, and how two share a force is not to be told.
NEAR = 5e-3
#: Distance of the node of a face from the plane of the patch, over the size, beyond the gaps of its corners, and from
#: its outline [-].
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


@inner
def in_patch(contacts, begin, place, planar, axis):
    """Coordinates of a place (3,) [m] from the first contact of a patch: along its normal and two tangents.

    In planar models the first tangent is that in the plane, and the second coordinate 0.
    """
    frame, origin = contacts.frame[begin], contacts.point[begin]
    t, s = frame[1], frame[2]
    if planar and abs(t[0] * axis[0] + t[1] * axis[1] + t[2] * axis[2]) > 0.5:
        t, s = frame[2], frame[1]
    x, y, z = place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]
    off = frame[0, 0] * x + frame[0, 1] * y + frame[0, 2] * z
    across = 0.0 if planar else s[0] * x + s[1] * y + s[2] * z
    return off, t[0] * x + t[1] * y + t[2] * z, across


@inner
def is_near(a, b, x, y, near):
    """Whether the point a, b is within `near` [m] of one of the points x, y (n,)."""
    for k in range(x.shape[0]):
        if math.hypot(a - x[k], b - y[k]) < near:
            return True
    return False


@inner
def world_place(poses, block, arm):
    """Place (3,) [m] of a point of a block; arm (3,) in its axes."""
    position, rotation = poses
    place = np.empty(3)
    for k in range(3):
        r = rotation[block, k]
        place[k] = position[block, k] + r[0] * arm[0] + r[1] * arm[1] + r[2] * arm[2]
    return place


@inner
def patch_nodes(contacts, begin, end, poses, faces, least, axis, out):
    """Write contacts at nodes in the patch of contacts begin:end into out; their number.

    `out` are points (k, 3), gaps (k,) and nodes (k,); `faces` are `start` and `arm` as of `nodes_between`; `least` [m]
    is the size of the smaller block.
    """
    (start, arm), (point, gap, node) = faces, out
    planar = axis[0] != 0.0 or axis[1] != 0.0 or axis[2] != 0.0
    corners = end - begin
    x, y, plane = np.empty(corners + point.shape[0]), np.empty(corners + point.shape[0]), np.empty(5)
    reach = FLAT * least
    for c in range(corners):
        _, x[c], y[c] = in_patch(contacts, begin, contacts.point[begin + c], planar, axis)
        reach = max(reach, FLAT * least + abs(contacts.gap[begin + c]))
    if corners < (2 if planar else 3) or not affine(x[:corners], y[:corners], contacts.gap[begin:end], plane):
        return 0
    order, count, near = by_angle(x[:corners], y[:corners], plane), 0, NEAR * least
    for side in range(2):
        block = contacts.body[begin, side]
        for n in range(start[block], start[block + 1]):
            place = world_place(poses, block, arm[n])
            off, along, across = in_patch(contacts, begin, place, planar, axis)
            if abs(off) > reach or is_near(along, across, x[: corners + count], y[: corners + count], near):
                continue
            if planar and not x[:corners].min() < along < x[:corners].max():
                continue
            if not planar and not is_inside(along, across, x, y, order, FLAT * least):
                continue
            point[count], node[count] = place, n
            gap[count] = plane[2] + plane[3] * (along - plane[0]) + plane[4] * (across - plane[1])
            x[corners + count], y[corners + count] = along, across
            count += 1
    return count


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
    total, blocks, most = arm.shape[0], start.shape[0] - 1, 0
    begin = 0
    while begin < contacts.gap.shape[0]:
        a, b = contacts.body[begin]
        most += start[a + 1] - start[a] + start[b + 1] - start[b]
        begin = patch_end(contacts, begin)
    point, gap, node = np.empty((most, 3)), np.empty(most), np.empty(most, np.int64)
    key, like, count, begin = np.empty(most, np.int64), np.empty(most, np.int64), 0, 0
    while begin < contacts.gap.shape[0]:
        end = patch_end(contacts, begin)
        a, b = contacts.body[begin]
        found = 0
        number = start[a + 1] - start[a] + start[b + 1] - start[b]
        if number > 0:
            out = point[count : count + number], gap[count : count + number], node[count : count + number]
            found = patch_nodes(contacts, begin, end, poses, (start, arm), min(size[a], size[b]), axis, out)
        for k in range(count, count + found):
            key[k], like[k] = -1 - ((a * blocks + b) * total + node[k]), begin
        count, begin = count + found, end
    return point[:count], gap[:count], key[:count], like[:count]
