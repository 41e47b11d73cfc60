#! python3
"""What a joint can carry."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.laws import contact_law


class NscdContactLaw(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, friction, material, kind, cohesion, tension, compression, more):
        given = friction, material, kind, cohesion, tension, compression, more
        return canvas.run(ghenv, contact_law, *given)  # noqa: F821
