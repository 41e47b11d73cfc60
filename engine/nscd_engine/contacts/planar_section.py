"""Joints of planar models, whose blocks move in the plane perpendicular to an axis and turn about it.

Forces out of the plane are taken by the constraint. In statics a joint of the section is extruded: its points come in
pairs, before and behind the plane, so that no moment turns a block out of it. The forces are those of the model in
space.
"""

from __future__ import annotations

import math
from typing import List, Optional, Tuple

import numpy as np

from compas_nscd.errors import GeometryError
from nscd_engine.bodies.planar import in_plane
from nscd_engine.contacts.patches import Patches, take
from nscd_engine.core.structs import POINT_BITS, Contacts

#: Extent of a joint in one direction over that in the other, below which it is zero [-]. Larger: narrow joints have one
#: row of points. Smaller: rounding gives line contacts a width.
ONE_POINT = 1e-6


def section_patches(
    patches: Patches, pairs: np.ndarray, axis: Optional[np.ndarray], angle: float, names: List[str]
) -> Tuple[Patches, list]:
    """Patches that the section shows, with normals in its plane; and the pairs that meet only behind each other.

    Parameters
    ----------
    patches : Patches
    pairs : array (P, 2)
        Blocks.
    axis : array (3,), optional
        None for a model in space.
    angle : float
        Greatest angle of a normal with the plane, or with the axis [rad]: the precision of the drawing.
    names : list of text

    Raises
    ------
    GeometryError
        If a normal is neither in the plane nor along the axis: the blocks are not those of an extruded section.
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
    kept = _extruded(kept._replace(frame=np.stack([n, t1, np.cross(n, t1)], axis=1)), axis)
    return kept, np.unique(pairs[patches.pair[behind]], axis=0).tolist()


def _extruded(patches, axis):
    """Patches whose contact points are the ends of the joint in the section, each before and behind the plane."""
    count, start = len(patches.area), patches.point_start
    if count == 0:
        return patches
    of = np.repeat(np.arange(count), np.diff(start))
    along = np.einsum("pi,pi->p", patches.point - patches.centroid[of], patches.frame[of, 1])
    order = np.lexsort((along, of))
    ends = np.stack([order[start[:-1]], order[start[1:] - 1]], axis=1)  # (I, 2): the points farthest to either side
    height = (patches.point - patches.centroid[of]) @ axis
    rim = np.stack([np.minimum.reduceat(height, start[:-1]), np.maximum.reduceat(height, start[:-1])], axis=1)
    extent = np.stack([along[ends[:, 1]] - along[ends[:, 0]], rim[:, 1] - rim[:, 0]], axis=1)
    several = extent > ONE_POINT * extent.max(axis=1)[:, None]
    base = in_plane(patches.point[ends] - patches.centroid[:, None], axis) + patches.centroid[:, None]
    point = base[:, :, None] + rim[:, None, :, None] * axis  # (I, 2, 2, 3)
    kept = np.ones((count, 2, 2), bool)
    kept[:, 1] &= several[:, :1]
    kept[:, :, 1] &= several[:, 1:]
    point_start = np.concatenate([[0], np.cumsum(kept.sum(axis=(1, 2)))]).astype(np.int32)
    gap = np.broadcast_to(patches.point_gap[ends][:, :, None], kept.shape)
    return patches._replace(point=point[kept], point_gap=gap[kept], point_start=point_start)


def section_arms(arm: np.ndarray, contacts: Contacts, axis: Optional[np.ndarray]) -> np.ndarray:
    """Arms (C, 2, 3) [m] whose component along the axis is the distance of the contact from the middle of its joint.

    The centroids of both blocks are then in the middle plane of the joint, wherever they were drawn.
    """
    if axis is None or not len(arm):
        return arm
    _, of = np.unique(contacts.key >> POINT_BITS, return_inverse=True)
    height = (contacts.point - contacts.point[0]) @ axis
    low, high = np.full(of.max() + 1, np.inf), np.full(of.max() + 1, -np.inf)
    np.minimum.at(low, of, height)
    np.maximum.at(high, of, height)
    off = height - 0.5 * (low + high)[of]
    return in_plane(arm, axis) + off[:, None, None] * axis
