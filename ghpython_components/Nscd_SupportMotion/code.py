#! python3
# venv: compas_nscd
"""A support that settles, spreads or turns, from rest to rest."""

import Grasshopper

from compas_nscd import ghpython


class NscdSupportMotion(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, block, displacement, duration, rotation, start):
        return ghpython.run(
            ghenv,  # noqa: F821
            ghpython.support_motion,
            block,
            displacement,
            duration,
            rotation,
            start,
        )
