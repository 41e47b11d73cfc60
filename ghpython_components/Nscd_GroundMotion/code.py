#! python3
# venv: compas_nscd
"""A motion that the supports share."""

import Grasshopper

from compas_nscd import ghpython


class NscdGroundMotion(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, kind, direction, acceleration, frequency, duration, start, path, times, values):
        return ghpython.run(
            ghenv,  # noqa: F821
            ghpython.ground_motion,
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
