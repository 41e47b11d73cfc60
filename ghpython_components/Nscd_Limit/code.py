#! python3
"""How far it is from collapse, and how it would collapse."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.limit import limit


class NscdLimit(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, vary, coulomb, settings, compute):
        return canvas.run(ghenv, limit, structure, case, vary, coulomb, settings, compute)  # noqa: F821
