#! python3
"""A force on a block."""

import Grasshopper

from compas_nscd import gh_canvas, gh_load


class NscdPointLoad(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block, point, force, times, factors):
        return gh_canvas.run(ghenv, gh_load.point_load, block, point, force, times, factors)  # noqa: F821
