"""Shape functions: their gradients, and the weights of nodes at points of a block."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple

import numpy as np

from nscd_engine.deformable.mesh import Mesh
from nscd_engine.deformable.ragged import expanded, greatest
from nscd_engine.deformable.topology import HEXAHEDRON

#: Newton step in natural coordinates after which the inverse of the trilinear map is found to rounding [-]: the error
#: is of the order of its square. Larger: points are displaced, which shows in the balance of moments. Smaller: slower.
FOUND = 1e-7
#: Newton steps of the inverse. A wedge needs four.
STEPS = 25
#: Pairs of a point and an element that are compared at once. Larger: more memory, 200 bytes each. Smaller: slower.
CANDIDATES = 200_000


def simplex_gradients(node: np.ndarray, axis: Optional[np.ndarray]) -> Tuple[np.ndarray, np.ndarray]:
    """Gradients [1/m] (E, k, 3) of linear shape functions, and the size of the cells (E,): volume [m3] or area [m2].

    Parameters
    ----------
    node : array (E, k, 3)
        Corners of tetrahedra, k = 4, or of triangles in the plane perpendicular to `axis`, k = 3 [m].
    axis : array (3,) or None
        Unit vector about which the triangles are counter-clockwise.
    """
    if axis is not None and node.shape[1] == 3:
        opposite = np.roll(node, -2, axis=1) - np.roll(node, -1, axis=1)
        area = 0.5 * np.cross(opposite[:, 2], -opposite[:, 1]) @ axis
        return np.cross(axis, opposite) / (2.0 * area[:, None, None]), area
    edge = node[:, 1:] - node[:, :1]
    normal = np.cross(edge[:, [1, 2, 0]], edge[:, [2, 0, 1]])
    six_volumes = np.einsum("ei,ei->e", edge[:, 0], normal[:, 0])
    three = normal / six_volumes[:, None, None]
    return np.concatenate([-three.sum(axis=1, keepdims=True), three], axis=1), six_volumes / 6.0


def trilinear(at: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Trilinear shape functions (..., 8) and their derivatives (..., 8, 3) at natural coordinates (..., 3)."""
    factor = 1.0 + HEXAHEDRON * at[..., None, :]
    x, y, z = np.moveaxis(factor, -1, 0)
    slope = HEXAHEDRON * np.stack([y * z, z * x, x * y], axis=-1)
    return x * y * z / 8.0, slope / 8.0


def natural_coordinates(corner: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Natural coordinates (k, 3) of points (k, 3) [m] in hexahedra with corners (k, 8, 3) [m], by Newton's method.

    Points outside have coordinates beyond 1.
    """
    at = np.zeros(point.shape)
    middle = corner.mean(axis=1)
    arm = (corner - middle[:, None]).transpose(0, 2, 1)
    for _ in range(STEPS):
        shape, slope = trilinear(at)
        missing = point - middle - np.matmul(arm, shape[..., None])[..., 0]
        jacobian = np.matmul(arm, slope)
        step = np.linalg.solve(jacobian, missing[..., None])[..., 0]
        at += step
        if not (np.abs(step) > FOUND).any():
            break
        at = np.clip(at, -3.0, 3.0)  # far outside the map of a wedge folds
    return at


def in_simplices(
    meshes: Sequence[Mesh], gradients: Sequence[np.ndarray], owner: np.ndarray, point: np.ndarray
) -> Tuple[np.ndarray, np.ndarray]:
    """Nodes (P, k) and weights (P, k) of points (P, 3) [m] in meshes of linear elements; `owner` (P,) is the mesh.

    A point belongs to the element in which its smallest barycentric coordinate is greatest.
    """
    cells = np.array([len(mesh.cell) for mesh in meshes])
    first = np.concatenate([[0], np.cumsum(cells)])
    gradient = np.concatenate(gradients)
    cell, node = (np.concatenate(each) for each in zip(*((mesh.cell, mesh.node) for mesh in meshes)))
    nodes = np.cumsum([0] + [len(mesh.node) for mesh in meshes])[:-1]
    centre = node[cell + np.repeat(nodes, cells)[:, None]].mean(axis=1)
    best = np.empty(len(point), np.int64)
    weight = np.empty((len(point), cell.shape[1]))
    for rows in _chunks(cells[owner]):
        pair, start = expanded(first[owner[rows]], cells[owner[rows]])
        arm = np.repeat(point[rows], cells[owner[rows]], axis=0) - centre[pair]
        shares = 1.0 / cell.shape[1] + np.einsum("pai,pi->pa", gradient[pair], arm)
        chosen = greatest(shares.min(axis=1), start)
        best[rows], weight[rows] = pair[chosen], shares[chosen]
    return cell[best], weight


def in_hexahedra(meshes: Sequence[Mesh], owner: np.ndarray, point: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Nodes (P, 8) and weights (P, 8) of points (P, 3) [m] in meshes of H8; `owner` (P,) is the mesh.

    The grid of a parent is one trilinear map: its inverse gives the cell and the place in it.
    """
    corners = [_parent_corners(mesh) for mesh in meshes]
    parents = np.array([len(each) for each in corners])
    first = np.concatenate([[0], np.cumsum(parents)])
    corner = np.concatenate(corners)
    pair, start = expanded(first[owner], parents[owner])
    at = natural_coordinates(corner[pair], np.repeat(point, parents[owner], axis=0))
    chosen = greatest(-np.abs(at).max(axis=1), start)
    refine = np.array([mesh.refine for mesh in meshes])[owner, None]
    steps = 0.5 * (at[chosen] + 1.0) * refine
    place = np.clip(np.floor(steps), 0, refine - 1).astype(np.int64)
    within = (place[:, 0] * refine[:, 0] + place[:, 1]) * refine[:, 0] + place[:, 2]
    parent = pair[chosen] - first[owner]
    cells = np.concatenate([[0], np.cumsum([len(mesh.cell) for mesh in meshes])])
    cell = np.concatenate([mesh.cell for mesh in meshes])
    node = cell[cells[owner] + parent * refine[:, 0] ** 3 + within]
    return node, trilinear(2.0 * (steps - place) - 1.0)[0]


def _parent_corners(mesh):
    """Corners [m] (P, 8, 3) of the hexahedra that are divided into grids."""
    n = mesh.refine
    if n == 1:
        return mesh.node[mesh.cell]
    grid = mesh.cell.reshape(-1, n, n, n, 8)
    x, y, z = ((HEXAHEDRON + 1) // 2 * (n - 1)).T
    return mesh.node[grid[:, x, y, z, np.arange(8)]]


def _chunks(count):
    """Slices of points whose candidates, `count` (P,) each, fit into memory."""
    total = np.cumsum(count)
    ends = np.unique(np.searchsorted(total, np.arange(CANDIDATES, total[-1] + CANDIDATES, CANDIDATES), side="right"))
    begin = 0
    for end in [*ends.tolist(), len(count)]:
        end = max(end, begin + 1)
        if begin < len(count):
            yield slice(begin, min(end, len(count)))
        begin = end
