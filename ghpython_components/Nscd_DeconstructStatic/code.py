#! python3
"""What is in a static result."""

import Grasshopper

from compas_nscd import gh_canvas, gh_result


class NscdDeconstructStatic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result):
        return gh_canvas.run(ghenv, gh_result.deconstruct_static, result)  # noqa: F821
