#! python3
"""A page about a result that any browser shows, with the model in it."""

import Grasshopper

from compas_nscd import gh_canvas, gh_tools


class NscdHtmlReport(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, path, write, show):
        return gh_canvas.run(ghenv, gh_tools.html_report, result, path, write, show)  # noqa: F821
