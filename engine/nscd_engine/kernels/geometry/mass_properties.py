"""Volume, centroid and second moments of polyhedra (geometry/mass_properties)."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner


@njit(cache=True, nogil=True, error_model="numpy")
def integrals(poly, volume, centroid, inertia):
    """Fill volumes (B,) [m3], centroids (B, 3) [m] and inertias for unit density (B, 3, 3) [m5] of polyhedra."""
    mean, triangle, second = np.empty(3), np.empty((3, 3)), np.empty((3, 3))
    apex, local = np.empty(3), np.empty(3)
    for block in range(volume.shape[0]):
        apex[:] = poly.vertices[poly.vertex_start[block]]
        volume[block] = _first_moment(poly, block, apex, mean, triangle, local) / 6.0
        for i in range(3):
            # An empty or inside-out block, which the gate refuses, keeps its first vertex.
            local[i] = local[i] / 24.0 / volume[block] if volume[block] > 0.0 else 0.0
            centroid[block, i] = apex[i] + local[i]
        _second_moment(poly, block, (apex, local), mean, triangle, second)
        trace = second[0, 0] + second[1, 1] + second[2, 2]
        for i in range(3):
            for j in range(3):
                inertia[block, i, j] = (trace if i == j else 0.0) - second[max(i, j), min(i, j)]


@inner
def _first_moment(poly, block, apex, mean, triangle, moment):
    """Six times the volume of a block [m3]; 24 times its first moment about the apex (3,) becomes `moment` (3,)."""
    total = 0.0
    moment[:] = 0.0
    for face in range(poly.block_face_start[block], poly.block_face_start[block + 1]):
        begin, end = poly.face_start[face], poly.face_start[face + 1]
        _set_mean(poly, begin, end, apex, mean)
        for c in range(begin, end):
            _set_triangle(poly, c, c + 1 if c + 1 < end else begin, apex, mean, triangle)
            d = _determinant(triangle)
            total += d
            for i in range(3):
                moment[i] += d * (triangle[0, i] + triangle[1, i] + triangle[2, i])
    return total


@inner
def _second_moment(poly, block, centre, mean, triangle, second):
    """Second moment (3, 3) [m5], its lower half, of a block about a centre: apex (3,), and what is added to it (3,)."""
    apex, local = centre
    second[:] = 0.0
    for face in range(poly.block_face_start[block], poly.block_face_start[block + 1]):
        begin, end = poly.face_start[face], poly.face_start[face + 1]
        _set_mean(poly, begin, end, apex, mean)
        for c in range(begin, end):
            _set_triangle(poly, c, c + 1 if c + 1 < end else begin, apex, mean, triangle)
            for k in range(3):
                for i in range(3):
                    triangle[k, i] -= local[i]
            d = _determinant(triangle) / 120.0
            p, q, r = triangle[0], triangle[1], triangle[2]
            for i in range(3):
                total = p[i] + q[i] + r[i]
                for j in range(i + 1):
                    products = p[i] * p[j] + q[i] * q[j] + r[i] * r[j] + total * (p[j] + q[j] + r[j])
                    second[i, j] += d * products


@inner
def _set_mean(poly, begin, end, apex, mean):
    """Write the mean (3,) of the corners begin:end relative to the apex (3,) [m]."""
    mean[:] = 0.0
    for c in range(begin, end):
        for i in range(3):
            mean[i] += poly.vertices[poly.face_vertices[c], i] - apex[i]
    for i in range(3):
        mean[i] /= end - begin


@inner
def _set_triangle(poly, here, there, apex, mean, triangle):
    """Write the mean of a face and two of its corners (3, 3), relative to the apex (3,) [m]."""
    for i in range(3):
        triangle[0, i] = mean[i]
        triangle[1, i] = poly.vertices[poly.face_vertices[here], i] - apex[i]
        triangle[2, i] = poly.vertices[poly.face_vertices[there], i] - apex[i]


@inner
def _determinant(triangle):
    """Six times the volume [m3] between a triangle (3, 3) and the origin."""
    p, q, r = triangle[0], triangle[1], triangle[2]
    x, y, z = q[1] * r[2] - q[2] * r[1], q[2] * r[0] - q[0] * r[2], q[0] * r[1] - q[1] * r[0]
    return p[0] * x + p[1] * y + p[2] * z
