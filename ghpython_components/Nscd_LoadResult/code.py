#! python3
# venv: compas_nscd
"""Read a result from a file."""

import Grasshopper

from compas_nscd import ghpython


class NscdLoadResult(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, path):
        return ghpython.run(ghenv, ghpython.load_result, path)  # noqa: F821
