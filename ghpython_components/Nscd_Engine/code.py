#! python3
"""The process that computes."""

import Grasshopper

from compas_nscd import gh_canvas, gh_engine


class NscdEngine(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, python, restart, stop, install):
        return gh_canvas.run(ghenv, gh_engine.engine, python, restart, stop, install)  # noqa: F821
