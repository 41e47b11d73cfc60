#! python3
# venv: compas_nscd
"""How far it is from collapse, and how it would collapse."""

import Grasshopper

from compas_nscd import ghpython


class NscdLimit(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, vary, coulomb, settings, compute):
        return ghpython.run(ghenv, ghpython.limit, structure, case, vary, coulomb, settings, compute)  # noqa: F821
