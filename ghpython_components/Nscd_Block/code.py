#! python3
# venv: compas_nscd
"""A rigid block of a closed solid."""

import Grasshopper

from compas_nscd import ghpython


class NscdBlock(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, geometry, density, name, support, friction):
        return ghpython.run(ghenv, ghpython.block, geometry, density, name, support, friction)  # noqa: F821
