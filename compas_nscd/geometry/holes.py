"""Holes of meshes: small ones are capped, and open supports become solids.

A block must be closed, because its mass is computed from its surface. A support has no use for a mass: where its mesh
cannot be closed, every face becomes a plate, on the side that faces away from the other blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

#: Greatest area of the holes of a free block that are capped, over the area of its surface [-]. Larger: boxes without
#: a lid are closed silently. Smaller: defects of a scan are refused.
TINY = 0.02
#: Thickness of the plates of an open support, over the length of its diagonal [-]. Larger: plates overlap with blocks
#: behind them. Smaller: the tolerance of a gap, which the thickness bounds, is small.
PLATE = 0.02
#: Greatest distance of a vertex from the convex hull, over the size of the block, if the hull replaces it [-]. Larger:
#: notches are filled. Smaller: rough stones are refused.
DENT = 0.05
#: Most vertices of such a block [-]. More: the hull takes minutes.
MOST_VERTICES = 2000

Faces = list[list[int]]


def capped(vertices: np.ndarray, faces: Faces, most: float) -> tuple[np.ndarray, Faces, int] | None:
    """Mesh with its holes closed, and their number; None if that is impossible.

    Parameters
    ----------
    vertices : array (n, 3)
        [m]
    faces : list of list of int
    most : float
        Greatest area of all holes over that of the faces [-].
    """
    loops = _rims(faces)
    if not loops:
        return None
    surface = sum(_area(vertices[face]) for face in faces)
    if sum(_area(vertices[loop]) for loop in loops) > most * surface:
        return None
    points, more = list(vertices), [list(face) for face in faces]
    for loop in loops:
        if len(loop) <= 4:
            more.append(loop)
            continue
        middle = len(points)
        points.append(vertices[loop].mean(axis=0))
        more += [[a, b, middle] for a, b in zip(loop, loop[1:] + loop[:1])]
    return np.array(points), more, len(loops)


def _rims(faces: Faces) -> list[list[int]]:
    """Closed loops of the edges with one face; none if an edge has more than two faces, or the loops are not simple."""
    count = Counter(tuple(sorted(side)) for face in faces for side in zip(face, face[1:] + face[:1]))
    if any(number > 2 for number in count.values()):
        return []
    beside: dict[int, list[int]] = {}
    for (a, b), number in count.items():
        if number == 1:
            beside.setdefault(a, []).append(b)
            beside.setdefault(b, []).append(a)
    if any(len(others) != 2 for others in beside.values()):
        return []
    loops = []
    while beside:
        loop = [min(beside)]
        while True:
            others = beside.pop(loop[-1])
            following = [v for v in others if v in beside]
            if not following:
                break
            loop.append(following[0])
        loops.append(loop)
    return loops


def _area(polygon: np.ndarray) -> float:
    """Area of a polygon (n, 3) [m2]."""
    if len(polygon) < 3:
        return 0.0
    local = polygon - polygon.mean(axis=0)
    return 0.5 * float(np.linalg.norm(np.cross(local, np.roll(local, -1, axis=0)).sum(axis=0)))


def hull_of_nearly_convex(vertices: np.ndarray) -> tuple[np.ndarray, Faces] | None:
    """Convex hull of vertices (n, 3) [m] that are all near its surface; None otherwise."""
    from compas.geometry import convex_hull  # the import takes half a second

    size = float(np.linalg.norm(np.ptp(vertices, axis=0))) if len(vertices) else 0.0
    if not 4 <= len(vertices) <= MOST_VERTICES or size == 0.0:
        return None
    try:
        faces = [list(map(int, face)) for face in convex_hull(vertices.tolist())]
    except (ValueError, ZeroDivisionError, IndexError):  # all points in a plane
        return None
    corner = vertices[np.array(faces)]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), np.finfo(float).tiny)[:, None]
    depth = np.einsum("fi,vfi->vf", normal, corner[None, :, 0] - vertices[:, None]).min(axis=1)
    return (vertices, faces) if depth.max() <= DENT * size else None


def plates(vertices: np.ndarray, faces: Faces, others: Sequence[float] | np.ndarray) -> tuple[np.ndarray, Faces] | None:
    """One plate for each face of a mesh, behind it as seen from the point `others` (3,) [m]; None if none has area."""
    faces = [face for face in faces if len(face) > 2 and 0 <= min(face) <= max(face) < len(vertices)]
    if not faces:
        return None
    thick = PLATE * float(np.linalg.norm(np.ptp(vertices, axis=0)))
    points: list[np.ndarray] = []
    more: Faces = []
    for face in faces:
        corner = vertices[face]
        normal = np.cross(corner - corner.mean(axis=0), np.roll(corner - corner.mean(axis=0), -1, axis=0)).sum(axis=0)
        length = float(np.linalg.norm(normal))
        if length == 0.0:
            continue
        normal /= length
        if normal @ (np.asarray(others) - corner.mean(axis=0)) < 0.0:  # let the front face the other blocks
            corner, normal = corner[::-1], -normal
        first, n = len(points), len(face)
        points += [*corner, *(corner - thick * normal)]
        more.append(list(range(first, first + n)))
        more.append(list(range(first + n, first + 2 * n))[::-1])
        more += [[first + (k + 1) % n, first + k, first + n + k, first + n + (k + 1) % n] for k in range(n)]
    return (np.array(points), more) if points else None
