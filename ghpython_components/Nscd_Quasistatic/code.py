#! python3
# venv: compas_nscd
"""How it deforms and fails under a load that grows, on contacts with stiffness."""

import Grasshopper

from compas_nscd import ghpython


class NscdQuasistatic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, method, normal, tangential, steps, settings, compute):
        given = structure, case, method, normal, tangential, steps, settings, compute
        return ghpython.run(ghenv, ghpython.quasistatic, *given)  # noqa: F821
