#! python3
# venv: compas_nscd
"""A cable or tie rod."""

import Grasshopper

from compas_nscd import ghpython


class NscdCable(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block_a, block_b, point_a, point_b, stiffness, prestress, strength):
        given = block_a, block_b, point_a, point_b, stiffness, prestress, strength
        return ghpython.run(ghenv, ghpython.cable, *given)  # noqa: F821
