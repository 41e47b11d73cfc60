#! python3
# venv: compas_nscd
"""What acts on a structure."""

import Grasshopper

from compas_nscd import ghpython


class NscdLoadCase(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, gravity, loads, support_motions, ground, ramp, cables):
        given = gravity, loads, support_motions, ground, ramp, cables
        return ghpython.run(ghenv, ghpython.load_case, *given)  # noqa: F821
