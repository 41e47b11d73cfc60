"""Relative motion of the two blocks of a joint, as a field over its plane."""

from __future__ import annotations

import numpy as np

from nscd_engine.core.structs import Bodies


def relative_motion(
    bodies: Bodies, body: np.ndarray, centre: np.ndarray, frame: np.ndarray, motion: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Motion of block b from a at the centre of each joint, and their relative rotation, both in its frame (J, 3).

    Parameters
    ----------
    bodies : Bodies
    body : array (J, 2)
        Blocks a, b.
    centre : array (J, 3)
        [m]
    frame : array (J, 3, 3)
        Rows n, t1, t2.
    motion : array (N, 6)
        Of the free bodies: velocities, or displacements and small rotations. Supports do not move.
    """
    moved, turned = np.zeros((len(body), 3)), np.zeros((len(body), 3))
    for side, sign in ((0, -1.0), (1, 1.0)):
        free = bodies.free[body[:, side]]
        mine = np.where(free[:, None] >= 0, motion[free], 0.0)
        arm = centre - bodies.centroid[body[:, side]]
        moved += sign * (mine[:, :3] + np.cross(mine[:, 3:], arm))
        turned += sign * mine[:, 3:]
    return np.einsum("jkx,jx->jk", frame, moved), np.einsum("jkx,jx->jk", frame, turned)


def opening(moved: np.ndarray, turned: np.ndarray) -> np.ndarray:
    """Opening over the plane of each joint (J, 3): at its centre, and its slopes along t1 and t2."""
    return np.stack([moved[:, 0], -turned[:, 2], turned[:, 1]], axis=1)
