"""Structs of arrays that the kernels take. SI units; world axes unless said; one row per thing.

B blocks, N free bodies (blocks that are not supports), I interfaces, C contacts (points), V vertices, F faces.
``n`` points from body a to body b. A velocity or wrench of six numbers is (linear, angular) at the centroid.
"""

from typing import NamedTuple

import numpy as np


class Polyhedra(NamedTuple):
    """Closed polyhedra with outward faces, flat. A sphere or disc is one vertex, its centre, without faces."""

    vertices: np.ndarray  # [m] (V, 3)
    vertex_start: np.ndarray  # (B + 1,) int32: vertices of block k are vertex_start[k]:vertex_start[k + 1]
    face_vertices: np.ndarray  # (sum of face sizes,) int32: rows of `vertices` (global), counter-clockwise from outside
    face_start: np.ndarray  # (F + 1,) int32: into face_vertices
    block_face_start: np.ndarray  # (B + 1,) int32: faces of block k are block_face_start[k]:block_face_start[k + 1]


class Bodies(NamedTuple):
    """Rigid bodies, one per block."""

    mass: np.ndarray  # [kg] (B,)
    volume: np.ndarray  # [m3] (B,)
    centroid: np.ndarray  # [m] (B, 3)
    inertia: np.ndarray  # [kg m2] (B, 3, 3): about the centroid, world axes
    size: np.ndarray  # [m] (B,): diagonal of the box, diameter of a sphere; every relative tolerance refers to it
    free: np.ndarray  # (B,) int32: index among the free bodies, -1 for a support


class Interfaces(NamedTuple):
    """Patches where two blocks meet, each planar. At least one of the two blocks is free."""

    body: np.ndarray  # (I, 2) int32: blocks a < b
    normal: np.ndarray  # (I, 3): unit, from a to b
    area: np.ndarray  # [m2] (I,)
    centroid: np.ndarray  # [m] (I, 3)
    gap: np.ndarray  # [m] (I,): mean distance of the two faces, negative where they overlap
    polygon: np.ndarray  # [m] (P, 3): outlines, counter-clockwise about the normal
    polygon_start: np.ndarray  # (I + 1,) int32: into polygon
    contact_start: np.ndarray  # (I + 1,) int32: contacts of interface i are contact_start[i]:contact_start[i + 1]


#: Of the key of a contact at rest, the last bits count the points of an interface.
POINT_BITS = 10


class Contacts(NamedTuple):
    """Contact points."""

    body: np.ndarray  # (C, 2) int32: blocks a, b
    point: np.ndarray  # [m] (C, 3)
    frame: np.ndarray  # (C, 3, 3): rows n, t1, t2; right-handed
    gap: np.ndarray  # [m] (C,): negative is penetration
    friction: np.ndarray  # [-] (C,)
    key: np.ndarray  # (C,) int64: the same for the same contact from step to step


class Problem(NamedTuple):
    """One step: M (v - v_free) = J^T gamma,  gamma in K_mu  perp  u + bias + E gamma in K_mu^*,  u = J v.

    The impulse gamma acts on b, and reversed on a: u = [v_b + w_b x arm_b - v_a - w_a x arm_a] in the contact's frame.
    """

    mass: np.ndarray  # [kg] (N,)
    inertia: np.ndarray  # [kg m2] (N, 3, 3): world axes
    v_free: np.ndarray  # [m/s, rad/s] (N, 6): velocity the bodies would have without contacts
    body: np.ndarray  # (C, 2) int32: free bodies a, b; -1 where the block is a support
    arm: np.ndarray  # [m] (C, 2, 3): from the centroid of a, of b, to the contact point
    frame: np.ndarray  # (C, 3, 3): rows n, t1, t2
    bias: np.ndarray  # [m/s] (C, 3): gap / h, motion of supports, restitution
    friction: np.ndarray  # [-] (C,)
    compliance: np.ndarray  # [m/(N s)] (C, 2): normal, tangential, of joints with stiffness K: 1/(h^2 K); 0 is rigid
