"""A step with joints and cables: solved again until no further point crushes (laws.moving_caps)."""

from __future__ import annotations

from typing import Callable, Optional, Tuple

import numpy as np

from nscd_engine.core.structs import Problem
from nscd_engine.laws.joint_state import Joints
from nscd_engine.laws.moving_caps import MOST_ROUNDS
from nscd_engine.laws.posing import Posed
from nscd_engine.solvers.solution import Report

#: Solves a posed problem from impulses (C + D, 3) [N s], None in the first step: its impulses, a Report, and the
#: velocities of b relative to a (C + D, 3) [m/s] in the frames of the contacts.
SolvePosed = Callable[[Posed, Optional[np.ndarray]], Tuple[np.ndarray, Report, np.ndarray]]


def solve_with_joints(
    joints: Joints, problem: Problem, impulses: Optional[np.ndarray], h: float, theta: float, solve: SolvePosed
) -> Tuple[np.ndarray, Report]:
    """Impulses (C, 3) [N s] of a problem with the laws of its joints, which keep their new state, and a Report.

    `impulses` (C, 3) are those of the step before, None in the first one; h [s] and theta [-] are of the scheme.
    """
    for _ in range(MOST_ROUNDS):
        posed = joints.pose(problem, h, theta)
        start = None if impulses is None else joints.warm(posed, impulses, h)
        found, report, u = solve(posed, start)
        if not joints.crush(problem, posed, found, u, h):
            break
    else:
        report = report._replace(status="stalled", residual=max(report.residual, joints.caps.excess))
    return joints.keep(posed, found, h), report
