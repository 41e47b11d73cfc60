#! python3
# venv: compas_nscd
"""What is in a static result."""

import Grasshopper

from compas_nscd import ghpython


class NscdDeconstructStatic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result):
        return ghpython.run(ghenv, ghpython.deconstruct_static, result)  # noqa: F821
