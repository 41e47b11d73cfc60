#! python3
"""Blocks and the law of their joints, checked."""

import Grasshopper

from compas_nscd import gh_canvas, gh_model


class NscdStructure(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, blocks, law, name, planarity, planar, joint_laws):
        given = blocks, law, name, planarity, planar, joint_laws
        return gh_canvas.run(ghenv, gh_model.structure, *given)  # noqa: F821
