#! python3
"""Write a result to a file."""

import Grasshopper

from compas_nscd import gh_canvas, gh_tools


class NscdSaveResult(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, path, save):
        return gh_canvas.run(ghenv, gh_tools.save_result, result, path, save)  # noqa: F821
