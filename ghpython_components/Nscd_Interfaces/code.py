#! python3
"""The joints of a static result, one branch each."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.results import interfaces


class NscdInterfaces(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result):
        return canvas.run(ghenv, interfaces, result)  # noqa: F821
