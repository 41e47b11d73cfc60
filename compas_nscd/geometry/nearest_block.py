"""The block that contains a point, or the nearest one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compas_nscd.errors import LoadError

#: Greatest distance of a point from its block [diagonal of the block]. Larger: points far away are accepted. Smaller:
#: points that CAD placed carelessly are refused.
REACH = 0.05
#: Difference of distances below which two blocks are equally near [diagonal of the block]. Larger: points near joints
#: are refused as ambiguous. Smaller: rounding error chooses the block.
SAME = 1e-6


def nearest_block(
    surfaces: Sequence[tuple[np.ndarray, list[list[int]]]], names: Sequence[str], point: Sequence[float], what: str
) -> int:
    """Index of the block that contains a point or is nearest to it.

    Parameters
    ----------
    surfaces : list of (vertices, faces)
        Of the blocks [m].
    names : list of str
        Of the blocks, for errors.
    point : (3,) array-like
        [m]
    what : str
        The point, in errors.

    Raises
    ------
    LoadError
        If no block is near, or two are equally near.
    """
    found = []
    for i, (vertices, faces) in enumerate(surfaces):
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        size = float(np.linalg.norm(high - low))
        if (point >= low - REACH * size).all() and (point <= high + REACH * size).all():
            away = distance(vertices, faces, point)
            if away <= REACH * size:
                found.append((away, i, size))
    if not found:
        remedy = "Let it end on a block, or name the block; `ground` for the ground."
        raise LoadError("{} is near no block.".format(what), remedy=remedy)
    least, i, size = min(found)
    same = [names[k] for away, k, _ in found if away - least <= SAME * size]
    if len(same) > 1:
        remedy = "Name the block that it is fixed to."
        raise LoadError("{} is on {}.".format(what, " and ".join(map(str, same))), remedy=remedy, blocks=same)
    return i


def distance(vertices: np.ndarray, faces: Sequence[Sequence[int]], point: Sequence[float]) -> float:
    """Distance of a point from a polyhedron [m], 0 inside; faces are fans about the means of their corners."""
    corners = []
    for face in faces:
        ring = vertices[list(face)] - point
        middle = np.broadcast_to(ring.mean(axis=0), ring.shape)
        corners.append(np.stack([middle, ring, np.roll(ring, -1, axis=0)], axis=1))
    a, b, c = np.moveaxis(np.concatenate(corners), 1, 0)
    if abs(_solid_angle(a, b, c)) > 2.0 * np.pi:
        return 0.0
    return float(min(_to_triangles(a, b, c).min(), *(_to_segments(p, q).min() for p, q in ((a, b), (b, c), (c, a)))))


def _solid_angle(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Solid angle of a closed surface of triangles (n, 3) at the origin: 4 pi inside, 0 outside."""
    la, lb, lc = (np.linalg.norm(each, axis=1) for each in (a, b, c))
    dots = (a * b).sum(axis=1) * lc + (b * c).sum(axis=1) * la + (c * a).sum(axis=1) * lb
    return float(2.0 * np.arctan2((a * np.cross(b, c)).sum(axis=1), la * lb * lc + dots).sum())


def _to_triangles(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Distances (n,) of the origin from the planes of triangles, inf where its projection is outside the triangle."""
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    normal = normal / np.where(size > 0.0, size, 1.0)[:, None]
    foot = (a * normal).sum(axis=1)[:, None] * normal
    inside = size > 0.0
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (np.cross(q - p, foot - p) * normal).sum(axis=1) >= 0.0
    return np.where(inside, np.linalg.norm(foot, axis=1), np.inf)


def _to_segments(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Distances (n,) of the origin from segments."""
    along = q - p
    square = (along**2).sum(axis=1)
    share = np.clip(-(p * along).sum(axis=1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return np.linalg.norm(p + share[:, None] * along, axis=1)
