"""Outlines of joints in their own planes."""

from __future__ import annotations

from typing import NamedTuple, Sequence, Union

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.geometry.polygons import cross

#: Area of an outline over that of its hull below which it has notches [-]. Larger: rounding counts as a notch.
CONVEX = 1.0 - 1e-9


class JointPlane(NamedTuple):
    """The outline of a joint in its own plane."""

    corners: np.ndarray  # [m] (n, 3): of the convex hull
    polygon: np.ndarray  # [m] (P, 3)
    frame: np.ndarray  # (3, 3): n, t1, t2
    centre: np.ndarray  # [m] (3,): mean of the corners
    hull: np.ndarray  # [m] (n, 2): the corners, counter-clockwise, in the tangents of the joint, from `centre`
    is_convex: bool

    @property
    def outline(self) -> np.ndarray:
        """The outline as the hull is [m] (n, 2); with notches if the joint has any."""
        return self.hull if self.is_convex else self.flat(self.polygon)

    def flat(self, points: np.ndarray) -> np.ndarray:
        """Points [m] (n, 3) in the plane of the joint (n, 2)."""
        return (points - self.centre) @ self.frame[1:].T

    def placed(self, points: np.ndarray) -> np.ndarray:
        """Points [m] (n, 2) of the plane of the joint in space (n, 3)."""
        return self.centre + points @ self.frame[1:]


def joint_planes(model: Model, detection, rows: Union[Sequence[int], np.ndarray]) -> list[JointPlane]:
    """The planes of joints, by their rows among the interfaces; those with as many corners are computed together."""
    found, contacts = detection.interfaces, detection.contacts
    joints = np.asarray(rows, int)
    first, size = found.contact_start[joints], np.diff(found.contact_start)[joints]
    planes: dict = {}
    for n in np.unique(size).tolist():
        of = np.flatnonzero(size == n)
        corners = contacts.point[first[of, None] + np.arange(n)]
        frame, centre = contacts.frame[first[of]], corners.mean(axis=1)
        flat = np.einsum("jni,jki->jnk", corners - centre[:, None], frame[:, 1:])
        order = np.argsort(np.arctan2(flat[..., 1], flat[..., 0]), axis=1)  # planar models have them in pairs
        hull = np.take_along_axis(flat, order[..., None], axis=1)
        area = 0.5 * cross(hull, np.roll(hull, -1, axis=1)).sum(axis=1)
        convex = (found.area[joints[of]] >= CONVEX * area) | (model.planar is not None)
        start = found.polygon_start[joints[of]]
        end = found.polygon_start[joints[of] + 1]
        for k, at in enumerate(of.tolist()):
            polygon = found.polygon[start[k] : end[k]]
            planes[at] = JointPlane(corners[k], polygon, frame[k], centre[k], hull[k], bool(convex[k]))
    return [planes[k] for k in range(len(joints))]
