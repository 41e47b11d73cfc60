#! python3
# venv: compas_nscd
"""The joints of a static result, one branch each."""

import Grasshopper

from compas_nscd import ghpython


class NscdInterfaces(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result):
        return ghpython.run(ghenv, ghpython.interfaces, result)  # noqa: F821
