#! python3
"""Blocks and the law of their joints, checked."""

import Grasshopper

from compas_nscd import ghpython


class NscdStructure(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, blocks, law, name, planarity, planar):
        return ghpython.run(ghenv, ghpython.structure, blocks, law, name, planarity, planar)  # noqa: F821
