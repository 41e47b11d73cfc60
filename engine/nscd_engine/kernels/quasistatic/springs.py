"""Contacts as springs with six components, and the force of one of them.

Components in the frame (n, t, w) of the contact, n from element p to element q: forces N, Tt, Tw and moments Mn, Mt, Mw
on p, in proportion to the motion of q against p. N < 0 is compression.
"""

from typing import NamedTuple

import numpy as np

from nscd_engine.kernels.jit import inner, merged

#: What a contact is: friction and no tension; a bond; what a broken bond leaves, friction without moments of its own.
DRY, BONDED, BROKEN = 0, 1, 2
#: What a contact does.
OPEN, STICK, SLIDE = 0, 1, 2


class SpringContacts(NamedTuple):
    """Contacts between elements, one per joint. B elements, C contacts, E edges of joints."""

    body: np.ndarray  # (C, 2) int64: elements p, q
    arm: np.ndarray  # [m] (C, 2, 3): from the centroids of p and q to the contact point
    frame: np.ndarray  # (C, 3, 3): rows n, t, w; t and w are principal axes of a joint with an area
    stiffness: np.ndarray  # [N/m, N m] (C, 6): kN, kT, kT, ktwist, kbend about t, about w
    gap: np.ndarray  # [m] (C,): distance before loading; 0 where the elements touch
    friction: np.ndarray  # [-] (C,)
    twist_arm: np.ndarray  # [m] (C,): twisting moment that friction resists, over mu times the compression; inf: any
    edge_start: np.ndarray  # (C + 1,) int64: edges of contact c are edge_start[c]:edge_start[c + 1]; none: a point
    edge: np.ndarray  # [-, -, m] (E, 3): outward normal of the edge along t and w, and its distance from the centroid
    corner: np.ndarray  # [m] (E, 2): corners along t and w


class SpringState(NamedTuple):
    """Deformations and forces of the contacts; those at the end of the last load increment are the base."""

    kind: np.ndarray  # (C,) uint8: DRY, BONDED or BROKEN
    status: np.ndarray  # (C,) uint8: OPEN, STICK or SLIDE
    base_deformation: np.ndarray  # [m, rad] (C, 6)
    base_force: np.ndarray  # [N, N m] (C, 6)
    deformation: np.ndarray  # [m, rad] (C, 6)
    force: np.ndarray  # [N, N m] (C, 6)
    tangent: np.ndarray  # [N/m, ...] (C, 6, 6): derivative of `force` by `deformation`
    bound: np.ndarray  # [N] (C,): given greatest shear; negative: friction times the normal force


@merged
def set_force(contacts, state, c):
    """Force, status and tangent of contact c from its deformation."""
    k, S, D = contacts.stiffness[c], state.force[c], state.tangent[c]
    for i in range(6):
        S[i] = 0.0
        for j in range(6):
            D[i, j] = 0.0
    if state.kind[c] == BONDED:
        for i in range(6):
            S[i], D[i, i] = k[i] * state.deformation[c, i], k[i]
        state.status[c] = STICK
        return
    first, last = contacts.edge_start[c], contacts.edge_start[c + 1]
    if last > first and k[4] > 0.0 and k[5] > 0.0:
        closed = press_section(contacts, state, c, first, last)
    else:
        closed = press_point(contacts, state, c)
    # A given bound holds in open contacts, too: the forces then have a potential.
    state.status[c] = rub(contacts, state, c) if closed or state.bound[c] > 0.0 else OPEN


@merged
def press_point(contacts, state, c):
    """Normal force and bending moments of a contact point; whether it is closed. Its moments last while it is."""
    k, d, S, D = contacts.stiffness[c], state.deformation[c], state.force[c], state.tangent[c]
    opening = contacts.gap[c] + d[0]
    if opening > 0.0:
        return False
    S[0], D[0, 0] = k[0] * opening, k[0]
    if state.kind[c] == DRY:
        for i in range(4, 6):
            S[i] = state.base_force[c, i] + k[i] * (d[i] - state.base_deformation[c, i])
            D[i, i] = k[i]
    return True


