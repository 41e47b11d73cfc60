#! python3
"""What is in a static result."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.results import deconstruct_static


class NscdDeconstructStatic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result):
        return canvas.run(ghenv, deconstruct_static, result)  # noqa: F821
