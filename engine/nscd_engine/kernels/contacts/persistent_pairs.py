"""Pairs of parts that may touch, with the contacts found last time, stored as material points.

A pair goes through the narrow phase again only when it has moved: the displacement of a point of B in the axes of A is
at most |shift of the centroid| + rotation angle * reach. Until then normal and points move with the blocks. This is
exact for a vertex above a plane.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.contacts.narrow_phase import CORNERS, GRAZE, SNAP, Search, collide, is_twin, key_with
from nscd_engine.kernels.contacts.spheres import hull_sphere, sphere_sphere
from nscd_engine.kernels.geometry.hull import along, hull_of, moved_hull
from nscd_engine.kernels.geometry.separating_axis import FACE_B, NONE, separating_axis
from nscd_engine.kernels.jit import inner

#: Relative motion of a pair with contacts, over the size, after which they are detected again [-]. Larger: patches lag
#: behind sliding blocks. Smaller: more work.
RENEW = 1e-3
#: The same for spheres [-], whose contact points are not fixed to material points. Larger: contacts of rolling spheres
#: lag behind.
RENEW_SPHERE = 1e-12
#: Displacement of a step over that at the present speed that detection looks ahead [-]: blocks accelerate. Larger: more
#: open contacts, and boxes are made anew more often. Smaller: contacts are found a step too late.
AHEAD = 1.5
#: Overlap after the step at the present speeds, over the size, from which corners that are apart make contact [-].
#: Larger: corners penetrate. Smaller: blocks catch on corners that they would graze.
DEEP = 1e-3
#: Component of a unit normal along the axis of a planar model from which blocks meet behind each other [-]. Larger:
#: such pairs get contacts. Smaller: joints that lean out of the plane are lost.
BEHIND = 0.5


class Pairs(NamedTuple):
    """K pairs of parts and the C contacts found between them."""

    part: np.ndarray  # (K, 2) int32: a < b
    shift: np.ndarray  # [m] (K, 3): centroid of B's block in the axes of A's, when last detected
    turn: np.ndarray  # (K, 4): orientation of B's block relative to A's, when last detected
    clear: np.ndarray  # [m] (K,): relative motion up to which there can be no new contact; -1: never detected
    kind: np.ndarray  # (K,) int64: kind of the axis
    normal: np.ndarray  # [-] (K, 3): from A to B, in the axes of the block that has the reference face
    slack: np.ndarray  # [m] (K,): initial overlap of the model; it is not corrected
    begin: np.ndarray  # (K,) int64: first contact
    count: np.ndarray  # (K,) int64: number of contacts
    on_a: np.ndarray  # [m] (C, 3): material point of A, in the axes of its block
    on_b: np.ndarray  # [m] (C, 3)
    key: np.ndarray  # (C,) int64


class Poses(NamedTuple):
    """Positions and velocities of blocks for detection."""

    position: np.ndarray  # [m] (B, 3)
    orientation: np.ndarray  # (B, 4)
    rotation: np.ndarray  # (B, 3, 3)
    velocity: np.ndarray  # [m/s, rad/s] (B, 6)


class Detection(NamedTuple):
    """Parameters of the detection before a step."""

    #: [-] Height of contact points above the other block, over the size, up to which they are kept; displacement of a
    #: step over the size from which corners that approach each other make contact.
    margins: tuple
    h: float  # [s] time step
    first: bool  # the blocks are as in the model: their overlap is slack
    axis: np.ndarray  # (3,): normal of the plane of a planar model, zero in space
    fall: float  # [m] that blocks at rest would overlap after the step: their speeds are those without contacts


class _Points(NamedTuple):
    """Capacity for contact points."""

    on_a: np.ndarray  # [m] (C, 3)
    on_b: np.ndarray  # [m] (C, 3)
    key: np.ndarray  # (C,) int64


@inner
def relative_pose(position, orientation, rotation, a, b, t, q, k):
    """Pose of block b in the axes of block a: shift and turn into row k of t and q."""
    x = position[b, 0] - position[a, 0]
    y = position[b, 1] - position[a, 1]
    z = position[b, 2] - position[a, 2]
    for i in range(3):
        t[k, i] = rotation[a, 0, i] * x + rotation[a, 1, i] * y + rotation[a, 2, i] * z
    q[k, 0], q[k, 1], q[k, 2], q[k, 3] = turn_from(orientation, a, orientation, b)


@inner
def turn_from(p, i, q, j):
    """Quaternion conj(p[i]) q[j] that rotates orientation p[i] to q[j]."""
    a, b, c, d = p[i, 0], p[i, 1], p[i, 2], p[i, 3]
    w, x, y, z = q[j, 0], q[j, 1], q[j, 2], q[j, 3]
    return (
        a * w + b * x + c * y + d * z,
        a * x - b * w - c * z + d * y,
        a * y - c * w - d * x + b * z,
        a * z - d * w - b * y + c * x,
    )


@inner
def angle_bound(x, y, z):
    """Upper bound of the angle [rad] of a rotation: 2 asin(s) <= pi s, s the sine of half the angle."""
    return math.pi * math.sqrt(x * x + y * y + z * z)


@inner
def closing_speed(velocity, a, b, reach_a, reach_b):
    """Upper bound of the relative speed [m/s] of points of two blocks at most `reach` [m] from their centroids."""
    linear = spin_a = spin_b = 0.0
    for i in range(3):
        linear += (velocity[b, i] - velocity[a, i]) ** 2
        spin_a += velocity[a, 3 + i] ** 2
        spin_b += velocity[b, 3 + i] ** 2
    return math.sqrt(linear) + math.sqrt(spin_a) * reach_a + math.sqrt(spin_b) * reach_b


@njit(cache=True, nogil=True)
def same_poses(before, now):
    """Which blocks (B,) have the same bits in both poses; -0 and 0 count as different."""
    same = np.ones(now.position.shape[0], np.bool_)
    for one, other in (
        (before.position, now.position), (before.orientation, now.orientation), (before.velocity, now.velocity)
    ):  # fmt: skip
        x, y = one.view(np.int64), other.view(np.int64)
        for b in range(same.shape[0]):
            for k in range(x.shape[1]):
                same[b] = same[b] and x[b, k] == y[b, k]
    return same


@njit(cache=True, nogil=True, error_model="numpy")
def moved_pairs(parts, poses, pairs, h, same, renewed):
    """Pairs (K,) bool that must be detected again before a step of h [s].

    A pair of blocks that are the `same` (B,) as before the last step, and that was not `renewed` (K,) then, is not
    looked at: from the same numbers the answer would be the same.
    """
    t, q = np.empty((1, 3)), np.empty((1, 4))
    moved = np.zeros(pairs.part.shape[0], np.bool_)
    for k in range(pairs.part.shape[0]):
        p, r = pairs.part[k, 0], pairs.part[k, 1]
        a, b = parts.block[p], parts.block[r]
        if same[a] and same[b] and not renewed[k]:
            continue
        relative_pose(poses.position, poses.orientation, poses.rotation, a, b, t, q, 0)
        shifted = 0.0
        for i in range(3):
            shifted += (t[0, i] - pairs.shift[k, i]) ** 2
        _, x, y, z = turn_from(pairs.turn, k, q, 0)
        motion = math.sqrt(shifted) + angle_bound(x, y, z) * parts.reach[r]
        ahead = motion + h * closing_speed(poses.velocity, a, b, parts.reach[p], parts.reach[r])
        size = min(parts.size[p], parts.size[r])
        limit = RENEW_SPHERE if parts.radius[p] + parts.radius[r] > 0.0 else RENEW
        moved[k] = ahead > pairs.clear[k] or (pairs.count[k] > 0 and motion > limit * size)
    return moved


@inner
def capacity(parts, pairs, moved):
    """Greatest possible number of contacts after detection of the marked pairs."""
    most = 1
    for f in range(parts.face_start.shape[0] - 1):
        most = max(most, parts.face_start[f + 1] - parts.face_start[f])
    total = 0
    for k in range(pairs.part.shape[0]):
        total += 2 * most + 2 if moved[k] else pairs.count[k]
    return total


@inner
def collide_parts(parts, p, q, t, search, scratch):
    """Patch of two parts of any shape, in the axes of p's block; x -> R x + t, R = scratch.rotation, brings q there."""
    moved = moved_hull(hull_of(parts, q), scratch.rotation, t, scratch.vertices, scratch.planes)
    a = hull_of(parts, p)
    if parts.radius[p] == 0.0 and parts.radius[q] == 0.0:
        return collide(a, moved, search, scratch)
    on_a, on_b, n = scratch.on_a, scratch.on_b, scratch.normal
    scratch.key[0] = 0
    if parts.radius[p] > 0.0 and parts.radius[q] > 0.0:
        s = sphere_sphere(a.vertices, moved.vertices, parts.radius[p], parts.radius[q], n, on_a, on_b)
    elif parts.radius[q] > 0.0:
        s = hull_sphere(a, moved.vertices, parts.radius[q], n, on_a, on_b)
    else:
        s = hull_sphere(moved, a.vertices, parts.radius[p], n, on_b, on_a)
        for d in range(3):
            n[d] = -n[d]
    return s, CORNERS, 1 if s <= search.margin else 0


