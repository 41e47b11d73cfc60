#! python3
# venv: compas_nscd
"""The process that computes."""

import Grasshopper

from compas_nscd import ghpython


class NscdEngine(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, python, restart, stop, install):
        return ghpython.run(ghenv, ghpython.engine, python, restart, stop, install)  # noqa: F821
