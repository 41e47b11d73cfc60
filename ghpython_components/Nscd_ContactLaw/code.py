#! python3
"""What a joint can carry."""

import Grasshopper

from compas_nscd import ghpython


class NscdContactLaw(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, friction):
        return ghpython.run(ghenv, ghpython.contact_law, friction)  # noqa: F821
