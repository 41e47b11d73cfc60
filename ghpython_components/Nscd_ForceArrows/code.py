#! python3
"""Forces in the joints as arrows with their tips at the centres of pressure."""

import Grasshopper

from compas_nscd import gh_canvas, gh_display


class NscdForceArrows(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, scale, time):
        return gh_canvas.run(ghenv, gh_display.force_arrows, result, scale, time)  # noqa: F821
