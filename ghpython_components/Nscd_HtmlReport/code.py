#! python3
"""A page about a result that any browser shows, with the model in it."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.tools import html_report


class NscdHtmlReport(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, path, write, show):
        return canvas.run(ghenv, html_report, result, path, write, show)  # noqa: F821
