#! python3
"""The law of a joint."""

import Grasshopper

from compas_nscd import gh_canvas, gh_law


class NscdJointLaw(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block_a, block_b, law, point):
        return gh_canvas.run(ghenv, gh_law.joint_law, block_a, block_b, law, point)  # noqa: F821
