#! python3
# venv: compas_nscd
"""Write a result to a file."""

import Grasshopper

from compas_nscd import ghpython


class NscdSaveResult(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, path, save):
        return ghpython.run(ghenv, ghpython.save_result, result, path, save)  # noqa: F821
