#! python3
"""What a joint can carry."""

import Grasshopper

from compas_nscd import gh_canvas, gh_law


class NscdContactLaw(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, friction, material, kind, cohesion, tension, compression, more):
        given = friction, material, kind, cohesion, tension, compression, more
        return gh_canvas.run(ghenv, gh_law.contact_law, *given)  # noqa: F821
