#! python3
"""Write a result to a file."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.tools import save_result


class NscdSaveResult(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, path, save):
        return canvas.run(ghenv, save_result, result, path, save)  # noqa: F821
