"""Blocks that are spheres, or discs of a planar model: one vertex, the centre, no faces, and a radius."""

import numpy as np

from compas_nscd.errors import GeometryError
from nscd_engine.geometry.decomposition import without
from nscd_engine.geometry.mass_properties import mass_properties

#: Distance over the radius up to which centres lie in one plane [-]: the precision of a careless drawing.
SAME_PLANE = 1e-3


def check_discs(centre, radius, depth, planar, names):
    """Refuse what a planar model cannot have, and discs without one.

    Parameters
    ----------
    centre, radius, depth : arrays (B, 3), (B,), (B,) [m]
        `radius` is 0 for polyhedra, `depth` for all but discs.
    planar : array (3,) or None
    names : list of text
    """
    discs = np.flatnonzero(depth > 0.0)
    if planar is None:
        if len(discs):
            raise GeometryError(
                "A disc can only be a block of a planar model.",
                remedy="Declare the structure planar, or use spheres.",
                blocks=[names[i] for i in discs[:20]],
            )
        return
    spheres = np.flatnonzero(radius > 0.0)
    if len(spheres):
        height = (centre[spheres] - centre[spheres[0]]) @ planar
        off = spheres[np.abs(height) > SAME_PLANE * radius[spheres]]
        if len(off):
            raise GeometryError(
                "The centres of the spheres and discs of a planar model are not in one plane.",
                remedy="Give all of them the same coordinate along the axis of the model.",
                blocks=[names[i] for i in off[:20]],
            )


def body_properties(poly, radius, depth, planar):
    """Volume [m3] (B,), centroid [m] (B, 3) and inertia for unit density [m5] (B, 3, 3) of blocks of any shape.

    A sphere has 2/5 m r^2 about any axis. A disc is a cylinder about the axis of the planar model: 1/2 m r^2 about it
    and m (3 r^2 + depth^2) / 12 across.
    """
    is_round = radius > 0.0
    if not is_round.any():
        return mass_properties(poly)
    volume, inertia = np.empty(len(radius)), np.empty((len(radius), 3, 3))
    centroid = poly.vertices[poly.vertex_start[:-1]]
    if not is_round.all():
        volume[~is_round], centroid[~is_round], inertia[~is_round] = mass_properties(without(poly, is_round))
    r, d = radius[is_round], depth[is_round]
    volume[is_round] = np.where(d > 0.0, np.pi * r**2 * d, 4.0 / 3.0 * np.pi * r**3)
    along = np.zeros((3, 3)) if planar is None else np.outer(planar, planar)
    about = np.where(d > 0.0, 0.5, 0.4) * r**2
    across = np.where(d > 0.0, (3.0 * r**2 + d**2) / 12.0, 0.4 * r**2)
    turning = about[:, None, None] * along + across[:, None, None] * (np.eye(3) - along)
    inertia[is_round] = volume[is_round, None, None] * turning
    return volume, centroid, inertia
