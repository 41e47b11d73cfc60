#! python3
"""Does it stand, with which forces, or how does it fall."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.solve import static


class NscdStatic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, settings, compute):
        return canvas.run(ghenv, static, structure, case, settings, compute)  # noqa: F821
