#! python3
# venv: compas_nscd
"""Lines through the centres of pressure of chains of blocks."""

import Grasshopper

from compas_nscd import ghpython


class NscdThrustLine(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, blocks, plane):
        return ghpython.run(ghenv, ghpython.thrust_line, result, blocks, plane)  # noqa: F821
