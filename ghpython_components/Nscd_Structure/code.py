#! python3
"""Blocks and the law of their joints, checked."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.model import structure


class NscdStructure(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, blocks, law, name, planarity, planar, joint_laws):
        given = blocks, law, name, planarity, planar, joint_laws
        return canvas.run(ghenv, structure, *given)  # noqa: F821
