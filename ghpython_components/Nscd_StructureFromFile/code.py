#! python3
# venv: compas_nscd
"""A structure out of a scene or COMPAS data (.json), a Rhino file (.3dm) or an .obj file."""

import Grasshopper

from compas_nscd import ghpython


class NscdStructureFromFile(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, path, supports, density, friction, units):
        return ghpython.run(ghenv, ghpython.structure_from_file, path, supports, density, friction, units)  # noqa: F821
