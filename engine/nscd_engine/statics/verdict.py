"""Stands or falls: the verdict from the velocities."""

import numpy as np

from nscd_engine.solvers.problem import free_fall

#: Speed over that of free fall up to which a structure stands [-]. Rounding leaves 1e-9; a structure loaded 0.01 %
#: beyond its limit moves at about 1e-5.
STANDING_SPEED = 1e-6
#: The same for an answer that did not converge [-]; it comes with a warning.
UNSURE_SPEED = 1e-3


def speed(model, problem, velocity):
    """Greatest speed of a free block over that of free fall [-]; turning counts with half the size of the block."""
    size = model.bodies.size[model.bodies.free >= 0]
    linear = np.linalg.norm(velocity[:, :3], axis=1)
    turning = 0.5 * size * np.linalg.norm(velocity[:, 3:], axis=1)
    return float(np.maximum(linear, turning).max(initial=0.0)) / free_fall(model, problem)


def judge(model, problem, report, settings, warnings):
    """`stable` or `collapse`; a warning if the solver did not reach its tolerance."""
    fast = speed(model, problem, report.velocity)
    if report.status == "converged":
        return "stable" if fast <= STANDING_SPEED else "collapse"
    warnings.append(
        {
            "code": "not_converged",
            "message": (
                "The solver {} stopped ({}) at a residual of {:.1e}, above the tolerance {:.1e}; the verdict is "
                "uncertain. Raise max_iterations or the tolerance, or use the solver newton."
            ).format(settings.solver, report.status, report.residual, settings.tolerance),
            "blocks": [],
        }
    )
    shrinking = len(report.speed) > 1 and report.speed[-1] < 0.1 * report.speed[-2]
    most = UNSURE_SPEED if shrinking or not report.speed else STANDING_SPEED
    return "stable" if fast <= most else "collapse"
