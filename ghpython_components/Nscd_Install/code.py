#! python3
# r: compas_nscd>=0.1.0
"""Puts compas_nscd into Rhino 8 and checks that all is there."""

import sys

import Grasshopper

if sys.version_info < (3, 9):
    raise ImportError("COMPAS NSCD needs Rhino 8 or later: Rhino 7 and IronPython cannot run it.")

from compas_nscd import ghpython


class NscdInstall(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, check, install_engine):
        return ghpython.run(ghenv, ghpython.install, check, install_engine)  # noqa: F821
