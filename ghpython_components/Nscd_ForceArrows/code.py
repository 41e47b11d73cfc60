#! python3
# venv: compas_nscd
"""Forces in the joints as arrows with their tips at the centres of pressure."""

import Grasshopper

from compas_nscd import ghpython


class NscdForceArrows(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, scale, time):
        return ghpython.run(ghenv, ghpython.force_arrows, result, scale, time)  # noqa: F821
