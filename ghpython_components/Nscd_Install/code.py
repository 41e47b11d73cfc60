#! python3
# r: compas_nscd>=0.1.0
"""Puts compas_nscd into Rhino 8 and checks that all is there."""

import sys

import Grasshopper

if sys.version_info < (3, 9):
    raise ImportError("COMPAS NSCD needs Rhino 8 or later: Rhino 7 and IronPython cannot run it.")

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.tools import install  # noqa: E402


class NscdInstall(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, check, install_engine):
        return canvas.run(ghenv, install, check, install_engine)  # noqa: F821
