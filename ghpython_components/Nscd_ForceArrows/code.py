#! python3
"""Forces in the joints as arrows with their tips at the centres of pressure."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.display import force_arrows


class NscdForceArrows(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, scale, time):
        return canvas.run(ghenv, force_arrows, result, scale, time)  # noqa: F821
