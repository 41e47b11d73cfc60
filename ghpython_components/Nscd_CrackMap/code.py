#! python3
"""Joints that open or slide as the structure falls, widest first."""

import Grasshopper

from compas_nscd import gh_canvas, gh_display


class NscdCrackMap(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, least):
        return gh_canvas.run(ghenv, gh_display.crack_map, result, least)  # noqa: F821
