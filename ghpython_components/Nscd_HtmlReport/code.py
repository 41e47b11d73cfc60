#! python3
# venv: compas_nscd
"""A page about a result that any browser shows, with the model in it."""

import Grasshopper

from compas_nscd import ghpython


class NscdHtmlReport(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, path, write, show):
        return ghpython.run(ghenv, ghpython.html_report, result, path, write, show)  # noqa: F821
