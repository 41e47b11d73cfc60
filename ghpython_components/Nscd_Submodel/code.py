#! python3
# venv: compas_nscd
"""One refined block under the forces of its joints."""

import Grasshopper

from compas_nscd import ghpython


class NscdSubmodel(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, block, elastic, case, roughness, seed, settings, compute):
        given = structure, block, elastic, case, roughness, seed, settings, compute
        return ghpython.run(ghenv, ghpython.submodel, *given)  # noqa: F821
