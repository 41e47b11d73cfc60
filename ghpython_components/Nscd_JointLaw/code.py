#! python3
"""The law of a joint."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.laws import joint_law


class NscdJointLaw(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block_a, block_b, law, point):
        return canvas.run(ghenv, joint_law, block_a, block_b, law, point)  # noqa: F821
