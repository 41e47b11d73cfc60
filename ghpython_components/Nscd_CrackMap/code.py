#! python3
# venv: compas_nscd
"""Joints that open or slide as the structure falls, widest first."""

import Grasshopper

from compas_nscd import ghpython


class NscdCrackMap(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, least):
        return ghpython.run(ghenv, ghpython.crack_map, result, least)  # noqa: F821
