"""Six components of a joint as forces at its points, for what draws and measures joints by points."""

from __future__ import annotations

import numpy as np

from nscd_engine.quasistatic.system import System

#: Pull over the greatest force of a joint below which a point presses [-].
PULL = 1e-9


def point_forces(
    system: System, kept: np.ndarray, centre: np.ndarray, start: np.ndarray, point: np.ndarray
) -> np.ndarray:
    """Forces [N] (P, 3) on the second elements at points (P, 3) [m], with the resultants of the joints.

    Of all such forces those with the least sum of squares are taken; where a joint would pull at some points although
    its centre of pressure is inside, these are left out. A moment at a single point is lost.
    """
    frame, force = system.contacts.frame[kept], -system.state.force[kept]
    count = np.diff(start)
    found = np.zeros((len(point), 3))
    single = np.flatnonzero(count == 1)
    found[start[single]] = np.einsum("ckx,ck->cx", frame[single], force[single, :3])
    for i in np.flatnonzero(count > 1):
        rows = slice(start[i], start[i + 1])
        local = (point[rows] - centre[i]) @ frame[i].T
        found[rows] = _shared(local, force[i]) @ frame[i]
    return found


def _shared(local: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Forces (P, 3) in the axes of a joint at places (P, 3), with six components `force`."""
    used = np.arange(len(local))
    while True:
        share = np.linalg.lstsq(_resultant(local[used]), force, rcond=None)[0].reshape(-1, 3)
        pulls = share[:, 0] < -PULL * np.abs(share).max(initial=0.0)
        if force[0] <= 0.0 or not pulls.any() or pulls.all() or len(used) < 3:
            break
        used = used[~pulls]
    found = np.zeros_like(local)
    found[used] = share
    return found


def _resultant(local: np.ndarray) -> np.ndarray:
    """Matrix (6, 3 P) that sums forces at places (P, 3)."""
    count = len(local)
    total = np.zeros((6, count, 3))
    for k in range(3):
        total[k, :, k] = 1.0
    x, y, z = local.T
    total[3, :, 1], total[3, :, 2] = -z, y
    total[4, :, 0], total[4, :, 2] = z, -x
    total[5, :, 0], total[5, :, 1] = -y, x
    return total.reshape(6, 3 * count)
