#! python3
"""Play a motion, or the mechanism of a collapse."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.display import animate


class NscdAnimate(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, play, speed, time, loop):
        return canvas.run(ghenv, animate, result, play, speed, time, loop)  # noqa: F821
