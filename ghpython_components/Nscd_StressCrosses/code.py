#! python3
"""Principal stresses of every block."""

import Grasshopper

from compas_nscd import gh_canvas, gh_display


class NscdStressCrosses(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, scale):
        return gh_canvas.run(ghenv, gh_display.stress_crosses, result, scale)  # noqa: F821
