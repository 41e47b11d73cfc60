#! python3
"""How an analysis is done; every setting has a default."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.solve import settings


class NscdSettings(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(
        self, solver, friction, tolerance, max_iterations, gap_tolerance, angle_tolerance, threads, unsupported
    ):
        return canvas.run(
            ghenv,  # noqa: F821
            settings,
            solver,
            friction,
            tolerance,
            max_iterations,
            gap_tolerance,
            angle_tolerance,
            threads,
            unsupported,
        )
