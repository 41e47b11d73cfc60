"""Contacts of spheres with spheres and with convex polyhedra. In a planar model a sphere stands for a disc."""

import math

import numpy as np

from nscd_engine.kernels.geometry.gjk import closest_points
from nscd_engine.kernels.geometry.hull import along
from nscd_engine.kernels.jit import inner

#: Distance of the centre from the polyhedron, over the radius, below which it is on the surface [-]. Larger: normals
#: beside edges jump to those of faces. Smaller: the direction to the nearest point is rounding error.
ON_SURFACE = 1e-9


@inner
def sphere_sphere(centre, other, radius_a, radius_b, normal, on_a, on_b):
    """Separation [m] of two spheres; writes the normal, from the first to the second, and the nearest surface points.

    Centres and points are in row 0 of their arrays.
    """
    x, y, z = other[0, 0] - centre[0, 0], other[0, 1] - centre[0, 1], other[0, 2] - centre[0, 2]
    distance = math.sqrt(x * x + y * y + z * z)
    if distance > 0.0:
        normal[0], normal[1], normal[2] = x / distance, y / distance, z / distance
    else:  # concentric spheres have no normal: any direction separates them
        normal[0], normal[1], normal[2] = 0.0, 0.0, 1.0
    for d in range(3):
        on_a[0, d] = centre[0, d] + radius_a * normal[d]
        on_b[0, d] = other[0, d] - radius_b * normal[d]
    return distance - radius_a - radius_b


@inner
def hull_sphere(hull, centre, radius, normal, on_hull, on_sphere):
    """Separation [m] of a convex polyhedron and a sphere; writes the normal, from the polyhedron to the sphere.

    If the centre is outside, the nearest point of the polyhedron is exact, on a face, an edge or a corner. If it is
    inside, the normal is that of the nearest face that is not a cut. Centre and points are in row 0 of their arrays.
    """
    face, height, cut = -1, -np.inf, -np.inf
    for k in range(hull.planes.shape[0]):
        h = along(hull.planes, k, centre[0, 0], centre[0, 1], centre[0, 2]) - hull.planes[k, 3]
        if hull.planes[k, 4] != 0.0:
            cut = max(cut, h)
        elif h > height:
            face, height = k, h
    distance = height
    if max(height, cut) > 0.0:
        distance = closest_points(hull.vertices, centre, on_hull, on_sphere)
    for d in range(3):
        # On the surface and inside, the direction to the nearest point is no normal: that of the face is used.
        if distance > ON_SURFACE * radius:
            normal[d] = (centre[0, d] - on_hull[0, d]) / distance
        else:
            normal[d] = hull.planes[face, d]
            on_hull[0, d] = centre[0, d] - distance * normal[d]
    for d in range(3):
        on_sphere[0, d] = centre[0, d] - radius * normal[d]
    return distance - radius
