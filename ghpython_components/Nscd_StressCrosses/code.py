#! python3
# venv: compas_nscd
"""Principal stresses of every block."""

import Grasshopper

from compas_nscd import ghpython


class NscdStressCrosses(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, scale):
        return ghpython.run(ghenv, ghpython.stress_crosses, result, scale)  # noqa: F821
