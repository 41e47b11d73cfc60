#! python3
# venv: compas_nscd
"""How blocks deform."""

import Grasshopper

from compas_nscd import ghpython


class NscdElastic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, young, poisson, elements, refine, tension, damping, material, contacts):
        given = young, poisson, elements, refine, tension, damping, material, contacts
        return ghpython.run(ghenv, ghpython.elastic, *given)  # noqa: F821
