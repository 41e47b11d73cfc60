"""Elastic joints without bond that open in part: they are cut along the line where they open.

Pressure is linear over the closed part, so that the points of that part integrate it exactly. With associated friction
a part that slides opens by mu |u_t|, and is closed as far as that is more than its opening. Where the line is depends
on the displacements, and these on the line: a few solutions, each cut along the line of the one before, converge as
Newton's method does. Joints that are closed or open as a whole keep their points.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core import law_table
from nscd_engine.core.model import Model
from nscd_engine.laws.crushing import measured, split
from nscd_engine.laws.fibres import with_points
from nscd_engine.laws.joint_motion import opening, relative_motion
from nscd_engine.laws.joint_planes import joint_planes
from nscd_engine.laws.sections import section_points

#: Share of a joint that is closed or open below which it is not cut [-]. Smaller: cells of the size of rounding.
SLIVER = 1e-6
#: Greatest force of a joint over the weight of its lighter free block below which it is not cut [-]: of the head joints
#: of a wall, say, which carry next to nothing. Larger: joints that matter turn too little. Smaller: solutions in vain.
FAINT = 1e-2
#: Change of the closed area over it at which a joint is not cut again [-]: stresses change by its square.
SETTLED = 1e-3


class PartialOpening:
    """The elastic joints of a model whose points follow the line where they open.

    Parameters
    ----------
    model : Model
    detection : Detection
        With contacts at the corners.
    dilates : bool
        Whether friction is associated.
    """

    def __init__(self, model: Model, detection, dilates: bool):
        law = model.law[detection.law]
        found = detection.interfaces
        plane = (found.area > 0.0) & (np.diff(found.contact_start) > 2)
        elastic = ~np.isnan(law[:, law_table.STIFFNESS_N]) & np.isnan(law[:, law_table.COHESION])
        rows = np.flatnonzero(plane & elastic & np.isnan(law[:, law_table.COMPRESSION]))
        joints = joint_planes(model, detection, rows)
        kept = np.array([joint.is_convex for joint in joints], bool)
        self.bodies, self.rows = model.bodies, rows[kept]
        self.joints = [joint for joint in joints if joint.is_convex]
        self.body = found.body[self.rows]
        weight = np.where(model.bodies.free >= 0, model.bodies.mass * np.linalg.norm(model.gravity), np.inf)
        stiffness = law[self.rows, law_table.STIFFNESS_N] * found.area[self.rows]
        self.faint = FAINT * weight[self.body].min(axis=1) / stiffness  # [m] compression
        self.friction = dilates * model.law[detection.law[self.rows], law_table.FRICTION]
        self.closed = np.array([measured(joint.outline).area for joint in self.joints])  # [m2] area of the closed part
        self.points: dict = {}  # of joints that are cut, as `with_points` takes them

    def cut(self, displacement: np.ndarray) -> bool:
        """Cut joints for displacements [m, rad] (N, 6) of the free bodies; whether any line has moved."""
        if not len(self.rows):
            return False
        centre = np.array([joint.centre for joint in self.joints])
        frame = np.array([joint.frame for joint in self.joints])
        moved, turned = relative_motion(self.bodies, self.body, centre, frame, displacement)
        lines = -opening(moved, turned)
        lines[:, 0] += self.friction * np.hypot(moved[:, 1], moved[:, 2])
        # Not a generator: each joint is cut.
        return any([self._cut_joint(k, line) for k, line in enumerate(lines)])

    def _cut_joint(self, k, line):
        """Cut a joint where its compression `line` (3,) is zero; whether its closed part has changed."""
        joint = self.joints[k]
        parts = [None if part is None else measured(part) for part in split(joint.outline, line)]
        closed = 0.0 if parts[0] is None else parts[0].area
        whole = closed + (0.0 if parts[1] is None else parts[1].area)
        part = SLIVER * whole < closed < (1.0 - SLIVER) * whole
        if (self.rows[k] not in self.points and not part) or (joint.outline @ line[1:] + line[0]).max() < self.faint[k]:
            return False
        moved = abs(closed - self.closed[k]) > SETTLED * max(closed, SLIVER * whole)
        if moved:
            rule = [section_points(part.outline) for part in parts if part is not None and part.area > SLIVER * whole]
            point, size = map(np.concatenate, zip(*rule))
            self.points[self.rows[k]] = joint.placed(point), size
            self.closed[k] = closed
        return moved

    def placed(self, detection, area: np.ndarray) -> tuple:
        """The detection with the points of the joints that are cut, and the areas of all contacts [m2] (C,)."""
        return with_points(detection, area, self.points) if self.points else (detection, area)
