#! python3
"""A rigid block of a closed solid."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.model import block


class NscdBlock(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, geometry, density, name, support, friction):
        return canvas.run(ghenv, block, geometry, density, name, support, friction)  # noqa: F821
