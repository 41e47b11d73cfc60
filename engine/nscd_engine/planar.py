"""Planar models: blocks move in the plane square to an axis and turn about it. For statics and motion alike.

Whatever acts out of the plane is taken by the lock. Points of a contact that lie behind each other act as one, because
arms are cut to the plane.
"""

import math

import numpy as np

from compas_nscd.errors import GeometryError
from nscd_engine.patches import take


def in_plane(x, axis):
    """Vectors (..., 3) without their part along the unit vector `axis`; as they are if that is None."""
    return x if axis is None else x - (x @ axis)[..., None] * axis


def planar_velocity(v, axis):
    """Velocities (n, 6) without motion out of the plane square to `axis`; as they are if that is None."""
    if axis is None:
        return v
    return np.hstack([in_plane(v[:, :3], axis), np.outer(v[:, 3:] @ axis, axis)])


def planar_inertia(inertia, axis):
    """Inertias (n, 3, 3) without products that would turn a block out of its plane."""
    if axis is None:
        return inertia
    along = np.outer(axis, axis)
    across = np.eye(3) - along
    return along @ inertia @ along + across @ inertia @ across


def section_patches(patches, pairs, axis, angle, names):
    """The patches that the section shows, their normals in its plane; and the pairs that meet only behind each other.

    Parameters
    ----------
    patches : Patches
    pairs : array (P, 2) of blocks
    axis : array (3,), or None for a model in space
    angle : float
        By which a normal may leave the plane, or the axis [rad]: the precision of the drawing.
    names : list of text

    Raises
    ------
    GeometryError
        If a joint is neither: the blocks are not those of an extruded section.
    """
    if axis is None:
        return patches, []
    out = np.abs(patches.frame[:, 0] @ axis)
    shown, behind = out <= math.sin(angle), out >= math.cos(angle)
    oblique = np.flatnonzero(~shown & ~behind)
    if len(oblique):
        raise GeometryError(
            "{} joints of the planar model lean out of its plane.".format(len(oblique)),
            remedy="Blocks of a planar model are extruded along its axis; or analyse it in space.",
            blocks=[names[i] for i in np.unique(pairs[patches.pair[oblique]])],
        )
    kept = take(patches, np.flatnonzero(shown))
    n = in_plane(kept.frame[:, 0], axis)
    n /= np.linalg.norm(n, axis=1)[:, None]
    t1 = np.cross(axis, n)
    kept = kept._replace(frame=np.stack([n, t1, np.cross(n, t1)], axis=1))
    return kept, np.unique(pairs[patches.pair[behind]], axis=0).tolist()
