#! python3
"""How an analysis is done; every setting has a default."""

import Grasshopper

from compas_nscd import gh_canvas, gh_solve


class NscdSettings(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(
        self, solver, friction, tolerance, max_iterations, gap_tolerance, angle_tolerance, threads, unsupported
    ):
        return gh_canvas.run(
            ghenv,  # noqa: F821
            gh_solve.settings,
            solver,
            friction,
            tolerance,
            max_iterations,
            gap_tolerance,
            angle_tolerance,
            threads,
            unsupported,
        )
