"""Points in meshes of triangles or tetrahedra."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def locate_in_simplices(point, owner, mesh, rounding):
    """Corners (P, k) int64 of the elements that hold points (P, 3) [m], and barycentric coordinates (P, k) in these.

    A point belongs to the element in which its smallest coordinate is greatest. Coordinates up to `rounding` are 0.

    Parameters
    ----------
    point : array (P, 3)
        [m]
    owner : array (P,) int64
        Mesh of each point.
    mesh : tuple
        Start (m + 1,) of the elements of each mesh; their corners (E, k) int64; gradients [1/m] (E, k, 3) of the
        coordinates; centres [m] (E, 3).
    rounding : float
    """
    start, cell, gradient, centre = mesh
    corners = cell.shape[1]
    node, weight = np.zeros((point.shape[0], corners), np.int64), np.zeros((point.shape[0], corners))
    share = np.empty(corners)
    for p in range(point.shape[0]):
        best = -np.inf
        for e in range(start[owner[p]], start[owner[p] + 1]):
            x, y, z = point[p, 0] - centre[e, 0], point[p, 1] - centre[e, 1], point[p, 2] - centre[e, 2]
            least = np.inf
            for a in range(corners):
                g = gradient[e, a]
                share[a] = 1.0 / corners + g[0] * x + g[1] * y + g[2] * z
                least = min(least, share[a])
            if least > best:
                best = least
                for a in range(corners):
                    node[p, a], weight[p, a] = cell[e, a], share[a]
        largest, rest = 0, 1.0
        for a in range(corners):
            if abs(weight[p, a]) < rounding:
                weight[p, a] = 0.0
            rest -= weight[p, a]
            if abs(weight[p, a]) > abs(weight[p, largest]):
                largest = a
        weight[p, largest] += rest
    return node, weight
