#! python3
"""Joints that open or slide as the structure falls, widest first."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.display import crack_map


class NscdCrackMap(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, least):
        return canvas.run(ghenv, crack_map, result, least)  # noqa: F821
