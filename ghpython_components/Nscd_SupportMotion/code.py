#! python3
"""A support that settles, spreads or turns, from rest to rest."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.loads import support_motion


class NscdSupportMotion(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block, displacement, duration, rotation, start):
        return canvas.run(
            ghenv,  # noqa: F821
            support_motion,
            block,
            displacement,
            duration,
            rotation,
            start,
        )
