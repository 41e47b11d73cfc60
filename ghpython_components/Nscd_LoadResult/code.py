#! python3
"""Read a result from a file."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.tools import load_result


class NscdLoadResult(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, path):
        return canvas.run(ghenv, load_result, path)  # noqa: F821
