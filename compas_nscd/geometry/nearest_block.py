"""Which block a point belongs to: the one that it is in or on, or the nearest."""

import numpy as np

from compas_nscd.errors import LoadError

#: A point is near a block within this distance [diagonal of the block].
REACH = 0.05
#: Two blocks are equally near within this difference of distances [diagonal of the block].
SAME = 1e-6


def nearest_block(structure, point, what):
    """Index of the block that a point [m] is in, on or near.

    Raises
    ------
    LoadError
        Naming `what`, if no block is near or two are equally near.
    """
    found = []
    for i, block in enumerate(structure.blocks):
        vertices, faces = block.surface()
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        size = float(np.linalg.norm(high - low))
        if (point >= low - REACH * size).all() and (point <= high + REACH * size).all():
            away = distance(vertices, faces, point)
            if away <= REACH * size:
                found.append((away, i, size))
    names = structure.names
    if not found:
        remedy = "Let it end on a block, or name the block; `ground` for the ground."
        raise LoadError("{} is near no block.".format(what), remedy=remedy)
    least, i, size = min(found)
    same = [names[k] for away, k, _ in found if away - least <= SAME * size]
    if len(same) > 1:
        remedy = "Name the block that it is fixed to."
        raise LoadError("{} is on {}.".format(what, " and ".join(map(str, same))), remedy=remedy, blocks=same)
    return i


def distance(vertices, faces, point):
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


def _solid_angle(a, b, c):
    """Sum of the angles that triangles (n, 3) subtend at the origin: 4 pi inside of what they enclose, else 0."""
    la, lb, lc = (np.linalg.norm(each, axis=1) for each in (a, b, c))
    dots = (a * b).sum(axis=1) * lc + (b * c).sum(axis=1) * la + (c * a).sum(axis=1) * lb
    return float(2.0 * np.arctan2((a * np.cross(b, c)).sum(axis=1), la * lb * lc + dots).sum())


def _to_triangles(a, b, c):
    """Distances (n,) of the origin from the planes of triangles, inf where its foot lies outside of them."""
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    normal = normal / np.where(size > 0.0, size, 1.0)[:, None]
    foot = (a * normal).sum(axis=1)[:, None] * normal
    inside = size > 0.0
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (np.cross(q - p, foot - p) * normal).sum(axis=1) >= 0.0
    return np.where(inside, np.linalg.norm(foot, axis=1), np.inf)


def _to_segments(p, q):
    """Distances (n,) of the origin from segments."""
    along = q - p
    square = (along**2).sum(axis=1)
    share = np.clip(-(p * along).sum(axis=1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return np.linalg.norm(p + share[:, None] * along, axis=1)