@inner
def relative_rotation(rotation, a, b, R):
    """R (3, 3) from the axes of block b to those of block a."""
    for i in range(3):
        for j in range(3):
            R[i, j] = 0.0
            for k in range(3):
                R[i, j] += rotation[a, k, i] * rotation[b, k, j]


@inner
def pose_ahead(poses, a, b, t, h, R, x, Q):
    """Pose of block b in the axes of block a after a step of h [s] at the present speeds; now it is R (3, 3), t (3,).

    The shift goes into x (3,), the rotation into Q (3, 3). Exact for the rotation, of first order for the shift.
    """
    v, w, s = np.zeros(3), np.zeros(3), np.zeros(3)  # in the axes of a: relative velocity, spin of a, relative spin
    for i in range(3):
        for k in range(3):
            v[i] += poses.rotation[a, k, i] * (poses.velocity[b, k] - poses.velocity[a, k])
            w[i] += poses.rotation[a, k, i] * poses.velocity[a, 3 + k]
            s[i] += h * poses.rotation[a, k, i] * (poses.velocity[b, 3 + k] - poses.velocity[a, 3 + k])
    x[0] = t[0] + h * (v[0] - w[1] * t[2] + w[2] * t[1])
    x[1] = t[1] + h * (v[1] - w[2] * t[0] + w[0] * t[2])
    x[2] = t[2] + h * (v[2] - w[0] * t[1] + w[1] * t[0])
    angle = math.sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2])
    sine = math.sin(angle) / angle if angle > 0.0 else 1.0
    versine = 2.0 * (math.sin(0.5 * angle) / angle) ** 2 if angle > 0.0 else 0.5
    for k in range(3):  # Rodrigues: r + sine s x r + versine s x (s x r)
        r0, r1, r2 = R[0, k], R[1, k], R[2, k]
        c0, c1, c2 = s[1] * r2 - s[2] * r1, s[2] * r0 - s[0] * r2, s[0] * r1 - s[1] * r0
        Q[0, k] = r0 + sine * c0 + versine * (s[1] * c2 - s[2] * c1)
        Q[1, k] = r1 + sine * c1 + versine * (s[2] * c0 - s[0] * c2)
        Q[2, k] = r2 + sine * c2 + versine * (s[0] * c1 - s[1] * c0)


