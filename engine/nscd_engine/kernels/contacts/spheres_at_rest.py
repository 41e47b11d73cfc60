"""Contacts of spheres with spheres and convex parts at rest; removal of those that another part shadows."""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.contacts.spheres import hull_sphere, sphere_sphere
from nscd_engine.kernels.geometry.hull import along, hull_of
from nscd_engine.kernels.jit import inner


class SphereTouches(NamedTuple):
    """Contacts of spheres with convex parts; those of sphere k are rows start[k]:start[k + 1]."""

    start: np.ndarray  # (S + 1,) int64
    part: np.ndarray  # (n,) int64
    place: np.ndarray  # [m] (n, 3): nearest point of the part
    separation: np.ndarray  # [m] (n,)
    eps: np.ndarray  # [m] (n,): distance from a part within which a place lies in it
    noise: np.ndarray  # [m] (n,): difference below which two blocks are equally near


@njit(cache=True, nogil=True, error_model="numpy")
def separations(parts, centroid, pair, separation, normal, on_a, on_b):
    """Separations of pairs of parts, one or both of them spheres.

    Parameters
    ----------
    parts : ConvexParts
    centroid : array (B, 3)
        Of the blocks [m].
    pair : array (K, 2)
    separation : array (K,)
        Receives the separations [m].
    normal : array (K, 3)
        Receives the normals, from the first part to the second.
    on_a, on_b : arrays (K, 3)
        Receive the nearest surface points [m].
    """
    here, there = np.zeros((1, 3)), np.zeros((1, 3))
    n, a, b = np.zeros(3), np.zeros((1, 3)), np.zeros((1, 3))
    for k in range(pair.shape[0]):
        p, q = pair[k, 0], pair[k, 1]
        i, j = parts.block[p], parts.block[q]
        side = 1.0
        # In the axes of the first block, or of the second if that is the polyhedron.
        base = i if parts.radius[q] > 0.0 else j
        for d in range(3):
            there[0, d] = centroid[i + j - base, d] - centroid[base, d]
        if parts.radius[p] > 0.0 and parts.radius[q] > 0.0:
            separation[k] = sphere_sphere(here, there, parts.radius[p], parts.radius[q], n, a, b)
        elif parts.radius[q] > 0.0:
            separation[k] = hull_sphere(hull_of(parts, p), there, parts.radius[q], n, a, b)
        else:
            separation[k] = hull_sphere(hull_of(parts, q), there, parts.radius[p], n, b, a)
            side = -1.0
        for d in range(3):
            normal[k, d] = side * n[d]
            on_a[k, d], on_b[k, d] = centroid[base, d] + a[0, d], centroid[base, d] + b[0, d]


@njit(cache=True, nogil=True, error_model="numpy")
def find_shadowed(parts, centroid, touches, shadowed):
    """Mark contacts of a sphere with a part that are no local minimum of its distance to the parts that it touches.

    If the nearest point of a part lies in another part to which the sphere is nearer, it is only on the rim of a joint
    or a cut: along the other part one comes closer to the sphere.

    Parameters
    ----------
    parts : ConvexParts
    centroid : array (B, 3)
        Of the blocks [m].
    touches : SphereTouches
    shadowed : array (n,) of bool
        Is set for these contacts.
    """
    start, part, separation = touches.start, touches.part, touches.separation
    for k in range(start.shape[0] - 1):
        for i in range(start[k], start[k + 1]):
            for j in range(start[k], start[k + 1]):
                same = parts.block[part[i]] == parts.block[part[j]]
                nearer = separation[j] < separation[i] - (0.0 if same else touches.noise[i])
                # Parts of one block that share the place count once; two blocks may both carry.
                if nearer or (same and j < i and separation[j] == separation[i]):
                    if within(parts, part[j], centroid, touches.place, i, touches.eps[i]):
                        shadowed[i] = True


@inner
def within(parts, p, centroid, place, i, tolerance):
    """Whether place i lies in the convex part p, or within the tolerance [m] of its planes."""
    b = parts.block[p]
    x, y, z = place[i, 0] - centroid[b, 0], place[i, 1] - centroid[b, 1], place[i, 2] - centroid[b, 2]
    for f in range(parts.part_face_start[p], parts.part_face_start[p + 1]):
        if along(parts.planes, f, x, y, z) - parts.planes[f, 3] > tolerance:
            return False
    return True
