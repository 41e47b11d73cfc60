#! python3
"""Principal stresses of every block."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.display import stress_crosses


class NscdStressCrosses(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, scale):
        return canvas.run(ghenv, stress_crosses, result, scale)  # noqa: F821