@inner
def will_overlap(parts, poses, p, q, t, step, depth, scratch):
    """Whether two parts, q at scratch.rotation and t in the axes of p's block, overlap by `depth` [m] after the step.

    Vertices, planes and normal of the scratch are overwritten.
    """
    x, Q = np.empty(3), np.empty((3, 3))
    pose_ahead(poses, parts.block[p], parts.block[q], t, step.h, scratch.rotation, x, Q)
    moved = moved_hull(hull_of(parts, q), Q, x, scratch.vertices, scratch.planes)
    size = min(parts.size[p], parts.size[q])
    separation, kind, _, _ = separating_axis(hull_of(parts, p), moved, size, 0.0, NONE, scratch.normal)
    return kind != NONE and separation < -depth


@inner
def detect_pair(parts, poses, pairs, k, step, scratch):
    """Narrow phase of pair k at the present poses; returns the number of points in the scratch."""
    p, q = pairs.part[k, 0], pairs.part[k, 1]
    a, b = parts.block[p], parts.block[q]
    size = min(parts.size[p], parts.size[q])
    ahead = step.h * closing_speed(poses.velocity, a, b, parts.reach[p], parts.reach[q])
    margin = step.margins[0] * size + AHEAD * ahead
    relative_pose(poses.position, poses.orientation, poses.rotation, a, b, pairs.shift, pairs.turn, k)
    R = scratch.rotation
    relative_rotation(poses.rotation, a, b, R)
    search = Search(size, margin, ahead > step.margins[1] * size, pairs.kind[k])
    separation, kind, count = collide_parts(parts, p, q, pairs.shift[k], search, scratch)
    depth = DEEP * size + step.fall
    if count == 0 and not search.corners and 0.0 < separation < ahead - depth:
        if will_overlap(parts, poses, p, q, pairs.shift[k], step, depth, scratch):
            search = Search(size, margin, True, pairs.kind[k])
            separation, kind, count = collide_parts(parts, p, q, pairs.shift[k], search, scratch)
    pairs.kind[k] = kind
    pairs.clear[k] = margin if count > 0 else max(separation, GRAZE * size)
    n = scratch.normal
    for i in range(3):
        # In the axes of the block that has the reference face.
        pairs.normal[k, i] = R[0, i] * n[0] + R[1, i] * n[1] + R[2, i] * n[2] if kind == FACE_B else n[i]
    return count


