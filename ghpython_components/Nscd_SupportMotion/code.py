#! python3
"""A support that settles, spreads or turns, from rest to rest."""

import Grasshopper

from compas_nscd import gh_canvas, gh_load


class NscdSupportMotion(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block, displacement, duration, rotation, start):
        return gh_canvas.run(
            ghenv,  # noqa: F821
            gh_load.support_motion,
            block,
            displacement,
            duration,
            rotation,
            start,
        )
