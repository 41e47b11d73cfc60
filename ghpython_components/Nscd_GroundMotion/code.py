#! python3
"""A motion that the supports share."""

import Grasshopper

from compas_nscd import gh_canvas, gh_load


class NscdGroundMotion(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, kind, direction, acceleration, frequency, duration, start, path, times, values):
        return gh_canvas.run(
            ghenv,  # noqa: F821
            gh_load.ground_motion,
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
