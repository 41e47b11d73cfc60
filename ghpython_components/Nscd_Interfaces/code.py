#! python3
"""The joints of a static result, one branch each."""

import Grasshopper

from compas_nscd import gh_canvas, gh_result


class NscdInterfaces(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result):
        return gh_canvas.run(ghenv, gh_result.interfaces, result)  # noqa: F821
