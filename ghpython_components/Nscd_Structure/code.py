#! python3
# venv: compas_nscd
"""Blocks and the law of their joints, checked."""

import Grasshopper

from compas_nscd import ghpython


class NscdStructure(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, blocks, law, name, planarity, planar, joint_laws, elastic):
        given = blocks, law, name, planarity, planar, joint_laws, elastic
        return ghpython.run(ghenv, ghpython.structure, *given)  # noqa: F821
