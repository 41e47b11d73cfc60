#! python3
# venv: compas_nscd
"""Vibration modes with closed joints."""

import Grasshopper

from compas_nscd import ghpython


class NscdModes(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, count, mode, size, block, settings, compute):
        return ghpython.run(ghenv, ghpython.modes, structure, count, mode, size, block, settings, compute)  # noqa: F821