@inner
def press_section(contacts, state, c, first, last):
    """Normal force and bending moments of a joint without tension: the centre of pressure is inside its outline.

    The admissible (N, Mt, Mw) are a cone with one face per edge and one ray per corner. The elastic ones are projected
    on it in the metric of the compliance, so that a joint turns about its edges without loss: forces depend on the
    deformation alone, and the tangent is symmetric. Whether the joint is closed is returned.
    """
    k, d, S, D = contacts.stiffness[c], state.deformation[c], state.force[c], state.tangent[c]
    root = np.sqrt(k[0]), np.sqrt(k[4]), np.sqrt(k[5])
    y = root[0] * (contacts.gap[c] + d[0]), root[1] * d[4], root[2] * d[5]
    worst = -np.inf
    for j in range(first, last):
        worst = max(worst, along(face(contacts.edge[j], root), y))
    if worst <= 0.0:
        S[0], S[4], S[5] = root[0] * y[0], root[1] * y[1], root[2] * y[2]
        D[0, 0], D[4, 4], D[5, 5] = k[0], k[4], k[5]
        return True
    for j in range(first, last):  # on one face: the joint turns about an edge
        g = face(contacts.edge[j], root)
        beyond = along(g, y)
        if beyond > 0.0:
            p = y[0] - beyond * g[0], y[1] - beyond * g[1], y[2] - beyond * g[2]
            worst = -np.inf
            for i in range(first, last):
                if i != j:
                    worst = max(worst, along(face(contacts.edge[i], root), p))
            if worst <= 0.0:
                set_section(S, D, root, p, g, -1.0)
                return True
    most, best = 0.0, -1
    for j in range(first, last):  # on one ray: it turns about a corner
        size = along(ray(contacts.corner[j], root), y)
        if size > most:
            most, best = size, j
    if best < 0:
        return False
    r = ray(contacts.corner[best], root)
    set_section(S, D, root, (most * r[0], most * r[1], most * r[2]), r, 1.0)
    return True


@merged
def along(a, b):
    """Scalar product of two triples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@merged
def face(edge, root):
    """Outward unit normal of the face of an edge, in forces over the roots of the stiffness."""
    x, y, z = edge[2] * root[0], -edge[1] * root[1], edge[0] * root[2]
    size = np.sqrt(x * x + y * y + z * z)
    return x / size, y / size, z / size


@merged
def ray(corner, root):
    """Unit vector of the ray of a corner, in the same scale."""
    x, y, z = -1.0 / root[0], -corner[1] / root[1], corner[0] / root[2]
    size = np.sqrt(x * x + y * y + z * z)
    return x / size, y / size, z / size


@inner
def set_section(S, D, root, p, g, sign):
    """Force and tangent on a face with normal g (sign -1) or on a ray g (sign 1); p in the scale of `face`."""
    for a in range(3):
        i = 0 if a == 0 else 3 + a
        S[i] = root[a] * p[a]
        for b in range(3):
            j = 0 if b == 0 else 3 + b
            same = 1.0 if a == b and sign < 0.0 else 0.0
            D[i, j] = root[a] * (same + sign * g[a] * g[b]) * root[b]


@merged
def rub(contacts, state, c):
    """Shear and twist of a closed contact from those at the base, bounded by friction; STICK or SLIDE."""
    k, S, D, base = contacts.stiffness[c], state.force[c], state.tangent[c], state.base_force[c]
    d, origin = state.deformation[c], state.base_deformation[c]
    given = state.bound[c] >= 0.0
    limit = state.bound[c] if given else -contacts.friction[c] * S[0]
    friction = 0.0 if given else contacts.friction[c]  # how the limit follows the normal force
    t, w = base[1] + k[1] * (d[1] - origin[1]), base[2] + k[2] * (d[2] - origin[2])
    size = np.sqrt(t * t + w * w)
    status = STICK
    if size <= limit:
        S[1], S[2], D[1, 1], D[2, 2] = t, w, k[1], k[2]
    else:
        status = SLIDE
        t, w = t / size, w / size
        S[1], S[2] = limit * t, limit * w
        share = limit / size
        D[1, 1], D[2, 2] = share * k[1] * (1.0 - t * t), share * k[2] * (1.0 - w * w)
        D[1, 2] = D[2, 1] = -share * k[1] * t * w
        for j in (0, 4, 5):
            D[1, j], D[2, j] = -friction * t * D[0, j], -friction * w * D[0, j]
    if state.kind[c] == BROKEN and contacts.edge_start[c] == contacts.edge_start[c + 1]:
        return status
    twist = base[3] + k[3] * (d[3] - origin[3])
    most = np.inf if contacts.twist_arm[c] == np.inf else limit * contacts.twist_arm[c]
    if abs(twist) <= most:
        S[3], D[3, 3] = twist, k[3]
    else:
        S[3] = most * np.sign(twist)
        for j in (0, 4, 5):
            D[3, j] = -friction * contacts.twist_arm[c] * np.sign(twist) * D[0, j]
    return status
