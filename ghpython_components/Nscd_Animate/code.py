#! python3
"""Play a motion, or the mechanism of a collapse."""

import Grasshopper

from compas_nscd import gh_canvas, gh_display


class NscdAnimate(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, play, speed, time, loop):
        return gh_canvas.run(ghenv, gh_display.animate, result, play, speed, time, loop)  # noqa: F821
