#! python3
# venv: compas_nscd
"""What is in a dynamic result, at a time."""

import Grasshopper

from compas_nscd import ghpython


class NscdDeconstructDynamic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, time):
        return ghpython.run(ghenv, ghpython.deconstruct_dynamic, result, time)  # noqa: F821
