#! python3
"""What acts on a structure."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.loads import load_case


class NscdLoadCase(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, gravity, loads, support_motions, ground, ramp, cables):
        given = gravity, loads, support_motions, ground, ramp, cables
        return canvas.run(ghenv, load_case, *given)  # noqa: F821
