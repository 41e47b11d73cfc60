#! python3
"""What is in a dynamic result, at a time."""

import Grasshopper

from compas_nscd import gh_canvas, gh_result


class NscdDeconstructDynamic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, time):
        return gh_canvas.run(ghenv, gh_result.deconstruct_dynamic, result, time)  # noqa: F821
