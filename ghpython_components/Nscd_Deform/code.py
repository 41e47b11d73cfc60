#! python3
# venv: compas_nscd
"""Blocks of a structure made deformable."""

import Grasshopper

from compas_nscd import ghpython


class NscdDeform(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, elastic, blocks):
        return ghpython.run(ghenv, ghpython.deform, structure, elastic, blocks)  # noqa: F821
