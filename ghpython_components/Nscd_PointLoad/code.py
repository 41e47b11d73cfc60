#! python3
# venv: compas_nscd
"""A force on a block."""

import Grasshopper

from compas_nscd import ghpython


class NscdPointLoad(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block, point, force, times, factors):
        return ghpython.run(ghenv, ghpython.point_load, block, point, force, times, factors)  # noqa: F821
