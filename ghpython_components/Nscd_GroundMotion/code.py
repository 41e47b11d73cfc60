#! python3
"""A motion that the supports share."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.loads import ground_motion


class NscdGroundMotion(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, kind, direction, acceleration, frequency, duration, start, path, times, values):
        return canvas.run(
            ghenv,  # noqa: F821
            ground_motion,
            kind,
            direction,
            acceleration,
            frequency,
            duration,
            start,
            path,
            times,
            values,
        )
