"""The verdict, from the velocities of the static step (docs/methods.md, section 1.4)."""

from __future__ import annotations

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.solvers.problem import free_fall
from nscd_engine.solvers.solution import Report

#: Speed over that of free fall up to which a structure stands [-]. Rounding leaves 1e-9; a structure loaded 0.01 %
#: beyond its limit moves at about 1e-5. Larger: slow collapse counts as standing. Smaller: rounding as collapse.
STANDING_SPEED = 1e-6
#: The same for a solution that did not converge, whose speed still falls from eps to eps [-]; it has a warning.
UNSURE_SPEED = 1e-3


def speeds(model: Model, velocity: np.ndarray) -> np.ndarray:
    """Speeds of the free blocks (N,) [m/s]; rotation counts with half the size of the block."""
    size = model.bodies.size[model.bodies.free >= 0]
    linear = np.linalg.norm(velocity[:, :3], axis=1)
    turning = 0.5 * size * np.linalg.norm(velocity[:, 3:], axis=1)
    return np.maximum(linear, turning)


def speed(model: Model, problem: Problem, velocity: np.ndarray) -> float:
    """Greatest speed of a free block over that of free fall [-]."""
    return float(speeds(model, velocity).max(initial=0.0)) / free_fall(model, problem)


def judge(model: Model, problem: Problem, report: Report, settings: Settings) -> tuple[str, list]:
    """`stable` or `collapse`, and warnings: one if the solver did not reach its tolerance."""
    greatest = speed(model, problem, report.velocity)
    if report.status == "converged":
        return "stable" if greatest <= STANDING_SPEED else "collapse", []
    text = (
        "The solver {} stopped ({}) at a residual of {:.1e}, above the tolerance {:.1e}; the verdict is "
        "uncertain. Raise max_iterations or the tolerance, or use the solver newton."
    )
    message = text.format(settings.solver, report.status, report.residual, settings.tolerance)
    shrinking = len(report.speed) > 1 and report.speed[-1] < 0.1 * report.speed[-2]
    most = UNSURE_SPEED if shrinking or not report.speed else STANDING_SPEED
    verdict = "stable" if greatest <= most else "collapse"
    return verdict, [{"code": "not_converged", "message": message, "blocks": []}]
