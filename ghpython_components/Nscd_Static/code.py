#! python3
# venv: compas_nscd
"""Does it stand, with which forces, or how does it fall."""

import Grasshopper

from compas_nscd import ghpython


class NscdStatic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, settings, compute):
        return ghpython.run(ghenv, ghpython.static_analysis, structure, case, settings, compute)  # noqa: F821
