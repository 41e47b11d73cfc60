#! python3
"""What is in a dynamic result, at a time."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.results import deconstruct_dynamic


class NscdDeconstructDynamic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, time):
        return canvas.run(ghenv, deconstruct_dynamic, result, time)  # noqa: F821
