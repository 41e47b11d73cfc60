#! python3
# venv: compas_nscd
"""Deformed blocks, coloured by stress."""

import Grasshopper

from compas_nscd import ghpython


class NscdDeformedBlocks(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, magnify, stress):
        return ghpython.run(ghenv, ghpython.deformed_blocks, result, magnify, stress)  # noqa: F821
