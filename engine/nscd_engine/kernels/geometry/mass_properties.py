"""Volume, centroid and second moments of polyhedra (geometry/mass_properties)."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner


@njit(cache=True, nogil=True, error_model="numpy")
def integrals(poly, volume, centroid, inertia):
    """Fill volumes (B,) [m3], centroids (B, 3) [m] and inertias for unit density (B, 3, 3) [m5] of polyhedra."""
    for block in range(volume.shape[0]):
        apex = poly.vertex_start[block]
        six, x, y, z = _moments(poly, block, apex, 0.0, 0.0, 0.0)[:4]
        volume[block] = six / 6.0
        # An empty or inside-out block, which the gate refuses, keeps its first vertex.
        size = 24.0 * volume[block] if volume[block] > 0.0 else np.inf
        x, y, z = x / size, y / size, z / size
        first = poly.vertices[apex]
        centroid[block, 0], centroid[block, 1], centroid[block, 2] = first[0] + x, first[1] + y, first[2] + z
        xx, yy, zz, xy, yz, xz = _moments(poly, block, apex, x, y, z)[4:]
        inertia[block, 0, 0], inertia[block, 1, 1], inertia[block, 2, 2] = yy + zz, xx + zz, xx + yy
        inertia[block, 0, 1] = inertia[block, 1, 0] = -xy
        inertia[block, 1, 2] = inertia[block, 2, 1] = -yz
        inertia[block, 0, 2] = inertia[block, 2, 0] = -xz


@inner
def _moments(poly, block, apex, x, y, z):
    """Moments of a block about the vertex `apex` plus (x, y, z) [m].

    Six times the volume [m3], 24 times the first moments [m4], second moments xx, yy, zz, xy, yz, xz [m5].
    """
    six = mx = my = mz = xx = yy = zz = xy = yz = xz = 0.0
    for face in range(poly.block_face_start[block], poly.block_face_start[block + 1]):
        begin, end = poly.face_start[face], poly.face_start[face + 1]
        px, py, pz = _mean(poly, begin, end, apex)
        px, py, pz = px - x, py - y, pz - z
        for c in range(begin, end):
            qx, qy, qz = _corner(poly, c, apex)
            qx, qy, qz = qx - x, qy - y, qz - z
            rx, ry, rz = _corner(poly, c + 1 if c + 1 < end else begin, apex)
            rx, ry, rz = rx - x, ry - y, rz - z
            d = px * (qy * rz - qz * ry) + py * (qz * rx - qx * rz) + pz * (qx * ry - qy * rx)
            sx, sy, sz = px + qx + rx, py + qy + ry, pz + qz + rz
            six, mx, my, mz = six + d, mx + d * sx, my + d * sy, mz + d * sz
            d /= 120.0
            xx += d * (px * px + qx * qx + rx * rx + sx * sx)
            yy += d * (py * py + qy * qy + ry * ry + sy * sy)
            zz += d * (pz * pz + qz * qz + rz * rz + sz * sz)
            xy += d * (px * py + qx * qy + rx * ry + sx * sy)
            yz += d * (py * pz + qy * qz + ry * rz + sy * sz)
            xz += d * (px * pz + qx * qz + rx * rz + sx * sz)
    return six, mx, my, mz, xx, yy, zz, xy, yz, xz


@inner
def _mean(poly, begin, end, apex):
    """Mean of the corners begin:end relative to the vertex `apex` [m]."""
    x = y = z = 0.0
    for c in range(begin, end):
        cx, cy, cz = _corner(poly, c, apex)
        x, y, z = x + cx, y + cy, z + cz
    return x / (end - begin), y / (end - begin), z / (end - begin)


@inner
def _corner(poly, c, apex):
    """Corner c of the faces relative to the vertex `apex` [m]."""
    v = poly.face_vertices[c]
    point = poly.vertices
    return point[v, 0] - point[apex, 0], point[v, 1] - point[apex, 1], point[v, 2] - point[apex, 2]
