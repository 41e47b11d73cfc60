#! python3
# venv: compas_nscd
"""What is wrong with a drawing: gaps, overlaps, isolated blocks and open edges, each in its place."""

import Grasshopper

from compas_nscd import ghpython


class NscdCheck(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, blocks, settings, compute):
        return ghpython.run(ghenv, ghpython.check, blocks, settings, compute)  # noqa: F821
