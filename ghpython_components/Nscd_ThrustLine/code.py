#! python3
"""Lines through the centres of pressure of chains of blocks."""

import Grasshopper

from compas_nscd import gh_canvas, gh_display


class NscdThrustLine(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, blocks, plane):
        return gh_canvas.run(ghenv, gh_display.thrust_line, result, blocks, plane)  # noqa: F821
