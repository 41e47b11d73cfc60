#! python3
"""Lines through the centres of pressure of chains of blocks."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.display import thrust_line


class NscdThrustLine(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, blocks, plane):
        return canvas.run(ghenv, thrust_line, result, blocks, plane)  # noqa: F821
