#! python3
"""A cable or tie rod."""

import Grasshopper

from compas_nscd import gh_canvas, gh_load


class NscdCable(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block_a, block_b, point_a, point_b, stiffness, prestress, strength):
        given = block_a, block_b, point_a, point_b, stiffness, prestress, strength
        return gh_canvas.run(ghenv, gh_load.cable, *given)  # noqa: F821
