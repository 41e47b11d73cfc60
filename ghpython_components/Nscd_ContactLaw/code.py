#! python3
# venv: compas_nscd
"""What a joint can carry."""

import Grasshopper

from compas_nscd import ghpython


class NscdContactLaw(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, friction, material, kind, cohesion, tension, compression, more):
        given = friction, material, kind, cohesion, tension, compression, more
        return ghpython.run(ghenv, ghpython.contact_law, *given)  # noqa: F821
