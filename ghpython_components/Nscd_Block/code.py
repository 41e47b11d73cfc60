#! python3
# venv: compas_nscd
"""A block of a closed solid, rigid or deformable."""

import Grasshopper

from compas_nscd import ghpython


class NscdBlock(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, geometry, density, name, support, friction, elastic):
        given = geometry, density, name, support, friction, elastic
        return ghpython.run(ghenv, ghpython.block, *given)  # noqa: F821
