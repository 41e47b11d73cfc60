#! python3
"""The process that computes."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.engine import engine


class NscdEngine(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, python, restart, stop, install):
        return canvas.run(ghenv, engine, python, restart, stop, install)  # noqa: F821
