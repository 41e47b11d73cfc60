"""Points that stay on deformable blocks while these deform: those of joints, and the ends of cables."""

from __future__ import annotations

import numpy as np

from nscd_engine.laws.joint_state import Arms, Joints
from nscd_engine.motion.deformable.touching import Faces, Touching


class Attached:
    """The points of joints and the ends of cables. J points, K cables.

    Parameters
    ----------
    joints : Joints
    faces : Faces
        Of the deformable blocks.
    """

    def __init__(self, joints: Joints, faces: Faces) -> None:
        self.joints = joints
        cables = joints.cables
        ends = np.zeros((0, 2), np.int32) if cables is None else cables.cables.body
        self._body = np.concatenate([joints.body, ends])
        self._arm = np.concatenate([joints.arms.joint, joints.arms.cable])
        self._all = faces.moving(self._body, self._arm)

    def arms(self, displacement: np.ndarray) -> Arms:
        """Arms to the points of blocks whose nodes are displaced by (n, 3) [m]; both in the axes of the blocks."""
        moved = self._all.moved(displacement)
        count = len(self.joints.area)
        return self.joints.arms.bent(moved[:count], moved[count:])

    def touching(self) -> Touching:
        """The nodes that move the contacts of this step that are points of joints or cables."""
        return self._all.of(self._rows())

    def set_arms(self, arm: np.ndarray, rotation: np.ndarray) -> None:
        """Write the arms (c, 2, 3) [m] of these contacts on deformable blocks, in world axes; rotation (B, 3, 3).

        Nodes move the material points on either side, rigid blocks the point half way between these.
        """
        rows = self._rows()
        turned = np.einsum("csij,csj->csi", rotation[self._body[rows]], self._arm[rows])
        arm[:] = np.where((self._all.row[rows] >= 0)[..., None], turned, arm)

    def _rows(self) -> np.ndarray:
        """Rows of the joints that last, and of all cables."""
        count, cables = len(self.joints.area), len(self.joints.arms.cable)
        return np.append(self.joints.rows, count + np.arange(cables))