@inner
def renew(parts, poses, pairs, moved, step, scratch, points):
    """Detect the marked pairs again and write the contacts of all pairs, in order; returns the number of contacts."""
    total = 0
    for k in range(pairs.part.shape[0]):
        begin, count = pairs.begin[k], pairs.count[k]
        pairs.begin[k] = total
        if moved[k]:
            count = detect_pair(parts, poses, pairs, k, step, scratch)
            if step.first:
                pairs.slack[k] = overlap(scratch, count)
            size = min(parts.size[pairs.part[k, 0]], parts.size[pairs.part[k, 1]])
            pairs.count[k] = store(pairs, k, count, SNAP * size, step.axis, scratch, total, points)
            total += pairs.count[k]
            continue
        for i in range(begin, begin + count):
            for d in range(3):
                points.on_a[total, d], points.on_b[total, d] = pairs.on_a[i, d], pairs.on_b[i, d]
            points.key[total] = pairs.key[i]
            total += 1
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def update_pairs(parts, poses, pairs, moved, step, scratch):
    """Pairs with their contacts before a step.

    Parameters
    ----------
    parts : ConvexParts
    poses : Poses
    pairs : Pairs
        As they were before the last step; changed in place.
    moved : array (K,) of bool
        Those to detect again, as of `moved_pairs`.
    step : Detection
    scratch : Scratch

    Returns
    -------
    Pairs
    """
    if not moved.any():
        return pairs
    most = capacity(parts, pairs, moved)
    points = _Points(np.empty((most, 3)), np.empty((most, 3)), np.empty(most, np.int64))
    count = renew(parts, poses, pairs, moved, step, scratch, points)
    return Pairs(
        pairs.part, pairs.shift, pairs.turn, pairs.clear, pairs.kind, pairs.normal, pairs.slack, pairs.begin,
        pairs.count, points.on_a[:count], points.on_b[:count], points.key[:count],
    )  # fmt: skip


@inner
def overlap(scratch, count):
    """Penetration [m] of the deepest point of a patch, 0 if all are apart."""
    deepest = 0.0
    for i in range(count):
        gap = 0.0
        for d in range(3):
            gap += scratch.normal[d] * (scratch.on_b[i, d] - scratch.on_a[i, d])
        deepest = min(deepest, gap)
    return -deepest


@inner
def store(pairs, k, count, near, axis, scratch, at, points):
    """Write the points of a patch, in the axes of their own blocks, from row `at` on; returns their number.

    In a planar model points lie in the plane of the centroids, and points within `near` [m] of each other there are
    stored once; blocks that meet behind each other have none.
    """
    on_a, on_b, key, R = points.on_a, points.on_b, points.key, scratch.rotation
    kept = at
    planar = axis[0] != 0.0 or axis[1] != 0.0 or axis[2] != 0.0
    if abs(along(pairs.normal, k, axis[0], axis[1], axis[2])) > BEHIND:
        return 0
    for i in range(count):
        x = scratch.on_b[i, 0] - pairs.shift[k, 0]
        y = scratch.on_b[i, 1] - pairs.shift[k, 1]
        z = scratch.on_b[i, 2] - pairs.shift[k, 2]
        for d in range(3):
            on_a[kept, d] = scratch.on_a[i, d]
            on_b[kept, d] = R[0, d] * x + R[1, d] * y + R[2, d] * z
        key[kept] = key_with(key_with(scratch.key[i], pairs.part[k, 0]), pairs.part[k, 1])
        if planar:
            out_a = along(on_a, kept, axis[0], axis[1], axis[2])
            out_b = along(on_b, kept, axis[0], axis[1], axis[2])
            for d in range(3):
                on_a[kept, d] -= out_a * axis[d]
                on_b[kept, d] -= out_b * axis[d]
            if is_twin(on_a, at, kept, kept, near):
                continue
        kept += 1
    return kept - at
