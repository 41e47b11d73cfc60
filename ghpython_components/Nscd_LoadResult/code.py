#! python3
"""Read a result from a file."""

import Grasshopper

from compas_nscd import gh_canvas, gh_tools


class NscdLoadResult(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, path):
        return gh_canvas.run(ghenv, gh_tools.load_result, path)  # noqa: F821
