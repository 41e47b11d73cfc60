#! python3
# venv: compas_nscd
"""Play a motion, or the mechanism of a collapse."""

import Grasshopper

from compas_nscd import ghpython


class NscdAnimate(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, play, speed, time, loop):
        return ghpython.run(ghenv, ghpython.animate, result, play, speed, time, loop)  # noqa: F821
