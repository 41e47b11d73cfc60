#! python3
"""A rigid block of a closed solid."""

import Grasshopper

from compas_nscd import gh_canvas, gh_model


class NscdBlock(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, geometry, density, name, support, friction):
        return gh_canvas.run(ghenv, gh_model.block, geometry, density, name, support, friction)  # noqa: F821
