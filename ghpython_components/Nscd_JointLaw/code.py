#! python3
# venv: compas_nscd
"""The law of a joint."""

import Grasshopper

from compas_nscd import ghpython


class NscdJointLaw(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block_a, block_b, law, point):
        return ghpython.run(ghenv, ghpython.joint_law, block_a, block_b, law, point)  # noqa: F821
