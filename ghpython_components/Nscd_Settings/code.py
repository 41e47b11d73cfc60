#! python3
# venv: compas_nscd
"""How an analysis is done; every setting has a default."""

import Grasshopper

from compas_nscd import ghpython


class NscdSettings(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(
        self, solver, friction, tolerance, max_iterations, gap_tolerance, angle_tolerance, threads, unsupported
    ):
        return ghpython.run(
            ghenv,  # noqa: F821
            ghpython.settings,
            solver,
            friction,
            tolerance,
            max_iterations,
            gap_tolerance,
            angle_tolerance,
            threads,
            unsupported,
        )
