#! python3
"""A force on a block."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.loads import point_load


class NscdPointLoad(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block, point, force, times, factors):
        return canvas.run(ghenv, point_load, block, point, force, times, factors)  # noqa: F821
