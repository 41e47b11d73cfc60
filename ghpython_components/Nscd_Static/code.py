#! python3
"""Does it stand, with which forces, or how does it fall."""

import Grasshopper

from compas_nscd import gh_canvas, gh_solve


class NscdStatic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, settings, compute):
        return gh_canvas.run(ghenv, gh_solve.static, structure, case, settings, compute)  # noqa: F821
