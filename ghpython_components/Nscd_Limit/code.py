#! python3
"""How far it is from collapse, and how it would collapse."""

import Grasshopper

from compas_nscd import gh_canvas, gh_limit


class NscdLimit(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, vary, coulomb, settings, compute):
        return gh_canvas.run(ghenv, gh_limit.limit, structure, case, vary, coulomb, settings, compute)  # noqa: F821
